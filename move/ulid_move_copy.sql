-- The copying way of ulid_move.sql, which includes this file: for tables of which PostgreSQL would not
-- give a column another type without writing every row again, or not at all. They are those with a key
-- of text, varchar or char, and those that are partitioned by the column.
--
-- Each is made anew in a schema beside its own, ulid_move_SCHEMA, with the same names. Triggers on the
-- old table keep the new one in step with every statement, the rows from before are copied in batches,
-- and one short transaction has the two tables change places.
--
-- Why no row is lost, doubled or brought back:
--
-- (1) A trigger of a statement takes the keys that the statement wrote, old and new, deletes what the new
--     table has under them and inserts what the old table has. It looks at what is there and not at what
--     the statement did. So it does not matter in which order the triggers of nested statements come, nor
--     that one row is written twice, and its effect is part of the client's transaction. To make a trigger
--     waits for every transaction that writes to the table: all that write later have it.
-- (2) The copier locks the rows of a batch FOR SHARE before it inserts them, and inserts where no such key
--     is (ON CONFLICT DO NOTHING), in one transaction. A client that wants to change or to delete one
--     of them waits for its end, and then its trigger finds the copy, as each of its statements has a
--     new snapshot. So what the copier inserts is the last committed version of the row, and no row
--     that is deleted is brought back by it.
-- (3) A row that a client holds is left out by the copier (SKIP LOCKED). If the client wrote it, its trigger
--     has copied it; if it rolled back or locked it only, the row is missing. The copier notes the range,
--     and comes back to it until none of it is missing. It never waits for a row with locks on others, so
--     it is part of no deadlock. In the new table it can wait for a client at a deferrable constraint
--     only, and gives up soon after (lock_timeout, which is less than deadlock_timeout).
-- (4) In a REPEATABLE READ or SERIALIZABLE transaction the trigger does not see copies that were committed
--     since its snapshot, and a DELETE would leave them. So it first inserts the old row, and the new one,
--     ON CONFLICT DO NOTHING: where such a copy is, that is a serialization failure (40001), as these
--     transactions have to expect. A reader of such a snapshot would miss copies after the switch: so this waits,
--     before it, for all that began before the last batch, as CREATE INDEX CONCURRENTLY does.
-- (5) Two keys that were different may be the same as ulid (`01ab…` and `01AB…`). An index on the old table
--     that is unique on the key as ulid is there before the copying begins.
-- (6) Right before the switch both tables have the same rows, byte for byte, in one snapshot, or there is an error: no
--     trigger is told of what ALTER TABLE does to values. From then on until the switch there is another error if a
--     column, a partition or a trigger was changed. Of a row that a MERGE moves to another partition PostgreSQL tells
--     no trigger of a statement, but those of a row: in that time a partitioned table has one.
-- (7) What applies the changes of a publisher fires no trigger of a statement, but those of a row: one of these refuses
--     it, so that the subscription stops in place of the copy missing a change.

-- The tables that are copied: all of a tree of partitions. `home` is the name, `work` that of the new one,
-- `gone` that of the old one after the switch, `typed` that of one without rows, on which definitions are tried; all of
-- them quoted and qualified.
CREATE TEMP TABLE copied (rel oid PRIMARY KEY, root oid, level integer, relkind "char", schema text,
    work_schema text, gone_schema text, typed_schema text, name text, home text, work text, gone text, typed text,
    key_index oid, key text[]) ON COMMIT DROP;
-- Their columns. `changes`: the type is another now than it will be. `source`: the type that it has when
-- the script is run. `value`: what becomes of it, as a format of its name.
CREATE TEMP TABLE copied_column (rel oid, att int2, name text, moves boolean, changes boolean, is_text boolean,
    type text, source text, target text,
    value text, equal text, PRIMARY KEY (rel, att)) ON COMMIT DROP;
CREATE TEMP TABLE copied_view (view oid PRIMARY KEY, level integer) ON COMMIT DROP;
-- The policies that are made again, as they will be.
CREATE TEMP TABLE copied_policy (policy oid PRIMARY KEY, definition text) ON COMMIT DROP;

-- The columns that change from uuid or ulid, in place or in a copy.
CREATE TEMP VIEW changing AS SELECT rel, att FROM all_moved UNION SELECT rel, att FROM copied_column
    WHERE changes AND NOT is_text;
-- What in a parse tree is followed by the type of a node; and the types that are looked for: that of the ids, the
-- rows that have one, and rows of no table, which may.
CREATE TEMP VIEW setting_of_ids AS
    SELECT '(?:vartype|funcresulttype|coalescetype|casetype|resulttype|paramtype|refrestype|refelemtype|'
    'minmaxtype|opresulttype|typeId|aggtype|wintype|array_typeid)' AS types,
    (SELECT format('(?:%s)', string_agg(format('%s|%s', oid, typarray), '|')) FROM pg_type
        WHERE oid IN (source, 'record'::regtype) OR oid IN (SELECT reltype FROM pg_class
            WHERE pg_class.oid IN (SELECT rel FROM changing UNION SELECT view FROM all_views))) AS source
    FROM ulid_move_setting;

-- All columns that move, with their types: as they are now, as the script finds them, and as it leaves them. What is
-- copied is bundle 0.
CREATE TEMP VIEW planned AS
    SELECT bundle, rel, att, attname::text AS name, atttypid::regtype::text AS was,
        source::text AS source, becomes::text AS target
    FROM all_moved JOIN pg_attribute ON attrelid = rel AND attnum = att, ulid_move_setting
    UNION ALL SELECT 0, rel, att, attname, regexp_replace(type, ' COLLATE .*', ''),
        regexp_replace(source, ' COLLATE .*', ''), regexp_replace(target, ' COLLATE .*', '')
    FROM copied_column JOIN pg_attribute ON attrelid = rel AND attnum = att WHERE moves;
