# shellcheck shell=bash
# pgbench.
set -u
. ./tap.sh
equal "parameters" "$(pgbench -n -M prepared -t 5 -f message.pgbench 2>&1 | grep -c 'processed: 5/5')" 1
equal "rows" "$(psql -XAtc 'SELECT count(*) FROM message')" 5
quotes 'trailing junk after numeric literal at or near "01' "$(pgbench -n -M simple -t 1 -f message.pgbench 2>&1)"
echo "1..$count"
