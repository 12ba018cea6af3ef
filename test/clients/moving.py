"""The rounds of move.pl, by five functions of the client's. An id is a uuid.UUID, or in the last step a string."""
import sys
import uuid

from uuid_or_ulid import to_ulid, to_uuid

MODE = sys.argv[1]
FIRST = ["018f3406-9e00-0123-4567-89abcdef0101", "01HWT0D7G004HMASW9NF6YY081"]
previous = FIRST[1] if MODE == "ulid" else uuid.UUID(FIRST[0])


def same(got, expected):
    if got != expected:
        raise ValueError(f"{got!r} instead of {expected!r}")


def one_round(name, client):
    global previous
    record = previous
    id = client.add_customer(name)
    same(isinstance(id, str if MODE == "ulid" else uuid.UUID), True)
    client.add_order(id, "Customer", record, [id, record])
    same(client.rename(id, f"{name} changed"), 1)
    same(client.customer(id), (id, f"{name} changed"))
    same(client.orders_of(id), [(id, "Customer", record, [id, record])])
    same(client.customer(record)[0], record)
    one, of = (FIRST[1], to_ulid) if MODE == "ulid" else (uuid.UUID(FIRST[0]), to_uuid)
    for old in [] if MODE == "uuid" else FIRST:
        same(client.customer(of(old)), (one, "first"))
    previous = id
    return id


def rounds(client):
    for line in sys.stdin:
        name = line.strip()
        try:
            answer = f"done\t{one_round(name, client)}"
        except Exception as error:
            answer = "error\t" + " ".join(f"{type(error).__name__}: {error}".split())
        print(f"{name}\t{answer}", flush=True)
