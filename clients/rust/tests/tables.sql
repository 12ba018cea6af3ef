CREATE EXTENSION IF NOT EXISTS ulid;
CREATE TABLE message (id ulid PRIMARY KEY DEFAULT gen_ulid(), body text);
CREATE TABLE boat (id ulid PRIMARY KEY DEFAULT gen_ulid(), name text, friends ulid[]);
CREATE TABLE oar (id ulid PRIMARY KEY DEFAULT gen_ulid(), boat_id ulid REFERENCES boat);
