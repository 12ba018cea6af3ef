# shellcheck shell=bash
# Prints TAP, one line per test, and holds what the tests share.
count=0
equal() {
    count=$((count + 1))
    [ "$2" = "$3" ] && echo "ok $count - $1" || printf 'not ok %s - %s\n# got %s\n# expected %s\n' "$count" "$1" "$2" "$3"
}
done_testing() { echo "1..$count"; }
