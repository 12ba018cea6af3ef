-- COPY that leaves bad rows out, since PostgreSQL 17.
SET client_min_messages = warning;
CREATE TEMP TABLE copied (id ulid, n int);
COPY copied FROM STDIN (ON_ERROR ignore);
01GV5PA9EQG7D82Q3Y4PKBZSYV	1
80000000000000000000000000	2
2025-01-01	3
01GV5PA9EQG7D82Q3Y4PKBZSYU	4
\N	5
7zzzzzzzzzzzzzzzzzzzzzzzzz	6
\.
TABLE copied;
