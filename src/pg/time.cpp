// Bounds of times among ULIDs, and comparisons with times and ranges of times.
#include "pg/time.hpp"

namespace ulid {

namespace {

/// Unix microseconds; a time too late for them, infinity among those, becomes the last of them.
std::int64_t UnixMicroseconds(std::int64_t time) {
    std::int64_t result;
    return __builtin_sub_overflow(time, kUnixEpoch, &result)
               ? std::numeric_limits<std::int64_t>::max()
               : result;
}

std::int64_t GetTimeArgument(FunctionCallInfo fcinfo, int index) {
    return UnixMicroseconds(PG_GETARG_TIMESTAMPTZ(index));
}

Datum CopyUlidOrNull(FunctionCallInfo fcinfo, const std::optional<Ulid> &ulid) {
    if (!ulid)
        PG_RETURN_NULL();
    return CopyUlid(*ulid);
}

/// Whether ulid < time for the argument at `ulid_index` and the other one.
bool IsBefore(FunctionCallInfo fcinfo, int ulid_index) {
    return Compare(GetUlidArgument(fcinfo, ulid_index),
                   LowerBound(GetTimeArgument(fcinfo, 1 - ulid_index))) < 0;
}

/// Whether ulid <= time.
bool IsNotAfter(FunctionCallInfo fcinfo, int ulid_index) {
    return Compare(GetUlidArgument(fcinfo, ulid_index),
                   UpperBound(GetTimeArgument(fcinfo, 1 - ulid_index))) < 0;
}

TimeEnd EndOf(const RangeBound &bound) {
    if (bound.infinite)
        return {std::nullopt, false};
    return {UnixMicroseconds(DatumGetTimestampTz(bound.val)), bound.inclusive};
}

UlidRange UlidsBetween(const RangeBound &lower, const RangeBound &upper) {
    return UlidsBetween(EndOf(lower), EndOf(upper));
}

/// A range argument.
struct Range {
    RangeType *value;
    TypeCacheEntry *type;

    Range(FunctionCallInfo fcinfo, int index)
        : value(PG_GETARG_RANGE_P(index)),
          type(range_get_typcache(fcinfo, RangeTypeGetOid(value))) {}

    /// The ulids whose times lie in it; fails with 42804 where it is not of times.
    UlidRange Ulids() const {
        if (unlikely(!HoldsTimes(type)))
            ReportOtherRange(type->type_id);
        RangeBound lower, upper;
        bool is_empty;
        range_deserialize(type, value, &lower, &upper, &is_empty);
        return is_empty ? kNoUlids : UlidsBetween(lower, upper);
    }
};
static_assert(kMayBeJumpedOver<Range>);

/// A multirange argument.
struct Multirange {
    MultirangeType *value;
    TypeCacheEntry *type; ///< of its ranges

    Multirange(FunctionCallInfo fcinfo, int index)
        : value(PG_GETARG_MULTIRANGE_P(index)),
          type(multirange_get_typcache(fcinfo, MultirangeTypeGetOid(value))->rngtype) {}

    void RequireTimes() const {
        if (unlikely(!HoldsTimes(type)))
            ReportOtherRange(MultirangeTypeGetOid(value));
    }

    /// From the first range's lower end to the last one's upper end; fails with 42804 where it is
    /// not of times.
    UlidRange Span() const {
        RequireTimes();
        if (MultirangeIsEmpty(value))
            return kNoUlids;
        RangeBound lower, upper, ignored;
        multirange_get_bounds(type, value, 0, &lower, &ignored);
        multirange_get_bounds(type, value, value->rangeCount - 1, &ignored, &upper);
        return UlidsBetween(lower, upper);
    }

