// The bounds to which the planner inlines conditions on a time, a range of times or a prefix.
#include "pg/time.hpp"

extern "C" {
#include "utils/fmgrprotos.h"
#include "utils/rangetypes.h"
}

#include <limits>

#include "core/prefix.hpp"

namespace ulid {

namespace {

/// Converts to Unix microseconds. A time too late for that, such as infinity, is the maximum.
std::int64_t UnixMicroseconds(TimestampTz time) {
    std::int64_t result;
    return __builtin_sub_overflow(time, kUnixEpoch, &result) ? std::numeric_limits<std::int64_t>::max() : result;
}

/// The first ULID of the millisecond of a range's bound, or the first one after it.
Ulid AtBound(const RangeBound &bound, bool is_after) {
    const std::int64_t time = UnixMicroseconds(DatumGetTimestampTz(bound.val));
    return is_after ? UpperBound(time) : LowerBound(time);
}

/// The ULIDs whose times lie in the tstzrange that is the first argument, whose bounds stand for their
/// milliseconds.
UlidRange RangeArgument(FunctionCallInfo fcinfo) {
    RangeType *const range = DatumGetRangeTypeP(Arg<Datum>(fcinfo, 0));
    RangeBound lower, upper;
    bool is_empty;
    range_deserialize(range_get_typcache(fcinfo, RangeTypeGetOid(range)), range, &lower, &upper, &is_empty);
    if (is_empty)
        return kNoUlids;
    UlidRange result{kMinimum, kMaximum};
    if (!lower.infinite)
        result.first = AtBound(lower, !lower.inclusive);
    if (!upper.infinite) {
        const Ulid end = AtBound(upper, upper.inclusive);
        if (end == kMinimum)
            return kNoUlids;
        result.last = end.Predecessor();
    }
    return Compare(result.last, result.first) < 0 ? kNoUlids : result;
}

} // namespace

extern "C" {

/// ulid_lower_bound(timestamptz): the first ULID of the millisecond. Saturates.
PG_FUNCTION_INFO_V1(ulid_lower_bound);
Datum ulid_lower_bound(PG_FUNCTION_ARGS) { return ToDatum(LowerBound(UnixMicroseconds(Arg<std::int64_t>(fcinfo, 0)))); }

/// ulid_upper_bound(timestamptz): the first ULID after the millisecond. Saturates.
PG_FUNCTION_INFO_V1(ulid_upper_bound);
Datum ulid_upper_bound(PG_FUNCTION_ARGS) { return ToDatum(UpperBound(UnixMicroseconds(Arg<std::int64_t>(fcinfo, 0)))); }

/// ulid_range_min(tstzrange): the first ULID in the range; the maximum if there is none.
PG_FUNCTION_INFO_V1(ulid_range_min);
Datum ulid_range_min(PG_FUNCTION_ARGS) { return ToDatum(RangeArgument(fcinfo).first); }

/// ulid_range_max(tstzrange): the last ULID in the range; the minimum if there is none.
PG_FUNCTION_INFO_V1(ulid_range_max);
Datum ulid_range_max(PG_FUNCTION_ARGS) { return ToDatum(RangeArgument(fcinfo).last); }

/// ulid_prefix_min(text): the first ULID with that prefix; the maximum if there is none.
PG_FUNCTION_INFO_V1(ulid_prefix_min);
Datum ulid_prefix_min(PG_FUNCTION_ARGS) {
    return ToDatum(UlidsWithPrefix(Bytes(Arg<const varlena *>(fcinfo, 0))).first);
}

/// ulid_prefix_max(text): the last ULID with that prefix; the minimum if there is none.
PG_FUNCTION_INFO_V1(ulid_prefix_max);
Datum ulid_prefix_max(PG_FUNCTION_ARGS) {
    return ToDatum(UlidsWithPrefix(Bytes(Arg<const varlena *>(fcinfo, 0))).last);
}

/// btree support function 3: RANGE frames over an interval, for windows ordered by ULIDs.
/// Errors: 22013 a negative interval, 22008 a time out of range.
PG_FUNCTION_INFO_V1(ulid_in_range_interval);
Datum ulid_in_range_interval(PG_FUNCTION_ARGS) {
    return DirectFunctionCall5(in_range_timestamptz_interval, TimestampTzGetDatum(TimeOf(Arg<const Ulid &>(fcinfo, 0))),
                               TimestampTzGetDatum(TimeOf(Arg<const Ulid &>(fcinfo, 1))), Arg<Datum>(fcinfo, 2),
                               Arg<Datum>(fcinfo, 3), Arg<Datum>(fcinfo, 4));
}

} // extern "C"

} // namespace ulid
