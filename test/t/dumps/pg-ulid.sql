-- What pg_dump gives of a database with pg-ulid, without comments and settings.
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;

CREATE EXTENSION IF NOT EXISTS ulid WITH SCHEMA public;

COMMENT ON EXTENSION ulid IS 'ULID Type';

CREATE TABLE public.users (
    id public.ulid DEFAULT public.gen_ulid() NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone GENERATED ALWAYS AS ((id)::timestamp with time zone) STORED,
    raw bytea GENERATED ALWAYS AS (public.ulid_to_bytea(id)) STORED,
    CONSTRAINT users_id_check CHECK ((id OPERATOR(public.>) '00000000000000000000000000'::public.ulid))
);

COPY public.users (id, name) FROM stdin;
01H588JF7X0005PX34XGNZBBGV	Bob Doe
01GV5PA9EQG7D82Q3Y4PKBZSYV	Jane Doe
\.

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);

CREATE INDEX users_created_at_idx ON public.users USING btree (((id)::timestamp without time zone));
