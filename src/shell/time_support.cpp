// Planner support of the time conditions: rewrites each into the plain comparison of ULIDs with
// the bound of the time, so that indexes, partitions, constraints and statistics apply.
#include "shell/planner.hpp"
#include "shell/time.hpp"

using namespace ulid;

namespace {

/// A comparison with a time, as `ulid strategy bound(time)`.
struct Comparison {
    PGFunction function;
    int ulid_index;
    StrategyNumber strategy;
    const char *bound;
};

constexpr char kLowerBound[] = "ulid_lower_bound", kUpperBound[] = "ulid_upper_bound";

constexpr Comparison kComparisons[] = {
    {ulid_lt_timestamptz, 0, BTLessStrategyNumber, kLowerBound},
    {ulid_le_timestamptz, 0, BTLessStrategyNumber, kUpperBound},
    {ulid_ge_timestamptz, 0, BTGreaterEqualStrategyNumber, kLowerBound},
    {ulid_gt_timestamptz, 0, BTGreaterEqualStrategyNumber, kUpperBound},
    {timestamptz_gt_ulid, 1, BTLessStrategyNumber, kLowerBound},
    {timestamptz_ge_ulid, 1, BTLessStrategyNumber, kUpperBound},
    {timestamptz_le_ulid, 1, BTGreaterEqualStrategyNumber, kLowerBound},
    {timestamptz_lt_ulid, 1, BTGreaterEqualStrategyNumber, kUpperBound},
};

/// A test for being in a range or a multirange.
struct Containment {
    PGFunction function;
    int ulid_index;
    bool is_exact; ///< whether the first and the last ULID say all
    Oid server_operator;
};

constexpr Containment kContainments[] = {
    {ulid_contained_by_range, 0, true, OID_RANGE_ELEM_CONTAINED_OP},
    {range_contains_ulid, 1, true, OID_RANGE_CONTAINS_ELEM_OP},
    {ulid_contained_by_multirange, 0, false, OID_MULTIRANGE_ELEM_CONTAINED_OP},
    {multirange_contains_ulid, 1, false, OID_MULTIRANGE_CONTAINS_ELEM_OP},
};

/// The entry for an SQL function, found by its C function, whatever its name in SQL is now.
template <typename Entry, std::size_t kSize>
const Entry *Find(const Entry (&entries)[kSize], Oid function) {
    FmgrInfo info;
    fmgr_info(function, &info);
    for (const Entry &entry : entries)
        if (entry.function == info.fn_addr)
            return &entry;
    return nullptr;
}

Node *Argument(const List *arguments, int index) {
    return static_cast<Node *>(list_nth(arguments, index));
}

/// The types of the two arguments of a time condition.
struct ArgumentTypes {
    Oid ulid, time;

