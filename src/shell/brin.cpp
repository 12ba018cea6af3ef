// What BRIN needs beyond the server's own support functions.
#include "shell/datum.hpp"

using namespace ulid;

extern "C" {

/// BRIN minmax-multi support function 11: how far the first ULID, the lesser, lies before the
/// second, both as 128-bit numbers.
PG_FUNCTION_INFO_V1(ulid_brin_minmax_multi_distance);
Datum ulid_brin_minmax_multi_distance(PG_FUNCTION_ARGS) {
    const Ulid &from = GetUlidArgument(fcinfo, 0);
    const Ulid &to = GetUlidArgument(fcinfo, 1);
    const std::uint64_t low = to.Low() - from.Low();
    const std::uint64_t high = to.High() - from.High() - (to.Low() < from.Low());
    PG_RETURN_FLOAT8(static_cast<double>(high) * 0x1p64 + static_cast<double>(low));
}

} // extern "C"
