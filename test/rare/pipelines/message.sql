CREATE EXTENSION IF NOT EXISTS ulid;
CREATE TABLE message (id ulid PRIMARY KEY DEFAULT gen_ulid(), body text);
