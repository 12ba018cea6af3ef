// The functions of this extension that planner support looks for, recognized by their C symbols: a
// name or a schema in SQL may change, and search_path must not matter.
#pragma once

#include "pg/postgres.hpp"

namespace ulid {

/// Named by their C symbols. Several SQL functions may share one: ulid < ulid and ulid < uuid are
/// both ulid_lt.
enum class Function : std::uint8_t {
    kNone,
    ulid_lt,
    ulid_le,
    ulid_eq,
    ulid_ge,
    ulid_gt,
    ulid_lt_timestamptz,
    ulid_le_timestamptz,
    ulid_ge_timestamptz,
    ulid_gt_timestamptz,
    timestamptz_lt_ulid,
    timestamptz_le_ulid,
    timestamptz_ge_ulid,
    timestamptz_gt_ulid,
    ulid_contained_by_range,
    range_contains_ulid,
    ulid_contained_by_multirange,
    multirange_contains_ulid,
    ulid_planner_in_multirange,
    ulid_lower_bound,
    ulid_upper_bound,
    ulid_planner_ge,
    ulid_planner_gt,
    ulid_planner_lt,
    ulid_planner_le,
    ulid_planner_time_date,
    ulid_planner_time_timestamp,
    ulid_planner_range_lower,
    ulid_planner_range_upper,
    ulid_planner_multirange_lower,
    ulid_planner_multirange_upper,
    ulid_planner_prefix_lower,
    ulid_planner_prefix_upper,
    kFunctions,
};

/// Which of them an SQL function is; kNone for any other.
Function FunctionOf(Oid function);

/// An SQL function that is `function`; InvalidOid where the extension has none.
Oid FindFunction(Function function);

} // namespace ulid
