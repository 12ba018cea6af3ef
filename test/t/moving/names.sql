-- Names that end a line, a quoted body or a string where they are written without care, for
-- test/t/022_move.pl. Each that were taken for a command of psql or of SQL would leave a trace.
CREATE SCHEMA "an ext, 100%";
CREATE EXTENSION ulid SCHEMA "an ext, 100%";
CREATE SCHEMA "sch.ema ""q"", %s :x :'y' \";
SET search_path = "sch.ema ""q"", %s :x :'y' \", "an ext, 100%";
CREATE TABLE "ta
\! touch psql_was_here
" ("i'd
\! touch psql_was_here
DROP TABLE canary;" uuid CONSTRAINT "$ulid_move_work$; DROP TABLE public.canary; --" PRIMARY KEY DEFAULT gen_random_uuid(),
    "`touch psql_was_here`" integer, gone integer,
    "$ulid_move_grants$; DROP TABLE public.canary" text);
ALTER TABLE "ta
\! touch psql_was_here
" DROP COLUMN gone;
CREATE TABLE public.canary ();
CREATE TABLE "refers, to ""it""" ("pg_catalog" uuid CONSTRAINT "`touch psql_was_here`
\! touch psql_was_here" REFERENCES "ta
\! touch psql_was_here
");
CREATE INDEX "`touch psql_was_here` \! touch psql_was_here" ON "refers, to ""it""" ("pg_catalog");
CREATE INDEX "the same sixty-three bytes, of a name that has a last letter: 1" ON "refers, to ""it""" ("pg_catalog");
CREATE INDEX "the same sixty-three bytes, of a name that has a last letter: 2" ON "refers, to ""it""" ("pg_catalog" DESC);
COMMENT ON INDEX "the same sixty-three bytes, of a name that has a last letter: 2" IS 'a comment
\! touch psql_was_here
$ulid_move_work$ :x \';
CREATE VIEW "$ulid_move_grants$; DROP TABLE public.canary" AS SELECT "pg_catalog", 'a
\! touch psql_was_here
' AS "co'l $ulid_move_first$" FROM "refers, to ""it""";
-- 19 has no such names of roles
SELECT E'ro''le' || CASE WHEN current_setting('server_version_num')::integer < 190000 THEN E'\n' ELSE ' ' END
    || '\! touch psql_was_here' AS role \gset
CREATE ROLE :"role";
GRANT SELECT ("pg_catalog"), INSERT ON "$ulid_move_grants$; DROP TABLE public.canary" TO :"role";
CREATE POLICY "$ulid_move_work$" ON "refers, to ""it""" TO :"role" USING ("pg_catalog" IS NOT NULL);
CREATE FUNCTION "f
\! touch psql_was_here"(uuid) RETURNS uuid LANGUAGE sql AS 'SELECT $1';
INSERT INTO "ta
\! touch psql_was_here
" SELECT FROM generate_series(1, 5);
INSERT INTO "refers, to ""it""" SELECT "i'd
\! touch psql_was_here
DROP TABLE canary;" FROM "ta
\! touch psql_was_here
";
