# shellcheck shell=bash
# Prints TAP, one line per test, and holds what the tests share.
equal() {
    [ "$2" = "$3" ] && echo "ok - $1" || printf 'not ok - %s\n# got %s\n# expected %s\n' "$1" "$2" "$3"
}
