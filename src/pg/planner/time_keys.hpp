// Which tables are known by the time of a ulid.
#pragma once

#include "pg/planner/planner.hpp"

namespace ulid {

/// The column, of any table, whose ulid_timestamp an expression is; null if it is none.
const Var *ColumnOfTime(Node *expression, Oid ulid_timestamp);

/// Whether the planner may find by ulid_timestamp(column) what it does not find by the column: in
/// an index, a partition key or a CHECK constraint of the table, or of one that inherits from it.
/// Of those that inherit, the catalogs are asked, without a lock; there an SQL function that would
/// be inlined is not looked into.
bool IsKnownByTime(PlannerInfo *root, const RelOptInfo *rel, const Var *column, Oid ulid_timestamp);

/// Whether a table, which is another one than `relation`, may be found by a column that an
/// expression is made of: it has an index of the column or of expressions, or parts of its own, or
/// is another server's.
bool MayBeFoundBy(const PlannerInfo *root, Node *expression, Index relation);

} // namespace ulid
