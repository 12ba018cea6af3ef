"""pgbouncer in transaction mode."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

import psycopg2

from tap import done, equal

program = shutil.which("pgbouncer", path=os.environ["PATH"] + ":/usr/sbin")
directory = tempfile.mkdtemp(prefix="pgbouncer", dir="/tmp")
ini = pathlib.Path(directory, "pgbouncer.ini")
ini.write_text(f"""[databases]
* = host={os.environ["PGHOST"]} port={os.environ.get("PGPORT", "5432")} user={os.environ["PGUSER"]}
[pgbouncer]
pool_mode = transaction
default_pool_size = 2
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
        return psycopg2.connect(host=directory, port=6432, dbname=os.environ["PGDATABASE"])

    def value(connection, query):
        with connection.cursor() as cursor:
            cursor.execute(query)
            return cursor.fetchone()[0]

    client, other = connect(), connect()

    def transactions():
        """The ids that 200 transactions of the client made, and the number of sessions that they ran in."""
        ids, sessions = [], set()
        for i in range(200):
            # The other client takes the session that was used last, so the client's transactions alternate.
            ids.append(value(client, "INSERT INTO message (body) VALUES ('client') RETURNING id"))
            sessions.add(value(client, "SELECT pg_backend_pid()"))
            client.commit()
            other.commit()
            value(other, "SELECT 1") if i % 2 else None
        other.commit()
        return ids, len(sessions)

    ids, sessions = transactions()
    equal("a client's transactions run in two sessions", sessions, 2)
    times = [id[:10] for id in ids]
    equal("with gen_ulid() the times are in order", times, sorted(times))
    ids = [value(client, "SELECT gen_ulid()") for _ in range(200)]
    equal("and the ids of one transaction", ids, sorted(ids))
    client.commit()
    if "ulid" in value(client, "SHOW shared_preload_libraries"):
        value(client, "ALTER TABLE message ALTER id SET DEFAULT gen_monotonic_ulid(); SELECT 1")
        client.commit()
        ids, _ = transactions()
        equal("with gen_monotonic_ulid() all ids are in order", ids, sorted(ids))
    client.close()
    other.close()
finally:
    bouncer.terminate()
    bouncer.wait()
    shutil.rmtree(directory)
done()
