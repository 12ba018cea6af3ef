// Statistics of the times of a column of ulids, computed from those of the ulids.
#pragma once

#include "pg/datum.hpp"

namespace ulid {

/// Has the planner look for statistics of expressions, ulid_timestamp of columns of `rel`, where it
/// finds those made here.
void AddTimeStatistics(RelOptInfo *rel, List *expressions);

/// Whether an index of a relation is not a real one but stands for such statistics.
bool IsTimeStatistics(const IndexOptInfo *index);

/// The expressions that a relation has such statistics of.
List *TimesWithStatistics(const RelOptInfo *rel);

/// The part of the rows of a column of ulids whose time equals one that the planner does not know.
double EqualTimePart(VariableStatData &column);

} // namespace ulid
