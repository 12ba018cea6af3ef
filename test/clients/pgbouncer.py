"""pgbouncer in transaction mode, by the page."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

import psycopg2

from tap import done, equal, fails

program = shutil.which("pgbouncer", path=os.environ["PATH"] + ":/usr/sbin")
if program is None:
    print("1..0 # SKIP pgbouncer is not here")
    raise SystemExit
version = subprocess.check_output([program, "--version"], text=True).split()[1]
keeps = tuple(map(int, version.split(".")[:2])) >= (1, 21)
directory = tempfile.mkdtemp(prefix="pgbouncer", dir="/tmp")
ini = pathlib.Path(directory, "pgbouncer.ini")
ini.write_text(f"""[databases]
* = host={os.environ["PGHOST"]} port={os.environ.get("PGPORT", "5432")} user={os.environ["PGUSER"]}
[pgbouncer]
pool_mode = transaction
default_pool_size = 2
{"max_prepared_statements = 200" if keeps else ""}
admin_users = {os.environ["PGUSER"]}
auth_type = any
listen_port = 6432
unix_socket_dir = {directory}
""")
as_server = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.getuid() == 0 else []
if as_server:
    shutil.chown(directory, "postgres", "postgres")
bouncer = subprocess.Popen([*as_server, program, "-q", str(ini)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
try:
    for _ in range(100):
        if pathlib.Path(directory, ".s.PGSQL.6432").exists():
            break
        time.sleep(0.1)

    def connect():
        connection = psycopg2.connect(host=directory, port=6432, dbname=os.environ["PGDATABASE"])
        return connection, connection.cursor()

    client, cursor = connect()
    other, other_cursor = connect()

    def one(cursor, query):
        cursor.execute(query)
        return cursor.fetchone()[0]

    preloaded = "ulid" in one(cursor, "SHOW shared_preload_libraries")
    if preloaded:
        cursor.execute(pathlib.Path("message_pgbouncer.sql").read_text())
    client.commit()
    sessions, ids = set(), []
    for i in range(200):
        # Of two sessions the other client takes the one that was used last, so the client's transactions alternate.
        ids.append(one(cursor, "INSERT INTO message (body) VALUES ('client') RETURNING id"))
        sessions.add(one(cursor, "SELECT pg_backend_pid()"))
        client.commit()
        other.commit()
        one(other_cursor, "SELECT pg_backend_pid()") if i % 2 else None
    equal("the transactions of a client run in two sessions", len(sessions), 2)
    if preloaded:
        equal("and with the page's default its ids are in their order", ids, sorted(ids))
    else:
        print("# ulid is not in shared_preload_libraries")
    cursor.execute("ALTER TABLE message ALTER id SET DEFAULT gen_ulid()")
    client.commit()
    ids = []
    for i in range(200):
        ids.append(one(cursor, "INSERT INTO message (body) VALUES ('client') RETURNING id"))
        client.commit()
        other.commit()
        one(other_cursor, "SELECT pg_backend_pid()") if i % 2 else None
    times = [id[:10] for id in ids]
    equal("with gen_ulid() the times are in their order", times, sorted(times))
    ids = [one(cursor, "SELECT gen_ulid()") for _ in range(200)]
    equal("and the ids of a transaction", ids, sorted(ids))
    client.commit()
    other.commit()

    def prepared():
        one(cursor, "PREPARE message AS SELECT 1; SELECT pg_backend_pid()")
        client.commit()
        busy, busy_cursor = connect()
        one(busy_cursor, "SELECT 1")
        other.commit()
        try:
            for _ in range(4):
                one(cursor, "EXECUTE message")
                client.commit()
                busy.commit()
                one(busy_cursor, "SELECT 1")
        finally:
            busy.close()

    fails('prepared statement "message" does not exist', prepared)
    # doc/moving-database.md: what becomes of clients where a script of a move goes through it
    client.rollback()
    one(cursor, "CREATE TABLE moving (id uuid PRIMARY KEY); SELECT count(*) FROM moving")
    client.commit()
    other.commit()
    script = pathlib.Path(directory, "there.sql")
    psql = ["psql", "-X", "-q", "-d", os.environ["PGDATABASE"]]
    written = subprocess.run([*psql, "-v", "columns=public.moving", "-v", f"script={script}",
                              "-f", os.environ["here"] + "/../../move/ulid_move.sql"])
    moved = subprocess.run([*psql, "-h", directory, "-p", "6432", "-f", str(script)], stdout=subprocess.DEVNULL)
    equal("a script of a move runs through it", (written.returncode, moved.returncode), (0, 0))
    equal("and leaves its settings to the next client", one(cursor, "SHOW check_function_bodies"), "off")
    if client.server_version < 180000:  # from which on the server reports it, and pgbouncer sets it back
        equal("search_path too", one(cursor, "SHOW search_path"), "pg_catalog, pg_temp")
    client.close()
    other.close()

    # doc/moving-database.md: the statements that it keeps for its clients, from 1.21 on
    if keeps:
        import psycopg

        def client_of_its_own():
            with psycopg.connect(host=directory, port=6432, dbname=os.environ["PGDATABASE"], autocommit=True) as connection:
                return connection.execute("SELECT id FROM keeping", prepare=True).fetchall()

        def alter(statement):
            subprocess.run([*psql, "-c", statement], check=True)

        alter("CREATE TABLE keeping (id uuid)")
        equal("a statement is prepared", client_of_its_own(), [])
        alter("ALTER TABLE keeping ALTER id TYPE ulid")
        for _ in range(2):
            fails("cached plan must not change result type", client_of_its_own)
        again = ["sh", "-c", 'while "$@" >/dev/null; do sleep 1; done', "sh", *psql[:-1], "pgbouncer", "-h", directory, "-p", "6432"]
        reconnecting = subprocess.Popen([*again, "-qc", "RECONNECT"])
        try:
            for kind in "ulid", "uuid", "ulid":
                alter("ALTER TABLE keeping ALTER id TYPE " + kind)
                time.sleep(2)
                equal("until it has connected again, " + kind, client_of_its_own(), [])
        finally:
            reconnecting.terminate()
            reconnecting.wait()
finally:
    bouncer.terminate()
    bouncer.wait()
    shutil.rmtree(directory)
done()
