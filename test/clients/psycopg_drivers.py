"""psycopg 3, and the same statements with psycopg2, which speaks text only."""
import psycopg
import psycopg2
from psycopg.types import TypeInfo

from tap import HOUR, IDS, NOON, ULID, equal, error_of, fails, reads

# doc/clients/python.md: connection = psycopg.connect


def value(query, *parameters):
    return connection.execute(query, parameters).fetchone()[0]


def works(driver, list_of_ids, state):
    """The statements above; leaves a row for each of IDS."""
    id = add("hello")
    equal(f"{driver}: the default comes back as a string", (type(id), len(id)), (str, 26))
    equal(f"{driver}: find", [find(id), find(id.lower())], [("hello",), ("hello",)])
    connection.execute("DELETE FROM message")
    for id in IDS:
        connection.execute("INSERT INTO message (id, body) VALUES (%s, 'x')", [id])
    equal(f"{driver}: a range of time", between(NOON + HOUR, NOON + 2 * HOUR), [(IDS[1],)])
    equal(f"{driver}: a list", value(f"SELECT count(*) FROM message WHERE id = ANY({list_of_ids})", IDS[:2]), 2)
    array = "SELECT array_agg(id ORDER BY id) FROM message"
    equal(f"{driver}: an unregistered array is text", value(array), "{" + ",".join(IDS) + "}")
    equal(f"{driver}: as text[] it is a list", value(array.replace("FROM", "::text[] FROM")), IDS)
    reads(driver, lambda text: value("SELECT %s::ulid", text))
    errors = [error_of(lambda: find(id)) for id in ("not an id", "8" + IDS[0][1:])]
    equal(f"{driver}: invalid ids", [(type(error).__mro__[1].__name__, getattr(error, state)) for error in errors],
          [("DataError", "22P02"), ("DataError", "22003")])


print("# psycopg", psycopg.__version__)
works("psycopg 3", "%s", "sqlstate")
TypeInfo.fetch(connection, "ulid").register(connection)
equal("psycopg 3: a registered array is a list", value("SELECT array_agg(id ORDER BY id) FROM message"), IDS)
if ULID:
    # doc/clients/python.md: class UlidDumper
    connection = psycopg.connect(autocommit=True)
    equal("psycopg 3: a ULID object", find(ULID.from_str(IDS[0])), ("x",))
connection.execute("CREATE TABLE boat (id uuid)")
for prepared in range(6):
    connection.execute("SELECT id FROM boat")
psycopg.connect(autocommit=True).execute("ALTER TABLE boat ALTER id TYPE ulid")
for again in range(2):
    fails("cached plan must not change result type", lambda: connection.execute("SELECT id FROM boat"))
fails("operator does not exist: ulid = text", lambda: value("SELECT FROM message WHERE id = %b", IDS[0]))
cursor = connection.cursor(binary=True).execute("SELECT id FROM message LIMIT 1")
equal("a binary cursor gives bytes", type(cursor.fetchone()[0]), bytes)


class Psycopg2(psycopg2.extensions.connection):
    def execute(self, query, parameters=None):
        cursor = self.cursor()
        cursor.execute(query, parameters)
        return cursor


print("# psycopg2", psycopg2.__version__)
connection = psycopg2.connect("", connection_factory=Psycopg2)
connection.autocommit = True
connection.execute("DELETE FROM message")
works("psycopg2", "%s::ulid[]", "pgcode")
fails("operator does not exist: ulid = text", lambda: value("SELECT FROM message WHERE id = ANY(%s)", IDS))
fails("operator does not exist: ulid = integer", lambda: find(5))
