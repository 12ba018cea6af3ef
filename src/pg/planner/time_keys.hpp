// Which tables are known by the time of a ulid.
#pragma once

#include "pg/planner/planner.hpp"

namespace ulid {

/// The column, of any table, whose ulid_timestamp an expression is; null if it is none.
const Var *ColumnOfTime(Node *expression, Oid ulid_timestamp);

/// Whether an index, a partition key or a CHECK constraint compares ulid_timestamp(column): of the
/// table, of one that inherits from it, or of a partitioned table that it is a part of. Those that
/// the planner has not read yet are looked for in the catalogs as they are written there, with no
/// SQL function inlined, and without a lock.
bool IsKnownByTime(const PlannerInfo *root, const RelOptInfo *rel, const Var *column,
                   Oid ulid_timestamp);

} // namespace ulid
