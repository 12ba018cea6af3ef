DROP INDEX IF EXISTS built;
CREATE INDEX built ON shuffled_:kind (id);
