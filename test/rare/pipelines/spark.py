"""PySpark's JDBC source, with pgjdbc."""
import os
import sys

import psycopg2
from pyspark.sql import SparkSession
from pyspark.sql.functions import spark_partition_id

from tap import IDS, equal, fails

A, B, C = IDS
URL = f"jdbc:postgresql://127.0.0.1:{os.environ['PGPORT']}/{os.environ['PGDATABASE']}"
database = psycopg2.connect("")
database.autocommit = True
sql = database.cursor()
sql.execute("CREATE TABLE account (id ulid PRIMARY KEY DEFAULT gen_ulid(), refs ulid[])")
sql.execute("INSERT INTO account VALUES (%s, NULL), (%s, %s::ulid[]), (%s, '{}')", (A, B, [A, None], C))
spark = SparkSession.builder.master("local[2]").config(map={
    "spark.jars": sys.argv[1], "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false"}).getOrCreate()
spark.sparkContext.setLogLevel("OFF")
options = {"url": URL, "user": "postgres", "driver": "org.postgresql.Driver"}


def read(table, **more):
    return spark.read.format("jdbc").options(**options, dbtable=table, **more).load()


rows = read("account").orderBy("id").collect()
equal("ids and arrays are right", [tuple(row) for row in rows], [(A, None), (B, [A, None]), (C, [])])
equal("as text", read("account").dtypes, [("id", "string"), ("refs", "array<string>")])
parts = {"numPartitions": 2, "lowerBound": "2024-05-01 12:30:00", "upperBound": "2024-05-01 13:30:00"}
fails("numeric, date, or timestamp", lambda: read("account", partitionColumn="id", **parts).count())
SUBQUERY = """
(SELECT *, id::timestamptz AT TIME ZONE 'UTC' AS made FROM account) AS account
"""
ids = read(SUBQUERY, partitionColumn="made", **parts).select("id", spark_partition_id())
equal("by the time of the id, with two connections", sorted(map(tuple, ids.collect())), [(A, 0), (B, 1), (C, 1)])


def write(mode, **more):
    read("account").write.format("jdbc").mode(mode).options(**options, dbtable="copy", **more).save()
    sql.execute("SELECT pg_typeof(id), pg_typeof(refs), count(*), min(id), max(refs)::text FROM copy GROUP BY 1, 2")
    return sql.fetchone()


sql.execute("CREATE TABLE copy (LIKE account)")
equal("append", write("append"), ("ulid", "ulid[]", 3, A, f"{{{A},NULL}}"))
equal("overwrite with truncate=true", write("overwrite", truncate="true"), ("ulid", "ulid[]", 3, A, f"{{{A},NULL}}"))
equal("overwrite makes columns of text", write("overwrite"), ("text", "text[]", 3, A, f"{{{A},NULL}}"))
