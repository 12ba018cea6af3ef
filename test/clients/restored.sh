# shellcheck shell=bash
# A dump, restored: `bash restored.sh LOAD [WORK]`. The shell command LOAD makes what is in the database $FROM again,
# in a fresh one, PGDATABASE; then WORK goes on there. Prints `same`, or how the tables of the two differ, and what
# WORK prints.
set -uo pipefail
export FROM=$PGDATABASE PGDATABASE=${PGDATABASE}_restored
createdb --maintenance-db="$FROM" "$PGDATABASE"
trap 'dropdb --force --maintenance-db="$FROM" "$PGDATABASE"' EXIT
schema() { pg_dump --schema-only --schema=public "$1" | grep -v -e '^--' -e '^[\]' -e '^$'; }
bash -euo pipefail -c "$1" >&2 || exit
diff <(schema "$FROM") <(schema "$PGDATABASE") && echo same
bash -euo pipefail -c "${2:-:}"
