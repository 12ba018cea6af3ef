-- Temporal keys and foreign keys: PostgreSQL 18 and later. Without btree_gist.
BEGIN;
SELECT no_plan();
SELECT hasnt_extension('btree_gist');

SELECT CASE WHEN current_setting('server_version_num')::int < 180000
    THEN skip('PostgreSQL before 18 has no temporal keys', 8) ELSE collect_tap(
    lives_ok($$CREATE TABLE price (item ulid, during tstzrange, amount int,
            PRIMARY KEY (item, during WITHOUT OVERLAPS));
        INSERT INTO price VALUES ('01KE5Q86000000000000000000', '[2026-01-01Z, 2026-02-01Z)', 1),
            ('01KE5Q86000000000000000000', '[2026-02-01Z, 2026-03-01Z)', 2),
            ('01KE5Q86000000000000000001', '[2026-01-01Z, 2026-03-01Z)', 3)$$, 'a temporal primary key'),
    throws_ok($$UPDATE price SET during = '[2026-01-01Z, 2026-03-01Z)' WHERE amount = 1$$, '23P01', NULL,
        'an overlap is refused'),
    lives_ok($$CREATE TABLE sale (item ulid, during tstzrange,
            FOREIGN KEY (item, PERIOD during) REFERENCES price (item, PERIOD during));
        INSERT INTO sale VALUES ('01KE5Q86000000000000000000', '[2026-01-15Z, 2026-02-15Z)')$$,
        'two rows together cover a reference'),
    throws_ok($$INSERT INTO sale VALUES ('01KE5Q86000000000000000000', '[2026-02-15Z, 2026-04-01Z)')$$, '23503', NULL,
        'a reference that is not covered is refused'),
    throws_ok($$DELETE FROM price WHERE amount = 2$$, '23503', NULL, 'a referenced row cannot be deleted'),
    lives_ok($$CREATE TABLE sale_by_uuid (item uuid, during tstzrange,
            FOREIGN KEY (item, PERIOD during) REFERENCES price (item, PERIOD during));
        INSERT INTO sale_by_uuid VALUES ('019b8b74-1800-0000-0000-000000000001', '[2026-01-15Z, 2026-02-15Z)')$$,
        'a uuid column refers to a ulid'),
    throws_ok($$INSERT INTO sale_by_uuid VALUES ('019b8b74-1800-0000-0000-000000000002',
        '[2026-01-15Z, 2026-02-15Z)')$$, '23503', NULL, 'a uuid that does not exist is refused'),
    throws_ok($$DELETE FROM price WHERE amount = 3$$, '23503', NULL, 'a row referenced by a uuid cannot be deleted'))
END;

SELECT * FROM finish();
ROLLBACK;
