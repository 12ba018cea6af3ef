# shellcheck shell=bash disable=SC2034,SC2164 # for run, which runs them by bash -e
# Sourced by run. For each package: prepare_NAME sets it up, or exits with 77 where it cannot run, test_NAME runs its tests
# on the server that PGHOST and the like name, and test_oldest_NAME those with the oldest versions of the libraries.
packages=(python node go java rust ruby php dbt debezium)
# Those that need Debian's libraries or programs.
debian=(ruby php validators bi tools)
helpers=(clients newest_python venv maven message jdk)

clients() { cd "$work/checkout/clients/$1"; }

# The newest version up to 3.$1. Django 6 needs 3.12.
newest_python() {
    local python
    for python in python3.{14,13,12} /root/.pyenv/versions/3.1[2-9]*/bin/python3 python3; do
        ! "$python" -c "import ensurepip, sys; sys.exit(not (3, 12) <= sys.version_info[:2] <= (3, $1))" 2>/dev/null || break
    done
    echo "$python"
}
venv() { # NAME PYTHON ARGUMENT...: with these packages
    "$2" -m venv "$work/venv/$1"
    "$work/venv/$1/bin/pip" install -q --disable-pip-version-check --upgrade pip
    "$work/venv/$1/bin/pip" install -q --disable-pip-version-check "${@:3}"
}
prepare_python() {
    clients python
    venv python "$(newest_python 14)" -c tests/newest.txt . --group types
    sed 's/^/# /' tests/newest.txt
    local old=/usr/bin/python3 python
    for python in /root/.pyenv/versions/3.1[01]*/bin/python3; do [ ! -e "$python" ] || old=$python; done
    venv oldest_python "$old" -c tests/oldest.txt . --group test
}
test_python() { clients python; "$work/venv/python/bin/pytest" -q; }
test_oldest_python() { clients python; PGDATABASE=oldest "$work/venv/oldest_python/bin/pytest" -q; }

# package.json fixes the versions of what it names; npm chooses the rest. Scripts would download the engines of Prisma.
prepare_node() {
    clients node
    npm install --ignore-scripts --no-audit --no-fund --loglevel=error
    sed -n 's/^    "\(.*\)": "\([0-9][^"]*\)",*$/# \1 \2/p' package.json
    cp -r . "$work/oldest_node"
    npm --prefix "$work/oldest_node" run -s oldest
}
test_node() { clients node; npm test; }
test_oldest_node() { cd "$work/oldest_node"; PGDATABASE=oldest npm test; }

# go.mod fixes the versions, and oldest.mod the oldest.
prepare_go() {
    clients go
    export GOMODCACHE=$cache/go/mod GOCACHE=$cache/go/build GOFLAGS=-p=2
    go generate ./tests/...
    go vet ./... ./pgxulid/... ./tests/...
    sed -n 's/^\t\([^ ]* v[^ ]*\)$/# \1/p' tests/go.mod
}
test_go() {
    clients go
    export GOMODCACHE=$cache/go/mod GOCACHE=$cache/go/build GOFLAGS=-p=2
    go test -v -count=1 ./... ./pgxulid/... ./tests/...
}
test_oldest_go() {
    clients go/tests
    export GOMODCACHE=$cache/go/mod GOCACHE=$cache/go/build GOFLAGS=-p=2
    cp oldest.mod "$work/oldest.mod"
    PGDATABASE=oldest GOWORK=off go test -v -count=1 -mod=mod -modfile="$work/oldest.mod" ./...
}

maven() { mvn -B "-Dmaven.repo.local=$cache/maven" "$@"; }
# The package is installed as a user would install it, and an application depends on it.
prepare_java() {
    clients java
    maven install -Dmaven.test.skip
    maven -f src/test/project compile dependency:build-classpath -Dmdep.outputFile=target/path
    maven test-compile dependency:list -DexcludeTransitive -DoutputFile=target/versions
    sed -n 's/^ *\([^ ]*\):\(compile\|test\)\b.*/# \1/p' target/versions
}
test_java() {
    clients java
    maven test
    createdb ulid_java
    psql -X -q -d ulid_java -c 'CREATE EXTENSION ulid'
    java -cp "src/test/project/target/classes:$(cat src/test/project/target/path)" app.Main \
        "jdbc:postgresql://$PGHOST:$PGPORT/ulid_java" "$PGUSER"
}

# Cargo.lock fixes the versions.
prepare_rust() {
    clients rust
    # What was built of an earlier copy is older, whatever it contains.
    find . -type f -exec touch {} +
    mkdir -p "$cache/cargo"
    # The user may have set another registry.
    [ ! -e ~/.cargo/config.toml ] || cp ~/.cargo/config.toml "$cache/cargo/"
    CARGO_HOME=$cache/cargo cargo fetch --locked
    CARGO_HOME=$cache/cargo cargo tree --locked --depth 1 --prefix none --all-features | sed 's/^/# /'
}
test_rust() {
    clients rust
    createdb ulid_rust
    psql -X -q -d ulid_rust -f tests/tables.sql
    DATABASE_URL="postgres://$PGUSER@$PGHOST:$PGPORT/ulid_rust" CARGO_HOME=$cache/cargo \
        CARGO_TARGET_DIR=$cache/rust-$(cksum <<<"$checkout" | cut -d' ' -f1) \
        cargo test --all-features --locked --no-fail-fast
}

prepare_ruby() { command -v ruby; }
test_ruby() { clients ruby; prove -v --exec ruby test/test_*.rb; }

prepare_php() { command -v composer; }
test_php() { clients php; prove -v --exec php tests/test_*.php; }

prepare_dbt() {
    clients dbt
    venv dbt "$(newest_python 13)" -r integration_tests/requirements.txt
    sed 's/^/# /' integration_tests/requirements.txt
}
test_dbt() { clients dbt; "$work/venv/dbt/bin/pytest" -q integration_tests; }

# Flink's tests are of the jars that are installed.
prepare_debezium() {
    clients debezium
    maven install -DskipTests
    maven -f flink test-compile
    maven -f flink -P sql test-compile
}
test_debezium() {
    clients debezium
    maven test
    maven -f flink test
    maven -f flink -P sql test
}

# The table of clients/README.md. In a chroot, npm's packages are those of the run outside.
prepare_validators() {
    cd "$work/checkout/test/rare/clients"
    if [ -n "$hold" ]; then
        cp -r "$checkout/test/rare/clients/node_modules" .
    else
        npm install --no-package-lock --ignore-scripts --no-audit --no-fund --loglevel=error
    fi
}
test_validators() { message validators; node "$work/checkout/test/rare/clients/validators.mjs"; }

prepare_failures() { :; }
test_failures() { perl "$checkout/test/rare/clients/failures.pl"; }
