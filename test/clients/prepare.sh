# shellcheck shell=bash
# Sourced by run: builds what the tests named need.

wanted() {
    local name
    for name in "${tests[@]}"; do
        # shellcheck disable=SC2053 # a pattern
        [[ $name != $1 ]] || return 0
    done
    return 1
}
tests=("$@")

# What package.json names has one version each; what these need in turn is the newest that they take.
if wanted '*.mjs'; then
    npm install --no-package-lock --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null
fi
if wanted '*.c'; then
    cc -std=c17 -Wall -Wextra -Werror -I"$("$PG_CONFIG" --includedir)" libpq.c -o libpq \
        -L"$("$PG_CONFIG" --libdir)" -lpq
fi
# pgjdbc speaks TCP only.
if wanted '*.java'; then
    coproc RELAY { exec node relay.mjs; }
    # shellcheck disable=SC2153,SC2034 # RELAY_PID is coproc's, relay the caller's
    relay=$RELAY_PID
    read -r JDBC_PORT <&"${RELAY[0]}"
    export JDBC_PORT
    jars=(postgresql hibernate3 hibernate-commons-annotations eclipselink eclipselink-jpa-2.1-spec geronimo-jta-1.2-spec dom4j
        antlr commons-collections3 javassist slf4j-api slf4j-nop)
    CLASSPATH=.$(printf ':/usr/share/java/%s.jar' "${jars[@]}")
    export CLASSPATH
    javac -Xlint:-deprecation -nowarn -d . ./*.java 2>&1 | grep -v '^Note: ' || true
fi
# Debian's Go libraries are source packages, found by the way of Go before modules.
if wanted '*.go'; then
    # shellcheck disable=SC2154 # work is the caller's
    export GO111MODULE=off GOPATH=/usr/share/gocode GOCACHE=${GOCACHE:-$work/go} GOFLAGS=-p=2
    go build -o lib_pq message_lib_pq.go lib_pq.go checks.go
    # Debian bookworm has version 4 of it alone.
    if [ -d "$GOPATH/src/github.com/jackc/pgx/v5" ]; then
        go build -o pgx ulid_pgx.go message_pgx.go pgx.go checks.go
        go build -o move_pgx ulid_pgx.go uuid_or_ulid_pgx.go move_pgx.go moving.go checks.go
    else
        printf '#!/bin/sh\necho "1..0 # SKIP pgx 5 is not packaged here"\n' | tee pgx >move_pgx
        chmod +x pgx move_pgx
    fi
fi

# Debian's Rust libraries are source packages, in a registry of their own.
if wanted '*.rs'; then
    if compgen -G '/usr/share/cargo/registry/sqlx-0.9.*' >/dev/null; then
        # What the page says that the macros refuse.
        cat >refused.rs <<'END'
fn main() {
    sqlx::query!("SELECT id FROM message");
    sqlx::query!("SELECT FROM message WHERE id = $1", 1);
}
END
        for name in message_sqlx sqlx_rust refused; do
            printf '\n[[bin]]\nname = "%s"\npath = "%s.rs"\n' "$name" "$name" >>Cargo.toml
        done
        mkdir migrations
        # shellcheck disable=SC2016 # the page's own marks
        sed '/^```sql/,/^```$/!d; //d' "$PAGES.md" >migrations/1_message.sql
        # The macros of sqlx ask the database. CARGO_HOME is where none is set up for another registry.
        # shellcheck disable=SC2154 # prefix is the caller's
        build() {
            DATABASE_URL="postgres://$PGUSER@localhost/$prefix?host=$PGHOST&port=${PGPORT:-5432}" CARGO_HOME=$work/cargo \
                CARGO_TARGET_DIR=rust cargo build --quiet --offline --config 'source.crates-io.replace-with="debian"' \
                --config 'source.debian.directory="/usr/share/cargo/registry"' "$@"
        }
        build --bin message_sqlx --bin sqlx_rust
        build --bin refused 2>refused.txt || true
    else
        mkdir -p rust/debug
        printf '#!/bin/sh\necho "1..0 # SKIP sqlx 0.9 is not packaged here"\n' >rust/debug/sqlx_rust
        chmod +x rust/debug/sqlx_rust
    fi
fi

# How the test $1 is run.
program() {
    case $1 in
        move_* | Move*) echo -n "perl move.pl $1 " ;;&
        *.py) echo "/usr/bin/python3 $1" ;;
        *.mjs) echo "node $1" ;;
        *.pl) echo "perl $1" ;;
        *.rb) echo "ruby $1" ;;
        *.php) echo "php $1" ;;
        *.R) echo "Rscript $1" ;;
        *.sh) echo "bash $1" ;;
        *.java) echo "java ${1%.java}" ;;
        *.c | *.go) echo "./${1%.*}" ;;
        *.rs) echo "rust/debug/${1%.rs}" ;;
    esac
}
