# shellcheck shell=bash
# Sourced by run: builds what the tests named need.

tests=("$@")
wanted() { printf '%s\n' "${tests[@]}" | grep "^[^/]*$1\$" >/dev/null; } # its dots stand for any character

# installs SUFFIX COMMAND...: if the registry does not serve what the tests need, they fail.
installs() {
    "${@:2}" >install.log 2>&1 && return
    sed 's/^/# /' install.log | tail -n 20
    local name reason
    reason="${*:2:3} failed: $(tail -n 1 install.log)"
    for name in "${tests[@]}"; do
        [[ $name != *"$1" ]] || echo "$name: 0 passed, 1 failed: $reason"
    done | tee -a "$TEST_SUMS"
    mapfile -t tests < <(printf '%s\n' "${tests[@]}" | grep -v "$1\$")
}

newest_python() {
    local python
    for python in python3.{14,13,12} /root/.pyenv/versions/3.1[2-9]*/bin/python3 python3; do # Django 6 needs 3.12
        ! "$python" -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 12))' 2>/dev/null || break
    done
    echo "$python"
}
# A client with a runner of its own: here its tests run with the newest versions, and as oldest/NAME with the oldest.
python() { # NAME FILE
    installs python "$(newest_python)" -m venv "$work/$1" &&
        installs python "$work/$1/bin/pip" install -q --disable-pip-version-check --upgrade pip &&
        installs python "$work/$1/bin/pip" install -q --disable-pip-version-check -c "$checkout/clients/python/tests/$2.txt" \
            "$checkout/clients/python" --group "$checkout/clients/python/pyproject.toml:$3"
}
if wanted python; then
    python python newest types
    newest_python() { ls -d /root/.pyenv/versions/3.1[01]*/bin/python3 /usr/bin/python3 2>/dev/null | head -n 1; }
    ! wanted python || python oldest oldest test
    ! wanted python || { mkdir -p oldest && tests+=(oldest/python); }
fi
# package.json fixes the versions of what it names; npm chooses the rest. The engines of Prisma would be downloaded by scripts.
npm=(npm install --no-package-lock --ignore-scripts --no-audit --no-fund --loglevel=error)
if wanted node; then
    cp -r "$checkout/clients/node" "$work/node"
    installs node "${npm[@]}" --prefix "$work/node"
    ! wanted node || sed -n 's/^    "\(.*\)": "\([0-9][^"]*\)",*$/# \1 \2/p' "$work/node/package.json"
fi
if wanted .mts; then
    installs .mts "${npm[@]}"
