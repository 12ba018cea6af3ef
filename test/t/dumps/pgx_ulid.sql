--
-- PostgreSQL database dump
--

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: pgx_ulid; Type: EXTENSION; Schema: -; Owner: -
--

CREATE EXTENSION IF NOT EXISTS pgx_ulid WITH SCHEMA public;


--
-- Name: EXTENSION pgx_ulid; Type: COMMENT; Schema: -; Owner: -
--

COMMENT ON EXTENSION pgx_ulid IS 'ulid type and methods';


SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: orders; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orders (
    id public.ulid DEFAULT public.gen_monotonic_ulid() NOT NULL,
    user_id public.ulid NOT NULL,
    tags public.ulid[]
);


--
-- Name: users; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.users (
    id public.ulid DEFAULT public.gen_ulid() NOT NULL,
    name text NOT NULL,
    created_at timestamp without time zone GENERATED ALWAYS AS ((id)::timestamp without time zone) STORED
);


--
-- Name: recent_users; Type: VIEW; Schema: public; Owner: -
--

CREATE VIEW public.recent_users AS
 SELECT users.id,
    users.name
   FROM public.users
  WHERE ((users.id OPERATOR(public.>=) ('2023-03-10 00:00:00'::timestamp without time zone)::public.ulid) AND (users.id OPERATOR(public.<=) ('2023-03-11 00:00:00'::timestamp without time zone)::public.ulid));


--
-- Data for Name: orders; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.orders (id, user_id, tags) FROM stdin;
01GV5PA9EQG7D82Q3Y4PKBZSYW	01GV5PA9EQG7D82Q3Y4PKBZSYV	{01ARZ3NDEKTSV4RRFFQ69G5FAV,7ZZZZZZZZZZZZZZZZZZZZZZZZZ}
01GV5PA9EQG7D82Q3Y4PKBZSYX	01H588JF7X0005PX34XGNZBBGV	\N
\.


--
-- Data for Name: users; Type: TABLE DATA; Schema: public; Owner: -
--

COPY public.users (id, name) FROM stdin;
01GV5PA9EQG7D82Q3Y4PKBZSYV	Ada
01H588JF7X0005PX34XGNZBBGV	Bob
\.


--
-- Name: orders orders_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orders
    ADD CONSTRAINT orders_pkey PRIMARY KEY (id);


--
-- Name: users users_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);


--
-- Name: orders_user_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orders_user_id_idx ON public.orders USING hash (user_id);


--
-- Name: orders orders_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orders
    ADD CONSTRAINT orders_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);


--
-- PostgreSQL database dump complete
--
