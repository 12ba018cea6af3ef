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
# requirements.txt has the newest versions. Tests of the oldest, of Debian or of PyPI, run in directories of their own.
if wanted .py; then
    mkdir debian oldest
    cp ./*.py ids.csv debian
    cp ./*.py ids.csv oldest
    mapfile -t debian < <(printf 'debian/%s\n' "${tests[@]}" | grep -E '/(asyncpg|psycopg)_')
    mapfile -t oldest < <(printf 'oldest/%s\n' "${tests[@]}" | grep -E '/(django|sqlalchemy)_')
    installs .py "$(newest_python)" -m venv "$work/python"
    ! wanted .py || installs .py "$work/python/bin/pip" install -q --disable-pip-version-check -r requirements.txt
    export python=$work/python/bin/python
    ! wanted .py || echo "# $("$python" --version): $(paste -sd ' ' requirements.txt)"
    if wanted .py && [ ${#oldest[@]} -gt 0 ]; then
        grep -iE '^(alembic|asyncpg|django|drf|psycopg|python-ulid)' requirements.txt |
            grep -v '^Django=' >oldest/requirements.txt
        installs .py "$python" -m venv "$work/oldest"
        installs .py "$work/oldest/bin/pip" install -q --disable-pip-version-check -r oldest/requirements.txt \
            'Django==5.2.*' 'SQLAlchemy[asyncio]==2.0.*'
        export oldest_python=$work/oldest/bin/python
    fi
    tests+=("${debian[@]}" "${oldest[@]}")
fi
# package.json fixes the versions of what it names; npm chooses the rest.
if wanted .mts; then
    installs .mts npm install --no-package-lock --ignore-scripts --no-audit --no-fund --loglevel=error
fi
if wanted .mts; then
    echo "# node $(node --version): $(sed -n 's/^    "\(.*\)": "\([^"]*\)",*$/\1 \2/p' package.json | paste -sd ,)"
    for schema in owned external; do # the engines would be downloaded
        sed "s/MODELS/$schema/" prisma_head.prisma prisma_$schema.prisma >$schema.prisma
        CHECKPOINT_DISABLE=1 PRISMA_SCHEMA_ENGINE_BINARY=/bin/true node node_modules/prisma/build/index.js generate \
            --schema $schema.prisma >prisma.log 2>&1 || cat prisma.log
    done
    node node_modules/typescript/bin/tsc --strict --module nodenext --target es2022 --experimentalDecorators \
        --skipLibCheck ./*.mts ./*.ts
fi
# pgjdbc speaks TCP only, so it reaches the server by a relay.
start_relay() {
    wanted .java || wanted 'pipelines/.*\(java\|py\)' || return 0
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
# pom.xml fixes the versions of what it names. The adapter is installed as an application would install it.
build_java() {
    # shellcheck disable=SC2046 # a list of words
    "${maven[@]}" -f ../../clients/java install &&
        "${maven[@]}" dependency:build-classpath -Dmdep.outputFile=classpath &&
        "${maven[@]}" dependency:list -DexcludeTransitive -DoutputFile=versions &&
        CLASSPATH=.:$(cat classpath) && export CLASSPATH &&
        java -Djooq.codegen.jdbc.url="jdbc:postgresql://127.0.0.1:$JDBC_PORT/$PGDATABASE?user=$PGUSER" \
            org.jooq.codegen.GenerationTool jooq.xml &&
        javac -proc:none -parameters -d . ./*.java $(find clients -name '*.java')
}
if wanted .java; then
    start_relay
    mkdir migrations # where Flyway looks for them
    cp V1__tables.sql migrations/
    installs .java build_java
    ! wanted .java || grep -o '[^ ]*:compile' versions
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
# go.mod fixes the versions of what it names, and so those of what these need.
build_go() {
    local name
    if wanted orms.go; then
        go run github.com/sqlc-dev/sqlc/cmd/sqlc@v1.31.1 generate &&
            go run "entgo.io/ent/cmd/ent@$(go list -m -f '{{.Version}}' entgo.io/ent)" generate ./ent/schema || return
    fi
    for name in "${tests[@]}"; do
        [[ $name != *.go ]] || go build -o "${name%.go}.bin" "$name" tap.go || return
    done
    go -C ../../clients/go test .
}
if wanted .go; then
    export GOMODCACHE=$cache/go/mod GOCACHE=$cache/go/build GOFLAGS="-p=2 -mod=mod"
    installs .go build_go
    ! wanted .go || grep '^.[^ ]* v[^ ]*$' go.mod
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
        oldest/*.py) echo "env -C oldest $oldest_python ${1#oldest/}" ;;
        debian/*.py) echo "env -C debian /usr/bin/python3 ${1#debian/}" ;;
        *.py) echo "$python $1" ;;
        *.mts) echo "node ${1%.mts}.mjs" ;;
        *.pl) echo "perl $1" ;;
        *.rb) echo "ruby $1" ;;
        *.php) echo "php $1" ;;
        *.sh) echo "bash $1" ;;
        pipelines/*.java)
            set -- "$(basename "$1" .java)"
            echo "$(jdk "$1")/java @pipelines/$1.args clients.$1" ;;
        *.java) echo "java clients.${1%.java}" ;;
        *.go | *.rs) echo "./${1%.*}.bin" ;;
    esac
}
