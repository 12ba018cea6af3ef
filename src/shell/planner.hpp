// What rewritten conditions are made of: for the files that speak to the planner.
#pragma once

#include "shell/datum.hpp"

namespace ulid {

/// The function called `name` with one argument of `argument_type` in the schema of `function`, a
/// function of this extension; InvalidOid where it is not there. Asks the catalog alone: neither
/// search_path nor a missing USAGE on the schema matters to a condition that is already parsed.
inline Oid FindFunctionBeside(Oid function, const char *name, Oid argument_type) {
    return GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid, CStringGetDatum(name),
                           PointerGetDatum(buildoidvector(&argument_type, 1)),
                           ObjectIdGetDatum(get_func_namespace(function)));
}

/// The operator of a btree strategy number between two values of `type`, in its default btree
/// operator family; InvalidOid where there is none.
inline Oid FindOrderOperator(Oid type, StrategyNumber strategy) {
    const Oid family = lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY)->btree_opf;
    return OidIsValid(family)
               ? get_opfamily_member(family, type, type, static_cast<int16>(strategy))
               : InvalidOid;
}

/// The arguments of the operator or the function that a planner support request is about.
inline const List *ArgumentsOf(Node *condition) {
    return IsA(condition, OpExpr) ? reinterpret_cast<OpExpr *>(condition)->args
                                  : castNode(FuncExpr, condition)->args;
}

/// left `operator_id` right, both of a type without collation.
inline Expr *MakeCondition(Oid operator_id, Node *left, Node *right) {
    Expr *const condition =
        make_opclause(operator_id, BOOLOID, false, reinterpret_cast<Expr *>(left),
                      reinterpret_cast<Expr *>(right), InvalidOid, InvalidOid);
    set_opfuncid(reinterpret_cast<OpExpr *>(condition));
    return condition;
}

inline Node *MakeCall(Oid function, Oid result_type, Node *argument) {
    return reinterpret_cast<Node *>(makeFuncExpr(function, result_type, list_make1(argument),
                                                 InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL));
}

/// Whether an expression may stand twice where it stood once: the limit that the server sets when
/// it inlines a function (inline_function).
inline bool IsDuplicable(PlannerInfo *root, Node *expression) {
    if (contain_volatile_functions(expression) || contain_subplans(expression))
        return false;
    QualCost cost;
    cost_qual_eval_node(&cost, expression, root);
    return cost.startup + cost.per_tuple <= 10 * cpu_operator_cost;
}

/// `function` of `argument`, a Const where that is one. The function is strict and never gives
/// NULL.
inline Node *MakeBound(Oid function, Oid ulid_type, Node *argument) {
    if (!IsA(argument, Const) || reinterpret_cast<Const *>(argument)->constisnull)
        return MakeCall(function, ulid_type, argument);
    const Datum bound = OidFunctionCall1(function, reinterpret_cast<Const *>(argument)->constvalue);
    return reinterpret_cast<Node *>(
        makeConst(ulid_type, -1, InvalidOid, sizeof(Ulid), bound, false, false));
}

inline bool IsConstUlid(Node *bound, const Ulid &ulid) {
    return IsA(bound, Const) && DatumGetUlid(reinterpret_cast<Const *>(bound)->constvalue) == ulid;
}

/// A comparison of ulids as the planner would simplify it, had it been written so: one of a uuid
/// column becomes the server's own.
inline Node *Simplified(PlannerInfo *root, Expr *condition) {
    auto *const comparison = castNode(OpExpr, condition);
    if (const Oid support = get_func_support(comparison->opfuncid); OidIsValid(support)) {
        SupportRequestSimplify request{};
        request.type = T_SupportRequestSimplify;
        request.root = root;
        request.fcall = makeFuncExpr(comparison->opfuncid, BOOLOID, comparison->args, InvalidOid,
                                     InvalidOid, COERCE_EXPLICIT_CALL);
        if (const Datum simpler = OidFunctionCall1(support, PointerGetDatum(&request)))
            return reinterpret_cast<Node *>(DatumGetPointer(simpler));
    }
    return reinterpret_cast<Node *>(condition);
}

/// The conditions `ulid >= first(argument)` and `ulid <= last(argument)`; `ulid =` where these are
/// the same; NIL where a function is not there. Leaves a condition out that every ULID meets, but
/// never both: a NULL ulid meets none.
inline List *MakeBetween(Node *ulid, Oid ulid_type, Oid first_function, Oid last_function,
                         Node *argument) {
    const Oid not_before = FindOrderOperator(ulid_type, BTGreaterEqualStrategyNumber);
    const Oid not_after = FindOrderOperator(ulid_type, BTLessEqualStrategyNumber);
    const Oid equal = FindOrderOperator(ulid_type, BTEqualStrategyNumber);
    if (!OidIsValid(first_function) || !OidIsValid(last_function) || !OidIsValid(not_before) ||
        !OidIsValid(not_after) || !OidIsValid(equal))
        return NIL;
    Node *const first = MakeBound(first_function, ulid_type, argument);
    Node *const last = MakeBound(last_function, ulid_type, argument);
    if (IsA(first, Const) &&
        IsConstUlid(last, DatumGetUlid(reinterpret_cast<Const *>(first)->constvalue)))
        return list_make1(MakeCondition(equal, ulid, first));
    List *conditions = NIL;
    if (!IsConstUlid(first, kLeast))
        conditions = lappend(conditions, MakeCondition(not_before, ulid, first));
    if (!IsConstUlid(last, kGreatest) || conditions == NIL)
        conditions = lappend(conditions, MakeCondition(not_after, ulid, last));
    return conditions;
}

/// All of `conditions`, each Simplified; null where there is none.
inline Node *SimplifiedAnd(PlannerInfo *root, List *conditions) {
    ListCell *cell;
    foreach (cell, conditions)
        lfirst(cell) = Simplified(root, static_cast<Expr *>(lfirst(cell)));
    if (list_length(conditions) < 2)
        return conditions == NIL ? nullptr : static_cast<Node *>(linitial(conditions));
    return reinterpret_cast<Node *>(makeBoolExpr(AND_EXPR, conditions, -1));
}

/// `conditions`, or NIL where an index of the operator family does not know one of them.
inline List *IfInFamily(Oid family, List *conditions) {
    ListCell *cell;
    foreach (cell, conditions)
        if (!op_in_opfamily(lfirst_node(OpExpr, cell)->opno, family))
            return NIL;
    return conditions;
}

} // namespace ulid
