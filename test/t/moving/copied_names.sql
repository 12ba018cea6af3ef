-- Names and comments that end a line, a quoted body, a string or a format where they are written without care,
-- for test/t/024_move_copy.pl. Each that were taken for a command of psql or of SQL would leave a trace.
CREATE EXTENSION ulid;
CREATE TABLE public.canary ();
-- 19 has no such names of roles
SELECT E'ro''le' || CASE WHEN current_setting('server_version_num')::integer < 190000 THEN E'\n' ELSE ' ' END
    || '\! touch psql_was_here' AS role \gset
CREATE ROLE :"role";
CREATE SCHEMA "sch.ema ""q"", %s :x :'y' \' $q$";
SET search_path = "sch.ema ""q"", %s :x :'y' \' $q$", public;
CREATE TABLE "ta'b, 5% of $ulid_move$
\! touch psql_was_here
" ("i'd
\! touch psql_was_here
%s $1 $q$; DROP TABLE canary" text CONSTRAINT "$ulid_move_work$; DROP TABLE public.canary; --" PRIMARY KEY DEFAULT gen_ulid()::text,
    "`touch psql_was_here` %1$s" integer, gone integer, "$ulid_move_sync$; DROP TABLE public.canary" text DEFAULT '$ulid_move_work$; :x \');
ALTER TABLE "ta'b, 5% of $ulid_move$
\! touch psql_was_here
" DROP COLUMN gone;
COMMENT ON TABLE "ta'b, 5% of $ulid_move$
\! touch psql_was_here
" IS 'a comment
\! touch psql_was_here
$ulid_move_work$; DROP TABLE public.canary; -- $ulid_move$ :x \';
CREATE TABLE "refers, to 'it' %s" ("pg_catalog" text CONSTRAINT "`touch psql_was_here`
\! touch psql_was_here $ulid_move_first$" REFERENCES "ta'b, 5% of $ulid_move$
\! touch psql_was_here
", n serial primary key);
CREATE INDEX "`touch psql_was_here` \! touch
psql_was_here '%s" ON "refers, to 'it' %s" ("pg_catalog");
CREATE STATISTICS "stat
\! touch psql_was_here" ON "pg_catalog", n FROM "refers, to 'it' %s";
CREATE VIEW "$ulid_move_grants$; DROP TABLE public.canary" AS SELECT "pg_catalog", 'a
\! touch psql_was_here
' AS "co'l $ulid_move_first$" FROM "refers, to 'it' %s";
GRANT SELECT ("pg_catalog"), INSERT ON "refers, to 'it' %s" TO :"role";
CREATE POLICY "$ulid_move_work$" ON "refers, to 'it' %s" TO :"role" USING ("pg_catalog" IS NOT NULL);
INSERT INTO "ta'b, 5% of $ulid_move$
\! touch psql_was_here
" SELECT FROM generate_series(1, 5);
INSERT INTO "refers, to 'it' %s" ("pg_catalog") SELECT "i'd
\! touch psql_was_here
%s $1 $q$; DROP TABLE canary" FROM "ta'b, 5% of $ulid_move$
\! touch psql_was_here
";
CREATE TABLE "part
\! touch psql_was_here 's %s" ("Id" uuid PRIMARY KEY DEFAULT gen_random_uuid()) PARTITION BY HASH ("Id");
CREATE TABLE "part, 1 ' %s $q$" PARTITION OF "part
\! touch psql_was_here 's %s" FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE "part, 2" PARTITION OF "part
\! touch psql_was_here 's %s" FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO "part
\! touch psql_was_here 's %s" SELECT FROM generate_series(1, 5);
