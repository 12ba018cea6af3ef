"""asyncpg, through the move: see move.pl.

happens: cached statement plan is invalid due to a database schema or configuration change
"""
import asyncio

import asyncpg

from moving import MODE, rounds
from uuid_or_ulid_asyncpg import read_ulids_as_uuids

run = asyncio.new_event_loop().run_until_complete


async def connect(**settings):
    return await asyncpg.create_pool(min_size=2, max_size=2, init=read_ulids_as_uuids if MODE == "both" else None, **settings)


async def in_transaction(pool, statement, *values):
    async with pool.acquire() as connection, connection.transaction():
        return await connection.fetch(statement, *values)


pool = run(connect())
without_cache = run(connect(statement_cache_size=0))


class Client:
    @staticmethod
    def add_customer(name):
        return run(pool.fetchval("INSERT INTO customers (name) VALUES ($1) RETURNING id", name))

    @staticmethod
    def add_order(*order):
        run(pool.execute("INSERT INTO orders (customer_id, record_type, record_id, others) VALUES ($1, $2, $3, $4)", *order))

    @staticmethod
    def rename(id, name):
        return int(run(pool.execute("UPDATE customers SET name = $1 WHERE id = $2", name, id)).split()[1])

    @staticmethod
    def customer(id):
        [row] = run(in_transaction(pool, "SELECT * FROM customers WHERE id = $1", id))
        return tuple(row)

    @staticmethod
    def orders_of(id):
        try:
            return [tuple(row) for row in run(in_transaction(
                without_cache, "SELECT customer_id, record_type, record_id, others FROM orders WHERE customer_id = $1", id))]
        except asyncpg.InvalidCachedStatementError:
            raise ValueError("there is no cache")


rounds(Client)
