# shellcheck shell=bash
# pgloader.
set -u
. ./tap.sh
printf '%s\n' 01HWT0D7G004HMASW9NF6YY081,x 01HWT3V34004HMASW9NF6YY0G2,y 01HWT78YR004HMASW9NF6YY0R3, >message.csv
output=$(HOME=$PWD pgloader message.load 2>&1) || printf '# %s\n' "$output"
equal "loaded" "$(psql -XAtc "SELECT string_agg(id || coalesce(body, ''), ' ' ORDER BY id) FROM message")" \
    "01HWT0D7G004HMASW9NF6YY081x 01HWT3V34004HMASW9NF6YY0G2y 01HWT78YR004HMASW9NF6YY0R3"

psql -XAtqc 'TRUNCATE message'
printf '%s\n' 01HWT0D7G004HMASW9NF6YY081,x 'no ulid,y' >message.csv
output=$(HOME=$PWD pgloader message.load 2>&1)
equal "the exit status with a row that is no ULID" $? 0
quotes 'Database error 22P02: invalid input syntax for type ulid: "no ulid"' "$output"
equal "the others are loaded" "$(psql -XAtc 'SELECT id FROM message')" 01HWT0D7G004HMASW9NF6YY081

psql -XAtqc 'ALTER TABLE message ADD mentions ulid[]'
sed 's/body)/body, mentions)/' message.load >arrays.load
printf '%s\n' '01HWT3V34004HMASW9NF6YY0G2,y,"{01HWT0D7G004HMASW9NF6YY081,01HWT3V34004HMASW9NF6YY0G2}"' \
    01HWT78YR004HMASW9NF6YY0R3,z, >message.csv
output=$(HOME=$PWD pgloader arrays.load 2>&1) || printf '# %s\n' "$output"
equal "an array, and null" "$(psql -XAtc "SELECT coalesce(mentions[2]::text, 'null') FROM message WHERE body <> 'x' ORDER BY id")" \
    $'01HWT3V34004HMASW9NF6YY0G2\nnull'
echo "1..$count"
