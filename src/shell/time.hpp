// The time conditions by their C functions, for the planner support that recognizes them.
#pragma once

#include "shell/datum.hpp"

extern "C" {

PGDLLEXPORT Datum ulid_lt_timestamptz(PG_FUNCTION_ARGS);
PGDLLEXPORT Datum ulid_le_timestamptz(PG_FUNCTION_ARGS);
PGDLLEXPORT Datum ulid_ge_timestamptz(PG_FUNCTION_ARGS);
PGDLLEXPORT Datum ulid_gt_timestamptz(PG_FUNCTION_ARGS);
PGDLLEXPORT Datum timestamptz_lt_ulid(PG_FUNCTION_ARGS);
PGDLLEXPORT Datum timestamptz_le_ulid(PG_FUNCTION_ARGS);
PGDLLEXPORT Datum timestamptz_ge_ulid(PG_FUNCTION_ARGS);
PGDLLEXPORT Datum timestamptz_gt_ulid(PG_FUNCTION_ARGS);
PGDLLEXPORT Datum ulid_contained_by_range(PG_FUNCTION_ARGS);
PGDLLEXPORT Datum range_contains_ulid(PG_FUNCTION_ARGS);
PGDLLEXPORT Datum ulid_contained_by_multirange(PG_FUNCTION_ARGS);
PGDLLEXPORT Datum multirange_contains_ulid(PG_FUNCTION_ARGS);

} // extern "C"