    /// Whether the time of `ulid` lies in it; fails with 42804 where it is not of times.
    bool HoldsTimeOf(const Ulid &ulid) const {
        RequireTimes();
        // The ranges are in order and apart: the one that holds the ulid, if any, is the first
        // whose upper end is not before it.
        uint32 begin = 0, end = value->rangeCount;
        RangeBound lower, upper;
        while (begin < end) {
            const uint32 middle = begin + (end - begin) / 2;
            multirange_get_bounds(type, value, middle, &lower, &upper);
            const RangeBound unbounded{0, true, false, true};
            if (Contains(UlidsBetween(unbounded, upper), ulid))
                end = middle;
            else
                begin = middle + 1;
        }
        if (begin == value->rangeCount)
            return false;
        multirange_get_bounds(type, value, begin, &lower, &upper);
        return Contains(UlidsBetween(lower, upper), ulid);
    }
};
static_assert(kMayBeJumpedOver<Multirange>);

/// The type of an argument as the function is declared.
Oid DeclaredType(FunctionCallInfo fcinfo, int index) {
    Oid *types;
    int count;
    get_func_signature(fcinfo->flinfo->fn_oid, &types, &count);
    return types[index];
}

/// Whether the ulid at `ulid_index` lies in the range that is the other argument.
bool IsInRange(FunctionCallInfo fcinfo, int ulid_index) {
    const Range range{fcinfo, 1 - ulid_index};
    if (unlikely(!HoldsTimes(range.type)) &&
        HoldsUlids(range.type, DeclaredType(fcinfo, ulid_index)))
        return range_contains_elem_internal(range.type, range.value, PG_GETARG_DATUM(ulid_index));
    return Contains(range.Ulids(), GetUlidArgument(fcinfo, ulid_index));
}

/// The same of a multirange.
bool IsInMultirange(FunctionCallInfo fcinfo, int ulid_index) {
    const Multirange multirange{fcinfo, 1 - ulid_index};
    if (unlikely(!HoldsTimes(multirange.type)) &&
        HoldsUlids(multirange.type, DeclaredType(fcinfo, ulid_index)))
        return multirange_contains_elem_internal(multirange.type, multirange.value,
                                                 PG_GETARG_DATUM(ulid_index));
    return multirange.HoldsTimeOf(GetUlidArgument(fcinfo, ulid_index));
}

/// A local time as a timestamptz in the session's time zone. Never fails as the cast does: where it
/// is further from every ULID's time than any time zone is from UTC, infinity.
Datum Saturate(Timestamp local) {
    constexpr std::int64_t kMargin = 2 * USECS_PER_DAY;
    if (local < kUnixEpoch - kMargin)
        return TimestampTzGetDatum(DT_NOBEGIN);
    if (local > kLastMicrosecond + kMargin)
        return TimestampTzGetDatum(DT_NOEND);
    return DirectFunctionCall1(timestamp_timestamptz, TimestampGetDatum(local));
}

} // namespace

extern "C" {

/// ulid_lower_bound(timestamptz): the first ULID that is not earlier; the greatest past the end.
PG_FUNCTION_INFO_V1(ulid_lower_bound);
Datum ulid_lower_bound(PG_FUNCTION_ARGS) {
    return CopyUlid(LowerBound(GetTimeArgument(fcinfo, 0)));
}

/// ulid_upper_bound(timestamptz): the first ULID that is later; the greatest past the end.
PG_FUNCTION_INFO_V1(ulid_upper_bound);
Datum ulid_upper_bound(PG_FUNCTION_ARGS) {
    return CopyUlid(UpperBound(GetTimeArgument(fcinfo, 0)));
}

/// ulid_planner_ge(timestamptz): the first ULID that is not earlier, or NULL.
PG_FUNCTION_INFO_V1(ulid_planner_ge);
Datum ulid_planner_ge(PG_FUNCTION_ARGS) {
    return CopyUlidOrNull(fcinfo, FirstNotBefore(GetTimeArgument(fcinfo, 0)));
}

/// ulid_planner_gt(timestamptz): the first ULID that is later, or NULL.
PG_FUNCTION_INFO_V1(ulid_planner_gt);
Datum ulid_planner_gt(PG_FUNCTION_ARGS) {
    return CopyUlidOrNull(fcinfo, FirstAfter(GetTimeArgument(fcinfo, 0)));
}

/// ulid_planner_lt(timestamptz): the last ULID that is earlier, or NULL.
PG_FUNCTION_INFO_V1(ulid_planner_lt);
Datum ulid_planner_lt(PG_FUNCTION_ARGS) {
    return CopyUlidOrNull(fcinfo, LastBefore(GetTimeArgument(fcinfo, 0)));
}

/// ulid_planner_le(timestamptz): the last ULID that is not later, or NULL.
PG_FUNCTION_INFO_V1(ulid_planner_le);
Datum ulid_planner_le(PG_FUNCTION_ARGS) {
    return CopyUlidOrNull(fcinfo, LastNotAfter(GetTimeArgument(fcinfo, 0)));
}

/// ulid_planner_time(date)
PG_FUNCTION_INFO_V1(ulid_planner_time_date);
Datum ulid_planner_time_date(PG_FUNCTION_ARGS) {
    const DateADT date = PG_GETARG_DATEADT(0);
    // A finite date is within 32 bits of days, whose microseconds are within 64 bits.
    const Timestamp midnight = DATE_IS_NOBEGIN(date) ? DT_NOBEGIN
                               : DATE_IS_NOEND(date) ? DT_NOEND
                                                     : Timestamp{date} * USECS_PER_DAY;
    return Saturate(midnight);
}

/// ulid_planner_time(timestamp)
PG_FUNCTION_INFO_V1(ulid_planner_time_timestamp);
Datum ulid_planner_time_timestamp(PG_FUNCTION_ARGS) { return Saturate(PG_GETARG_TIMESTAMP(0)); }

PG_FUNCTION_INFO_V1(ulid_lt_timestamptz);
Datum ulid_lt_timestamptz(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(IsBefore(fcinfo, 0)); }

PG_FUNCTION_INFO_V1(ulid_le_timestamptz);
Datum ulid_le_timestamptz(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(IsNotAfter(fcinfo, 0)); }

PG_FUNCTION_INFO_V1(ulid_ge_timestamptz);
Datum ulid_ge_timestamptz(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(!IsBefore(fcinfo, 0)); }

PG_FUNCTION_INFO_V1(ulid_gt_timestamptz);
Datum ulid_gt_timestamptz(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(!IsNotAfter(fcinfo, 0)); }

PG_FUNCTION_INFO_V1(timestamptz_lt_ulid);
Datum timestamptz_lt_ulid(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(!IsNotAfter(fcinfo, 1)); }

PG_FUNCTION_INFO_V1(timestamptz_le_ulid);
Datum timestamptz_le_ulid(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(!IsBefore(fcinfo, 1)); }

PG_FUNCTION_INFO_V1(timestamptz_ge_ulid);
Datum timestamptz_ge_ulid(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(IsNotAfter(fcinfo, 1)); }

PG_FUNCTION_INFO_V1(timestamptz_gt_ulid);
Datum timestamptz_gt_ulid(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(IsBefore(fcinfo, 1)); }

/// ulid_planner_range_lower(anyrange): the first ULID in a range of times; the greatest where there
/// is none.
PG_FUNCTION_INFO_V1(ulid_planner_range_lower);
Datum ulid_planner_range_lower(PG_FUNCTION_ARGS) {
    return CopyUlid(Range{fcinfo, 0}.Ulids().first);
}

/// ulid_planner_range_upper(anyrange): the last ULID in a range of times; the least where there is
/// none.
PG_FUNCTION_INFO_V1(ulid_planner_range_upper);
Datum ulid_planner_range_upper(PG_FUNCTION_ARGS) { return CopyUlid(Range{fcinfo, 0}.Ulids().last); }

/// ulid_planner_range_lower(anymultirange)
PG_FUNCTION_INFO_V1(ulid_planner_multirange_lower);
Datum ulid_planner_multirange_lower(PG_FUNCTION_ARGS) {
    return CopyUlid(Multirange{fcinfo, 0}.Span().first);
}

/// ulid_planner_range_upper(anymultirange)
PG_FUNCTION_INFO_V1(ulid_planner_multirange_upper);
Datum ulid_planner_multirange_upper(PG_FUNCTION_ARGS) {
    return CopyUlid(Multirange{fcinfo, 0}.Span().last);
}

PG_FUNCTION_INFO_V1(ulid_contained_by_range);
Datum ulid_contained_by_range(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(IsInRange(fcinfo, 0)); }

PG_FUNCTION_INFO_V1(range_contains_ulid);
Datum range_contains_ulid(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(IsInRange(fcinfo, 1)); }

PG_FUNCTION_INFO_V1(ulid_contained_by_multirange);
Datum ulid_contained_by_multirange(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(IsInMultirange(fcinfo, 0)); }

PG_FUNCTION_INFO_V1(multirange_contains_ulid);
Datum multirange_contains_ulid(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(IsInMultirange(fcinfo, 1)); }

/// ulid_planner_in_multirange(ulid, anymultirange): what a multirange's containment is simplified
/// to, beside the conditions on its span.
PG_FUNCTION_INFO_V1(ulid_planner_in_multirange);
Datum ulid_planner_in_multirange(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(IsInMultirange(fcinfo, 0)); }

/// btree support function 3: RANGE frames of a window ordered by ULIDs, by their times.
/// Errors: 22013 a negative interval, 22008 a time out of range.
PG_FUNCTION_INFO_V1(ulid_in_range_interval);
Datum ulid_in_range_interval(PG_FUNCTION_ARGS) {
    return DirectFunctionCall5(in_range_timestamptz_interval,
                               TimestampTzGetDatum(MicrosecondsOf(GetUlidArgument(fcinfo, 0))),
                               TimestampTzGetDatum(MicrosecondsOf(GetUlidArgument(fcinfo, 1))),
                               PG_GETARG_DATUM(2), PG_GETARG_DATUM(3), PG_GETARG_DATUM(4));
}

} // extern "C"

} // namespace ulid
