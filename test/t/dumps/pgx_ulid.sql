-- What pg_dump gives of a database with pgx_ulid, without comments and settings.
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;

CREATE EXTENSION IF NOT EXISTS pgx_ulid WITH SCHEMA public;

COMMENT ON EXTENSION pgx_ulid IS 'ulid type and methods';

CREATE TABLE public.orders (
    id public.ulid DEFAULT public.gen_monotonic_ulid() NOT NULL,
    user_id public.ulid NOT NULL,
    tags public.ulid[]
);

CREATE TABLE public.users (
    id public.ulid DEFAULT public.gen_ulid() NOT NULL,
    name text NOT NULL,
    created_at timestamp without time zone GENERATED ALWAYS AS ((id)::timestamp without time zone) STORED
);

CREATE VIEW public.recent_users AS
 SELECT users.id,
    users.name
   FROM public.users
  WHERE ((users.id OPERATOR(public.>=) ('2023-03-10 00:00:00'::timestamp without time zone)::public.ulid) AND (users.id OPERATOR(public.<=) ('2023-03-11 00:00:00'::timestamp without time zone)::public.ulid));

COPY public.orders (id, user_id, tags) FROM stdin;
01GV5PA9EQG7D82Q3Y4PKBZSYW	01GV5PA9EQG7D82Q3Y4PKBZSYV	{01ARZ3NDEKTSV4RRFFQ69G5FAV,7ZZZZZZZZZZZZZZZZZZZZZZZZZ}
01GV5PA9EQG7D82Q3Y4PKBZSYX	01H588JF7X0005PX34XGNZBBGV	\N
\.

COPY public.users (id, name) FROM stdin;
01GV5PA9EQG7D82Q3Y4PKBZSYV	Ada
01H588JF7X0005PX34XGNZBBGV	Bob
\.

ALTER TABLE ONLY public.orders
    ADD CONSTRAINT orders_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);

CREATE INDEX orders_user_id_idx ON public.orders USING hash (user_id);

ALTER TABLE ONLY public.orders
    ADD CONSTRAINT orders_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);
