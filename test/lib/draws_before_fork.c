/* Preloaded into a server after ulid: draws randomness in the postmaster, before any backend is forked. */
#include "postgres.h"

#include "fmgr.h"

PG_MODULE_MAGIC;

PGDLLEXPORT void _PG_init(void);

void
_PG_init(void)
{
	PGFunction	generate = (PGFunction) load_external_function("ulid", "gen_random_ulid", true, NULL);

	DirectFunctionCall1(generate, (Datum) 0);
}
