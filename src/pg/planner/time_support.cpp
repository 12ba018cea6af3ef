// Planner support of the time conditions: rewrites each into the plain comparison of ULIDs with
// the bound of the time, so that indexes, partitions, constraints and statistics apply.
#include "pg/planner/planner.hpp"
#include "pg/time.hpp"

namespace ulid {

namespace {

/// A comparison with a time, as `ulid strategy bound(time)`.
struct Comparison {
    Function function;
    int ulid_index;
    StrategyNumber strategy;
    Function bound;
};
static_assert(kMayBeJumpedOver<Comparison>);

constexpr Comparison kComparisons[] = {
    {Function::ulid_lt_timestamptz, 0, BTLessStrategyNumber, Function::ulid_lower_bound},
    {Function::ulid_le_timestamptz, 0, BTLessStrategyNumber, Function::ulid_upper_bound},
    {Function::ulid_ge_timestamptz, 0, BTGreaterEqualStrategyNumber, Function::ulid_lower_bound},
    {Function::ulid_gt_timestamptz, 0, BTGreaterEqualStrategyNumber, Function::ulid_upper_bound},
    {Function::timestamptz_gt_ulid, 1, BTLessStrategyNumber, Function::ulid_lower_bound},
    {Function::timestamptz_ge_ulid, 1, BTLessStrategyNumber, Function::ulid_upper_bound},
    {Function::timestamptz_le_ulid, 1, BTGreaterEqualStrategyNumber, Function::ulid_lower_bound},
    {Function::timestamptz_lt_ulid, 1, BTGreaterEqualStrategyNumber, Function::ulid_upper_bound},
};

/// A test for being in a range or a multirange.
struct Containment {
    Function function;
    int ulid_index;
    bool is_multirange;
    Function first, last;
    Oid server_operator;
};
static_assert(kMayBeJumpedOver<Containment>);

constexpr Containment kContainments[] = {
    {Function::ulid_contained_by_range, 0, false, Function::ulid_planner_range_lower,
     Function::ulid_planner_range_upper, OID_RANGE_ELEM_CONTAINED_OP},
    {Function::range_contains_ulid, 1, false, Function::ulid_planner_range_lower,
     Function::ulid_planner_range_upper, OID_RANGE_CONTAINS_ELEM_OP},
    {Function::ulid_contained_by_multirange, 0, true, Function::ulid_planner_multirange_lower,
     Function::ulid_planner_multirange_upper, OID_MULTIRANGE_ELEM_CONTAINED_OP},
    {Function::multirange_contains_ulid, 1, true, Function::ulid_planner_multirange_lower,
     Function::ulid_planner_multirange_upper, OID_MULTIRANGE_CONTAINS_ELEM_OP},
};

template <typename Entry, std::size_t kSize>
const Entry *Find(const Entry (&entries)[kSize], Function function) {
    for (const Entry &entry : entries)
        if (entry.function == function)
            return &entry;
    return nullptr;
}

Node *SimplifyComparison(PlannerInfo *root, const FuncExpr *call, const Comparison &comparison) {
    Node *const ulid = Argument(call->args, comparison.ulid_index);
    const Oid type = exprType(ulid);
    const Oid comparator = FindOrderOperator(type, comparison.strategy);
    Node *const bound =
        MakeBound(comparison.bound, type, Argument(call->args, 1 - comparison.ulid_index));
    return bound && OidIsValid(comparator) ? MakeSimpleCondition(root, comparator, ulid, bound)
                                           : nullptr;
}

/// The type of the ranges that a range or a multirange is or holds.
const TypeCacheEntry *RangeTypeOf(Node *range) {
    const Oid type = exprType(range);
    const Oid range_of_multirange = get_multirange_range(type);
    return lookup_type_cache(OidIsValid(range_of_multirange) ? range_of_multirange : type,
                             TYPECACHE_RANGE_INFO);
}

/// The conditions `ulid >= first(range)` and `ulid <= last(range)`, or NIL.
List *MakeRangeConditions(PlannerInfo *root, const Containment &containment, Node *ulid,
                          Node *range) {
    if (!HoldsTimes(RangeTypeOf(range)) || IsNullConst(range))
        return NIL;
    return MakeBetween(root, ulid, containment.first, containment.last, range);
}

/// Whether the first and the last ULID say all of a range or multirange.
bool IsItsSpan(const Containment &containment, Node *range) {
    return !containment.is_multirange ||
           (IsA(range, Const) && !IsNullConst(range) &&
            DatumGetMultirangeTypeP(reinterpret_cast<Const *>(range)->constvalue)->rangeCount <= 1);
}

/// The condition by the server's own operator, for a range of ulids: its indexes know that one.
Node *ServerCondition(PlannerInfo *root, const Containment &containment, Node *ulid, Node *range,
                      Oid element_type) {
    // The range may be of a domain over ulid.
    Node *const element =
        applyRelabelType(ulid, element_type, -1, InvalidOid, COERCE_IMPLICIT_CAST, -1, false);
    return containment.ulid_index == 0
               ? MakeSimpleCondition(root, containment.server_operator, element, range)
               : MakeSimpleCondition(root, containment.server_operator, range, element);
}

Node *SimplifyContainment(PlannerInfo *root, const FuncExpr *call, const Containment &containment) {
    Node *const ulid = Argument(call->args, containment.ulid_index);
    Node *const range = Argument(call->args, 1 - containment.ulid_index);
    if (const TypeCacheEntry *const type = RangeTypeOf(range); !HoldsTimes(type)) {
        if (!HoldsUlids(type, exprType(ulid)))
            ReportOtherRange(exprType(range));
        return ServerCondition(root, containment, ulid, range, type->rngelemtype->type_id);
    }
    if (!IsDuplicable(root, ulid) || !IsDuplicable(root, range))
        return nullptr;
    List *conditions = MakeRangeConditions(root, containment, ulid, range);
    if (conditions == NIL)
        return nullptr;
    // The span of a multirange, for indexes and partitions, and then the multirange itself: by
    // another function, so that to simplify again what was simplified changes nothing.
    if (!IsItsSpan(containment, range)) {
        const Oid check = FindFunction(Function::ulid_planner_in_multirange);
        if (!OidIsValid(check) || !IsExecutableByPublic(check))
            return nullptr;
        conditions =
            lappend(conditions, makeFuncExpr(check, BOOLOID, list_make2(ulid, range), InvalidOid,
                                             InvalidOid, COERCE_EXPLICIT_CALL));
    }
    return MakeAnd(conditions);
}

Node *Simplify(const SupportRequestSimplify &request) {
    const Function function = FunctionOf(request.fcall->funcid);
    if (const Comparison *const comparison = Find(kComparisons, function))
        return SimplifyComparison(request.root, request.fcall, *comparison);
    if (const Containment *const containment = Find(kContainments, function))
        return SimplifyContainment(request.root, request.fcall, *containment);
    return nullptr;
}

/// Conditions on the ends of a range for an index that can use them, where it was not simplified as
/// it should not stand twice. In a multirange the index finds more than is asked for, and the
/// multirange is checked again.
List *MakeIndexConditions(SupportRequestIndexCondition &request) {
    const Containment *const containment = Find(kContainments, FunctionOf(request.funcid));
    if (!containment || containment->ulid_index != request.indexarg)
        return NIL;
    const List *const arguments = ArgumentsOf(request.node);
    Node *const range = Argument(arguments, 1 - request.indexarg);
    if (!is_pseudo_constant_for_index(request.root, range, request.index))
        return NIL;
    request.lossy = !IsItsSpan(*containment, range);
    return IfInFamily(request.opfamily,
                      MakeRangeConditions(request.root, *containment,
                                          Argument(arguments, request.indexarg), range));
}

} // namespace

extern "C" {

/// Planner support of the comparisons and range tests of a ULID with times.
PG_FUNCTION_INFO_V1(ulid_time_support);
Datum ulid_time_support(PG_FUNCTION_ARGS) {
    auto *const request = reinterpret_cast<Node *>(PG_GETARG_POINTER(0));
    // ulid_planner_in_multirange stands beside the conditions on the span, which are estimated.
    if (IsA(request, SupportRequestSelectivity)) {
        auto &selectivity = *reinterpret_cast<SupportRequestSelectivity *>(request);
        selectivity.selectivity = 1;
        if (FunctionOf(selectivity.funcid) == Function::ulid_planner_in_multirange)
            PG_RETURN_POINTER(request);
    }
    return AnswerSupportRequest(fcinfo, Simplify, MakeIndexConditions);
}

} // extern "C"

} // namespace ulid