fi
if wanted .mts; then
    echo "# node $(node --version): $(sed -n 's/^    "\(.*\)": "\([^"]*\)",*$/\1 \2/p' package.json | paste -sd ,)"
    node node_modules/typescript/bin/tsc --strict --module nodenext --target es2022 --experimentalDecorators \
        --skipLibCheck ./*.mts
fi
# pgjdbc speaks TCP only, so it reaches the server by a relay.
start_relay() {
    wanted java || wanted 'pipelines/.*\(java\|py\)' || return 0
    [ -z "${relay:-}" ] || { kill "$relay" && wait "$relay" || true; }
    coproc RELAY { exec node -e "
        const { PGHOST, PGPORT } = process.env
        const path = PGHOST + '/.s.PGSQL.' + PGPORT
        const server = net.createServer(socket => stream.pipeline(socket, net.connect(path), socket, () => {}))
        server.listen(0, '127.0.0.1', () => console.log(server.address().port))"; }
    # shellcheck disable=SC2153,SC2034 # RELAY_PID is coproc's, relay the caller's
    relay=$RELAY_PID
    read -r JDBC_PORT <&"${RELAY[0]}"
    export JDBC_PORT
}
# shellcheck disable=SC2154 # cache is the caller's
maven=(mvn -B "-Dmaven.repo.local=$cache/maven")
# The package is installed as a user would install it, and an application depends on it.
build_java() {
    local application=../../clients/java/src/test/project
    "${maven[@]}" -f ../../clients/java install -Dmaven.test.skip &&
        "${maven[@]}" -f $application compile dependency:build-classpath -Dmdep.outputFile=classpath &&
        java -cp "$application/target/classes:$(cat $application/classpath)" app.Main \
            "jdbc:postgresql://127.0.0.1:$JDBC_PORT/$PGDATABASE" "$PGUSER" &&
        "${maven[@]}" -f ../../clients/java test-compile dependency:list -DexcludeTransitive -DoutputFile=versions
}
if wanted java; then
    start_relay
    installs java build_java
    ! wanted java || grep -oE '[^ ]*:(compile|test)' ../../clients/java/versions
fi
# The directory of the JDK for the test $1, if there is one: Trino needs Java 22.
jdk() {
    local java
    for java in java /usr/lib/jvm/*/bin/java; do
        [ "$1" != Trino ] || "$java" -version 2>&1 | grep -E 'version "(2[2-9]|[3-9])' >/dev/null || continue
        dirname "$(readlink -f "$(command -v "$java")")"
        return
    done
}
# class_path PROFILE FILE OPTION...: of pipelines/pom.xml, which fixes the versions
class_path() { "${maven[@]}" -f pipelines dependency:build-classpath -P "$1" -Dmdep.outputFile="$2" "${@:3}"; }
# Each test has its own class path, as Flink CDC brings another Debezium.
build_pipelines() {
    local name jar sql
    "${maven[@]}" -f ../../clients/debezium package || return
    for name in $(printf '%s\n' "${tests[@]}" | sed -n 's|^pipelines/\(.*\)\.java$|\1|p'); do
        jar=../../clients/debezium/target/postgresql-ulid-debezium-1.0.0 sql=
        [ "$name" != FlinkSql ] || jar+=-flink-sql sql=-Dflink.connector=flink-sql-connector-postgres-cdc
        class_path "${name%Sql}" "$name.path" $sql &&
            jar=pipelines/$name:$jar.jar:$(cat "pipelines/$name.path") &&
            "$(jdk "$name")/javac" -d "pipelines/$name" -cp "$jar" Tap.java pipelines/{"${name%Sql}","$name"}.java ||
            return
        printf '%s\n' --add-opens=java.base/java.{lang,util}=ALL-UNNAMED -cp "$jar" >"pipelines/$name.args"
    done
}
build_pipelines_python() {
    "$(newest_python)" -m venv "$work/pipelines" &&
        "$work/pipelines/bin/pip" install -q --disable-pip-version-check -r pipelines/requirements.txt &&
        class_path none pgjdbc
}
if wanted pipelines/Trino.java && [ -z "$(jdk Trino)" ]; then
    echo "pipelines/Trino.java: 0 passed, 0 failed, 1 skipped: there is no Java 22" | tee -a "$TEST_SUMS"
    mapfile -t tests < <(printf '%s\n' "${tests[@]}" | grep -vx pipelines/Trino.java)
fi
! wanted 'pipelines/.*java' || installs 'pipelines/.*java' build_pipelines
! wanted 'pipelines/.*py' || installs 'pipelines/.*py' build_pipelines_python
# go.mod fixes the versions, and oldest.mod the oldest.
if wanted go; then
    export GOMODCACHE=$cache/go/mod GOCACHE=$cache/go/build GOFLAGS=-p=2
    installs go go -C "$work/clients/go" generate ./tests/...
    ! wanted go || { sed -n 's/^\t\([^ ]* v[^ ]*\)$/\1/p' "$work/clients/go/tests/go.mod"; mkdir -p oldest && tests+=(oldest/go); }
fi
# Cargo.lock fixes the versions.
build_rust() {
    local name
    # The macros of sqlx ask the database.
    DATABASE_URL="postgres://$PGUSER@localhost/$PGDATABASE?host=$PGHOST&port=$PGPORT" cargo build --locked || return
    for name in "${tests[@]}"; do
        [[ $name != *.rs ]] || cp "$CARGO_TARGET_DIR/debug/${name%.rs}" "${name%.rs}.bin" || return
    done
    cargo test --manifest-path ../../clients/rust/Cargo.toml
}
if wanted .rs; then
    export CARGO_HOME=$cache/cargo CARGO_TARGET_DIR=$cache/rust
    mkdir -p "$CARGO_HOME"
    # The user may have set another registry.
    ! [ -e ~/.cargo/config.toml ] || cp ~/.cargo/config.toml "$CARGO_HOME/"
    installs .rs build_rust
    ! wanted .rs || cargo tree --locked --depth 1 --prefix none
fi

# The command of the test $1.
program() {
    case $1 in
        pipelines/*.py) echo "$work/pipelines/bin/python $1" ;;
        python | oldest/python)
            echo "env -C $checkout/clients/python PYTHONDONTWRITEBYTECODE=1 $work/${1%/*}/bin/pytest -q -p no:cacheprovider" ;;
        go) echo "go -C $work/clients/go test -v -count=1 ./... ./pgxulid/... ./tests/..." ;;
        oldest/go) echo "env GOWORK=off go -C $work/clients/go/tests test -v -count=1 -modfile=oldest.mod ./..." ;;
        node) echo "npm --prefix $work/node test" ;;
        java) echo "env PGHOST=127.0.0.1 PGPORT=$JDBC_PORT mvn -B -Dmaven.repo.local=$cache/maven -f ../../clients/java test" ;;
        *.mts) echo "node ${1%.mts}.mjs" ;;
        *.pl) echo "perl $1" ;;
        *.rb) echo "ruby $1" ;;
        *.php) echo "php $1" ;;
        *.sh) echo "bash $1" ;;
        pipelines/*.java)
            set -- "$(basename "$1" .java)"
            echo "$(jdk "$1")/java @pipelines/$1.args clients.$1" ;;
        *.rs) echo "./${1%.*}.bin" ;;
    esac
}
