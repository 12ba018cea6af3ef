# shellcheck shell=bash
# Prints TAP: a line a test.
count=0

equal() {
    count=$((count + 1))
    if [ "$2" = "$3" ]; then
        echo "ok $count - $1"
    else
        printf 'not ok %s - %s\n# got %s\n# expected %s\n' "$count" "$1" "$2" "$3"
    fi
}

# The text $2 has the message $1, and a page quotes it.
quotes() {
    equal "fails: $1" "$(grep -cF -- "$1" <<<"$2" | sed 's/[1-9][0-9]*/yes/')" yes
    equal "as a page says" "$(cat "$PAGES"/*.md | grep -cF -- "$1" | sed 's/[1-9][0-9]*/yes/')" yes
}
