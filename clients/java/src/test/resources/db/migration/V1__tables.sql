CREATE EXTENSION IF NOT EXISTS ulid;
CREATE TABLE person (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), name text);
CREATE TABLE visit (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), person_id uuid REFERENCES person);
CREATE TABLE harbor (id ulid PRIMARY KEY DEFAULT gen_ulid(), name text, boats ulid[]);
CREATE TABLE boat (id ulid PRIMARY KEY DEFAULT gen_ulid(), name text, friends ulid[]);
CREATE TABLE oar (id ulid PRIMARY KEY DEFAULT gen_ulid(), boat_id ulid REFERENCES boat);
CREATE TABLE sail (id ulid PRIMARY KEY, made_by ulid);
CREATE TABLE vessel (id ulid PRIMARY KEY, tender_id ulid REFERENCES vessel, trips int NOT NULL);
CREATE TABLE ferry (id ulid PRIMARY KEY REFERENCES vessel, cars int NOT NULL);
