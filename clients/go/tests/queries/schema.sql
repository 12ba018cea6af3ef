CREATE TABLE boat (id ulid PRIMARY KEY DEFAULT gen_ulid(), name text, friends ulid[]);
CREATE TABLE oar (id ulid PRIMARY KEY DEFAULT gen_ulid(), boat_id ulid REFERENCES boat);
CREATE TABLE visitor (id uuid PRIMARY KEY DEFAULT gen_uuidv7(), name text);
