// What BRIN needs beyond the server's own support functions.
#include "pg/datum.hpp"

namespace ulid {

extern "C" {

/// BRIN minmax-multi support function 11: how far the first ULID, the lesser, lies before the
/// second.
PG_FUNCTION_INFO_V1(ulid_brin_minmax_multi_distance);
Datum ulid_brin_minmax_multi_distance(PG_FUNCTION_ARGS) {
    PG_RETURN_FLOAT8(Distance(GetUlidArgument(fcinfo, 0), GetUlidArgument(fcinfo, 1)));
}

} // extern "C"

} // namespace ulid
