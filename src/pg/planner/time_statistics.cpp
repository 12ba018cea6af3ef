// Statistics of the times of a column of ulids, computed from those of the ulids. With them
// t = id::timestamptz, which is not rewritten because hash and merge joins need it as it is, and
// GROUP BY id::timestamptz are estimated as on a timestamptz column.
//
// The planner looks for statistics of an expression in the indexes that have it (examine_variable,
// selfuncs.c), and calls a hook there. So a relation gets an entry that looks like an index with
// the expression as an included column. It has no key, so it is not unique, has no order and
// matches no condition. Its predicate is false, so it is not considered for a query that needs no
// column either.
#include "pg/planner/time_statistics.hpp"

#include "pg/module.hpp"
#include "pg/planner/planner.hpp"
#include "pg/planner/statistics.hpp"

namespace ulid {

namespace {

/// The index's oid: of one that is always there, because some look up its name (pg_hint_plan does),
/// that has no expressions, and no statistics that could be taken for those of this one.
constexpr Oid kStandIn = ClassOidIndexId;

get_index_stats_hook_type previous_statistics_hook = nullptr;

/// How many times there are among the ulids of a column. Ids that were made in a hurry share
/// milliseconds.
double CountTimes(VariableStatData &column) {
    bool is_default;
    const double ids = get_variable_numdistinct(&column, &is_default);
    AttStatsSlot slot;
    if (is_default || !HeapTupleIsValid(column.statsTuple))
        return ids;
    double common = 0;
    if (get_attstatsslot(&slot, column.statsTuple, STATISTIC_KIND_MCV, InvalidOid,
                         ATTSTATSSLOT_NUMBERS)) {
        common = slot.nnumbers;
        free_attstatsslot(&slot);
    }
    if (!get_attstatsslot(&slot, column.statsTuple, STATISTIC_KIND_HISTOGRAM, InvalidOid,
                          ATTSTATSSLOT_VALUES))
        return ids;
    double times = ids;
    if (slot.nvalues > 1 && HoldsUlids(slot))
        times = common + HistogramOf(slot).CountMilliseconds(Max(0, ids - common));
    free_attstatsslot(&slot);
    return Min(times, ids);
}

/// The times of the ulids that a kind of statistics has, as an array; null if it has none.
ArrayType *TimesOf(HeapTuple statistics, int kind) {
    AttStatsSlot slot;
    if (!get_attstatsslot(&slot, statistics, kind, InvalidOid, ATTSTATSSLOT_VALUES))
        return nullptr;
    ArrayType *result = nullptr;
    if (HoldsUlids(slot)) {
        auto *const times = static_cast<Datum *>(palloc(slot.nvalues * sizeof(Datum)));
        for (int i = 0; i < slot.nvalues; ++i)
            times[i] = TimestampTzGetDatum(MicrosecondsOf(DatumGetUlid(slot.values[i])));
        result = construct_array(times, slot.nvalues, TIMESTAMPTZOID, sizeof(TimestampTz),
                                 FLOAT8PASSBYVAL, TYPALIGN_DOUBLE);
    }
    free_attstatsslot(&slot);
    return result;
}

/// A row of pg_statistic on the times, made from that on the ulids, which are in the same order.
HeapTuple MakeTimeStatistics(VariableStatData &column) {
    const Relation catalog = table_open(StatisticRelationId, AccessShareLock);
    const TupleDesc description = RelationGetDescr(catalog);
    Datum values[Natts_pg_statistic];
    bool nulls[Natts_pg_statistic];
    heap_deform_tuple(column.statsTuple, description, values, nulls);
    values[Anum_pg_statistic_stawidth - 1] = Int32GetDatum(sizeof(TimestampTz));
    values[Anum_pg_statistic_stadistinct - 1] =
        Float4GetDatum(static_cast<float>(CountTimes(column)));
    for (int i = 0; i < STATISTIC_NUM_SLOTS; ++i) {
        Datum &kind = values[Anum_pg_statistic_stakind1 - 1 + i];
        Datum &comparison = values[Anum_pg_statistic_staop1 - 1 + i];
        const int numbers = Anum_pg_statistic_stanumbers1 - 1 + i;
        const int times = Anum_pg_statistic_stavalues1 - 1 + i;
        ArrayType *array = nullptr;
        bool is_known = false;
        switch (DatumGetInt16(kind)) {
        case STATISTIC_KIND_MCV:
        case STATISTIC_KIND_HISTOGRAM:
            array = TimesOf(column.statsTuple, DatumGetInt16(kind));
            is_known = array;
            break;
        case STATISTIC_KIND_CORRELATION:
            is_known = true;
            break;
        }
        comparison =
            ObjectIdGetDatum(!is_known ? InvalidOid
                             : DatumGetInt16(kind) == STATISTIC_KIND_MCV
                                 ? FindOrderOperator(TIMESTAMPTZOID, BTEqualStrategyNumber)
                                 : FindOrderOperator(TIMESTAMPTZOID, BTLessStrategyNumber));
        values[times] = PointerGetDatum(array);
        nulls[times] = !array;
        if (!is_known) {
            kind = Int16GetDatum(0);
            nulls[numbers] = true;
        }
    }
    const HeapTuple result = heap_form_tuple(description, values, nulls);
    table_close(catalog, AccessShareLock);
    return result;
}

/// The statistics of the times of a column, once they have been asked for.
struct Known {
    HeapTuple statistics;
    double rows; ///< of the table, which is part of them
};
static_assert(kMayBeJumpedOver<Known>);

/// What reads as an index, and what is known of its expressions: a query of several joins is
/// planned by asking for the same statistics a thousand times.
struct TimeIndex {
    IndexOptInfo index;
    Known *known;
};
static_assert(kMayBeJumpedOver<TimeIndex>);

const TimeIndex *FindTimeIndex(const RelOptInfo *rel) {
    ListCell *cell;
    foreach (cell, rel->indexlist)
        if (IsTimeStatistics(lfirst_node(IndexOptInfo, cell)))
            return static_cast<const TimeIndex *>(lfirst(cell));
    return nullptr;
}

/// Where the statistics of the times of a column are kept; null if nowhere.
Known *FindKnown(const VariableStatData &column) {
    const TimeIndex *const times = FindTimeIndex(column.rel);
    if (!times)
        return nullptr;
    ListCell *cell;
    foreach (cell, times->index.indexprs)
        if (equal(Unlabelled(static_cast<Node *>(linitial(lfirst_node(FuncExpr, cell)->args))),
                  column.var))
            return &times->known[foreach_current_index(cell)];
    return nullptr;
}

HeapTuple TimeStatisticsOf(VariableStatData &column, Known &known) {
    if (!known.statistics || known.rows != column.rel->tuples) {
        // Not in that of a trial of joins by GEQO.
        const MemoryContext context = MemoryContextSwitchTo(GetMemoryChunkContext(column.rel));
        known = {MakeTimeStatistics(column), column.rel->tuples};
        MemoryContextSwitchTo(context);
    }
    return known.statistics;
}

/// They are kept, and go with the relation.
void KeepStatistics(HeapTuple) {}

/// The planner's hook for the statistics of an index's expression.
bool GiveTimeStatistics(PlannerInfo *root, Oid index, AttrNumber attribute,
                        VariableStatData *time) {
    if (index != kStandIn)
        return previous_statistics_hook && previous_statistics_hook(root, index, attribute, time);
    VariableStatData column;
    examine_variable(root, static_cast<Node *>(linitial(castNode(FuncExpr, time->var)->args)), 0,
                     &column);
    if (HeapTupleIsValid(column.statsTuple)) {
        time->statsTuple = TimeStatisticsOf(column, FindTimeIndex(time->rel)->known[attribute - 1]);
        time->freefunc = KeepStatistics;
        time->acl_ok = column.acl_ok;
    } else {
        time->isunique = column.isunique;
        time->acl_ok = true;
    }
    ReleaseVariableStats(column);
    return true;
}

} // namespace

void AddTimeStatistics(RelOptInfo *rel, List *expressions) {
    const int count = list_length(expressions);
    if (count == 0)
        return;
    auto *const added = reinterpret_cast<TimeIndex *>(newNode(sizeof(TimeIndex), T_IndexOptInfo));
    added->known = static_cast<Known *>(palloc0(count * sizeof(Known)));
    IndexOptInfo *const index = &added->index;
    index->indexoid = kStandIn;
    index->rel = rel;
    index->ncolumns = count;
    index->indexkeys = static_cast<int *>(palloc0(count * sizeof(int)));
    index->canreturn = static_cast<bool *>(palloc0(count * sizeof(bool)));
    index->indexprs = expressions;
    index->indpred = list_make1(makeBoolConst(false, false));
    index->hypothetical = true;
    rel->indexlist = lappend(rel->indexlist, index);
}

bool IsTimeStatistics(const IndexOptInfo *index) { return index->indexoid == kStandIn; }

List *TimesWithStatistics(const RelOptInfo *rel) {
    const TimeIndex *const times = FindTimeIndex(rel);
    return times ? times->index.indexprs : NIL;
}

double EqualTimePart(VariableStatData &column) {
    if (!HeapTupleIsValid(column.statsTuple))
        return 1 / Max(1, CountTimes(column));
    Known *const known = FindKnown(column);
    const double times =
        known ? reinterpret_cast<Form_pg_statistic>(GETSTRUCT(TimeStatisticsOf(column, *known)))
                    ->stadistinct
              : CountTimes(column);
    const double null_part =
        reinterpret_cast<Form_pg_statistic>(GETSTRUCT(column.statsTuple))->stanullfrac;
    return (1 - null_part) / Max(1, times);
}

void InstallTimeStatistics() {
    previous_statistics_hook = get_index_stats_hook;
    get_index_stats_hook = GiveTimeStatistics;
}

} // namespace ulid
