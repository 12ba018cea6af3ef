# shellcheck shell=bash
# Sourced by run: builds what the tests named need.

tests=("$@")
wanted() { printf '%s\n' "${tests[@]}" | grep -F "$1" >/dev/null; }

# leave_out SUFFIX WHY: the tests that cannot run on this release are skipped.
leave_out() {
    printf '%s\n' "${tests[@]}" | grep -F "$1" | sed "s/\$/: 0 passed, 0 failed, 1 skipped: $2/" | tee -a "$TALLY"
    mapfile -t tests < <(printf '%s\n' "${tests[@]}" | grep -vF "$1")
}

# installs SUFFIX COMMAND...: if the registry does not serve what the tests need, they fail.
installs() {
    "${@:2}" >install.log 2>&1 && return
    sed 's/^/# /' install.log | tail -n 20
    printf '%s\n' "${tests[@]}" | grep "$1\$" | sed "s/\$/: 0 passed, 1 failed: ${*:2:3} failed/" | tee -a "$TALLY"
    mapfile -t tests < <(printf '%s\n' "${tests[@]}" | grep -v "$1\$")
}

# requirements.txt has the newest versions. Debian's are the oldest; its tests run in a directory of their own.
if wanted .py; then
    mkdir debian
    cp ./*.py debian
    mapfile -t debian < <(printf 'debian/%s\n' "${tests[@]}" | grep -E '/(asyncpg|django|psycopg|sqlalchemy)_')
    for python in python3.{14,13,12} /root/.pyenv/versions/3.1[2-9]*/bin/python3 python3; do # Django 6 needs 3.12
        ! "$python" -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 12))' 2>/dev/null || break
    done
    installs .py "$python" -m venv "$work/python"
    ! wanted .py || installs .py "$work/python/bin/pip" install -q --disable-pip-version-check -r requirements.txt
    export python=$work/python/bin/python
    ! wanted .py || echo "# $("$python" --version): $(paste -sd ' ' requirements.txt)"
    tests+=("${debian[@]}")
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
    node node_modules/typescript/bin/tsc --strict --module nodenext --target es2022 --experimentalDecorators --skipLibCheck \
        ./*.mts ./*.ts
fi
# pgjdbc speaks TCP only.
if wanted .java; then
    coproc RELAY { exec node -e "
        const { PGHOST, PGPORT } = process.env
        const server = net.createServer(socket => socket.pipe(net.connect(PGHOST + '/.s.PGSQL.' + PGPORT)).pipe(socket))
        server.listen(0, '127.0.0.1', () => console.log(server.address().port))"; }
    # shellcheck disable=SC2153,SC2034 # RELAY_PID is coproc's, relay the caller's
    relay=$RELAY_PID
    read -r JDBC_PORT <&"${RELAY[0]}"
    export JDBC_PORT CLASSPATH=.:/usr/share/java/postgresql.jar
    javac -d . Jdbc.java
fi
# Debian's Go libraries are source packages, which Go finds the way it did before modules.
if wanted .go; then
    # shellcheck disable=SC2154 # work is the caller's
    export GO111MODULE=off GOPATH=/usr/share/gocode GOCACHE=${GOCACHE:-$work/go} GOFLAGS=-p=2
    # Debian bookworm has only version 4.
    if [ -d "$GOPATH/src/github.com/jackc/pgx/v5" ]; then
        go build -o pgx pgx.go
    else
        leave_out .go "pgx 5 is not packaged here"
    fi
fi
# Debian's Rust libraries are source packages, in a registry of their own.
if wanted .rs; then
    if compgen -G '/usr/share/cargo/registry/sqlx-0.9.*' >/dev/null; then
        # The macros of sqlx ask the database. CARGO_HOME is a place without settings for another registry.
        DATABASE_URL="postgres://$PGUSER@localhost/clients?host=$PGHOST&port=$PGPORT" CARGO_HOME=$work/cargo \
            CARGO_TARGET_DIR=rust cargo build --quiet --offline --config 'source.crates-io.replace-with="debian"' \
            --config 'source.debian.directory="/usr/share/cargo/registry"'
    else
        leave_out .rs "the crates are not packaged here"
    fi
fi

# The command of the test $1.
program() {
    case $1 in
        debian/*.py) echo "env -C debian /usr/bin/python3 ${1#debian/}" ;;
        *.py) echo "$python $1" ;;
        *.mts) echo "node ${1%.mts}.mjs" ;;
        *.pl) echo "perl $1" ;;
        *.rb) echo "ruby $1" ;;
        *.php) echo "php $1" ;;
        *.sh) echo "bash $1" ;;
        *.java) echo "java ${1%.java}" ;;
        *.go) echo "./${1%.*}" ;;
        *.rs) echo "rust/debug/${1%.rs}" ;;
    esac
}