    ArgumentTypes(Oid function, int ulid_index) {
        Oid *types;
        int count;
        get_func_signature(function, &types, &count);
        ulid = types[ulid_index];
        time = types[1 - ulid_index];
    }
};

Node *SimplifyComparison(PlannerInfo *root, const FuncExpr *call, const Comparison &comparison) {
    const ArgumentTypes types{call->funcid, comparison.ulid_index};
    const Oid bound = FindFunctionBeside(call->funcid, comparison.bound, types.time);
    const Oid comparator = FindOrderOperator(types.ulid, comparison.strategy);
    if (!OidIsValid(bound) || !OidIsValid(comparator))
        return nullptr;
    return Simplified(root,
                      MakeCondition(comparator, Argument(call->args, comparison.ulid_index),
                                    MakeBound(bound, types.ulid,
                                              Argument(call->args, 1 - comparison.ulid_index))));
}

/// The type of the ranges that a range or a multirange is or holds.
const TypeCacheEntry *RangeTypeOf(Node *range) {
    const Oid type = exprType(range);
    const Oid range_of_multirange = get_multirange_range(type);
    return lookup_type_cache(OidIsValid(range_of_multirange) ? range_of_multirange : type,
                             TYPECACHE_RANGE_INFO);
}

/// The conditions `ulid >= first(range)` and `ulid <= last(range)`, or NIL.
List *MakeRangeConditions(Oid function, int ulid_index, Node *ulid, Node *range) {
    if (!HoldsTimes(RangeTypeOf(range)))
        return NIL;
    const ArgumentTypes types{function, ulid_index};
    return MakeBetween(ulid, types.ulid,
                       FindFunctionBeside(function, "ulid_range_first", types.time),
                       FindFunctionBeside(function, "ulid_range_last", types.time), range);
}

/// The condition by the server's own operator, for a range of ulids: its indexes know that one.
Node *ServerCondition(PlannerInfo *root, const Containment &containment, Node *ulid, Node *range,
                      Oid element_type) {
    // The range may be of a domain over ulid.
    Node *const element =
        applyRelabelType(ulid, element_type, -1, InvalidOid, COERCE_IMPLICIT_CAST, -1, false);
    return Simplified(root, containment.ulid_index == 0
                                ? MakeCondition(containment.server_operator, element, range)
                                : MakeCondition(containment.server_operator, range, element));
}

Node *SimplifyContainment(PlannerInfo *root, const FuncExpr *call, const Containment &containment) {
    Node *const ulid = Argument(call->args, containment.ulid_index);
    Node *const range = Argument(call->args, 1 - containment.ulid_index);
    if (const TypeCacheEntry *const type = RangeTypeOf(range); !HoldsTimes(type)) {
        if (!HoldsUlids(type, ArgumentTypes{call->funcid, containment.ulid_index}.ulid))
            ReportOtherRange(exprType(range));
        return ServerCondition(root, containment, ulid, range, type->rngelemtype->type_id);
    }
    if (!containment.is_exact || !IsDuplicable(root, ulid) || !IsDuplicable(root, range))
        return nullptr;
    return SimplifiedAnd(root,
                         MakeRangeConditions(call->funcid, containment.ulid_index, ulid, range));
}

Node *Simplify(const SupportRequestSimplify &request) {
    if (const Comparison *const comparison = Find(kComparisons, request.fcall->funcid))
        return SimplifyComparison(request.root, request.fcall, *comparison);
    if (const Containment *const containment = Find(kContainments, request.fcall->funcid))
        return SimplifyContainment(request.root, request.fcall, *containment);
    return nullptr;
}

/// Conditions on the ends of a multirange, for an index that can use them: the index finds more
/// than is asked for, and the multirange is checked again.
List *MakeIndexConditions(SupportRequestIndexCondition &request) {
    const Containment *const containment = Find(kContainments, request.funcid);
    if (!containment || containment->ulid_index != request.indexarg)
        return NIL;
    const List *const arguments = ArgumentsOf(request.node);
    Node *const range = Argument(arguments, 1 - request.indexarg);
    if (!is_pseudo_constant_for_index(request.root, range, request.index))
        return NIL;
    request.lossy = !containment->is_exact;
    return IfInFamily(request.opfamily,
                      MakeRangeConditions(request.funcid, request.indexarg,
                                          Argument(arguments, request.indexarg), range));
}

} // namespace

extern "C" {

/// Planner support of the comparisons and range tests of a ULID with times.
PG_FUNCTION_INFO_V1(ulid_time_support);
Datum ulid_time_support(PG_FUNCTION_ARGS) {
    auto *const request = reinterpret_cast<Node *>(PG_GETARG_POINTER(0));
    if (IsA(request, SupportRequestSimplify))
        PG_RETURN_POINTER(Simplify(*reinterpret_cast<SupportRequestSimplify *>(request)));
    if (IsA(request, SupportRequestIndexCondition))
        PG_RETURN_POINTER(
            MakeIndexConditions(*reinterpret_cast<SupportRequestIndexCondition *>(request)));
    PG_RETURN_POINTER(static_cast<Node *>(nullptr));
}

} // extern "C"
