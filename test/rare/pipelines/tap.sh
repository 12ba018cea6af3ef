# shellcheck shell=bash
# Prints TAP, one line per test, and holds what the tests share.
equal() {
    [ "$2" = "$3" ] && echo "ok - $1" || printf 'not ok - %s\n# got %s\n# expected %s\n' "$1" "$2" "$3"
}
contains() { case $2 in *"$1"*) equal "contains: $1" 0 0 ;; *) equal "contains: $1" "$2" "$1" ;; esac; }
sql() { psql -X -q -A -t -v ON_ERROR_STOP=1 "$@" 2>&1; }
