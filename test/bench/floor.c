/* The least that a generator can cost: functions that do only what each of them must do. */
#include "postgres.h"

#include <time.h>

#include "fmgr.h"

PG_MODULE_MAGIC;

/* A result of 16 bytes. */
PG_FUNCTION_INFO_V1(floor_result);
Datum
floor_result(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(palloc0(16));
}

/* Such a result, and the clock. */
PG_FUNCTION_INFO_V1(floor_clock_and_result);
Datum
floor_clock_and_result(PG_FUNCTION_ARGS)
{
	uint64	   *result;
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	result = palloc(16);
	result[0] = (uint64) now.tv_sec;
	result[1] = (uint64) now.tv_nsec;
	PG_RETURN_POINTER(result);
}
