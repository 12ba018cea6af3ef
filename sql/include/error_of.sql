-- What a command raises. For \i with ECHO none, by tests that show the SQLSTATE.
CREATE FUNCTION error_of(
    command text, OUT state text, OUT message text, OUT detail text, OUT hint text
) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE command;
    message := 'no error';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT,
        detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
END
$$;
-- The same in lines.
CREATE FUNCTION told(command text) RETURNS text LANGUAGE sql AS $$
    SELECT concat_ws(E'\n', concat_ws(': ', state, message),
                     'DETAIL: ' || nullif(detail, ''), 'HINT: ' || nullif(hint, ''))
    FROM error_of(command)
$$;
