# shellcheck shell=bash
# pgloader.
set -u
. ./tap.sh
printf '%s\n' 01HWT0D7G004HMASW9NF6YY081,x 01HWT3V34004HMASW9NF6YY0G2,y 01HWT78YR004HMASW9NF6YY0R3, >message.csv
output=$(HOME=$PWD pgloader message.load 2>&1) || printf '# %s\n' "$output"
equal "loaded" "$(psql -XAtc "SELECT string_agg(id || coalesce(body, ''), ' ' ORDER BY id) FROM message")" \
    "01HWT0D7G004HMASW9NF6YY081x 01HWT3V34004HMASW9NF6YY0G2y 01HWT78YR004HMASW9NF6YY0R3"
echo "1..$count"
