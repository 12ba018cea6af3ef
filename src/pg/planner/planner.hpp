// Building blocks for rewritten conditions, shared by the files that the planner calls.
#pragma once

#include "pg/datum.hpp"
#include "pg/registry.hpp"

namespace ulid {

/// The operator of a btree strategy number between two values of `type`, in its default btree
/// operator family; InvalidOid if there is none.
inline Oid FindOrderOperator(Oid type, StrategyNumber strategy) {
    const Oid family = lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY)->btree_opf;
    return OidIsValid(family)
               ? get_opfamily_member(family, type, type, static_cast<int16>(strategy))
               : InvalidOid;
}

inline Node *Argument(const List *arguments, int index) {
    return static_cast<Node *>(list_nth(arguments, index));
}

/// The arguments of the operator or the function that a planner support request is about.
inline const List *ArgumentsOf(Node *condition) {
    return IsA(condition, OpExpr) ? reinterpret_cast<OpExpr *>(condition)->args
                                  : castNode(FuncExpr, condition)->args;
}

/// Answers a planner support request that one of two functions takes: by the expression that a call
/// can be simplified to, or by the conditions that an index can use. Null where there is nothing to
/// say, and for every other request.
inline Datum AnswerSupportRequest(FunctionCallInfo fcinfo,
                                  Node *(*simplify)(const SupportRequestSimplify &),
                                  List *(*make_index_conditions)(SupportRequestIndexCondition &)) {
    auto *const request = reinterpret_cast<Node *>(PG_GETARG_POINTER(0));
    void *answer = nullptr;
    if (IsA(request, SupportRequestSimplify))
        answer = simplify(*reinterpret_cast<SupportRequestSimplify *>(request));
    else if (IsA(request, SupportRequestIndexCondition))
        answer = make_index_conditions(*reinterpret_cast<SupportRequestIndexCondition *>(request));
    PG_RETURN_POINTER(answer);
}

/// What an expression is beneath its labels of type.
inline Node *Unlabelled(Node *node) {
    while (IsA(node, RelabelType))
        node = reinterpret_cast<Node *>(reinterpret_cast<RelabelType *>(node)->arg);
    return node;
}

/// left `operator_id` right, both of a type without collation.
inline Expr *MakeCondition(Oid operator_id, Node *left, Node *right) {
    Expr *const condition =
        make_opclause(operator_id, BOOLOID, false, reinterpret_cast<Expr *>(left),
                      reinterpret_cast<Expr *>(right), InvalidOid, InvalidOid);
    set_opfuncid(reinterpret_cast<OpExpr *>(condition));
    return condition;
}

/// A comparison of ulids as the planner would simplify it, had it been written so: one of a uuid
/// column becomes the server's own.
inline Node *MakeSimpleCondition(PlannerInfo *root, Oid operator_id, Node *left, Node *right) {
    Expr *const condition = MakeCondition(operator_id, left, right);
    // Beneath a label only is there a uuid.
    if (!IsA(left, RelabelType))
        return reinterpret_cast<Node *>(condition);
    return eval_const_expressions(root, reinterpret_cast<Node *>(condition));
}

inline Node *MakeCall(Oid function, Oid result_type, Node *argument) {
    return reinterpret_cast<Node *>(makeFuncExpr(function, result_type, list_make1(argument),
                                                 InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL));
}

/// `function`, which is strict and immutable, of `argument`: a Const where that is one. Otherwise a
/// call, which any role may come to run, as a plan may be kept: null where not every role may.
inline Node *MakeBound(Function function, Oid ulid_type, Node *argument) {
    const Oid oid = FindFunction(function);
    if (!OidIsValid(oid))
        return nullptr;
    if (!IsA(argument, Const))
        return IsExecutableByPublic(oid) ? MakeCall(oid, ulid_type, argument) : nullptr;
    const auto &constant = *reinterpret_cast<Const *>(argument);
    bool is_null = constant.constisnull;
    Datum bound = 0;
    if (!is_null) {
        FmgrInfo info;
        fmgr_info(oid, &info);
        LOCAL_FCINFO(call, 1);
        InitFunctionCallInfoData(*call, &info, 1, InvalidOid, nullptr, nullptr);
        call->args[0].value = constant.constvalue;
        call->args[0].isnull = false;
        bound = FunctionCallInvoke(call);
        is_null = call->isnull;
    }
    return reinterpret_cast<Node *>(
        makeConst(ulid_type, -1, InvalidOid, sizeof(Ulid), is_null ? 0 : bound, is_null, false));
}

inline bool IsNullConst(Node *node) {
    return IsA(node, Const) && reinterpret_cast<Const *>(node)->constisnull;
}

inline bool IsConstUlid(Node *bound, const Ulid &ulid) {
    return IsA(bound, Const) && !IsNullConst(bound) &&
           DatumGetUlid(reinterpret_cast<Const *>(bound)->constvalue) == ulid;
}

/// The conditions `ulid >= first(argument)` and `ulid <= last(argument)`; `ulid =` where these are
/// the same; NIL where a function may not be used. Leaves a condition out that every ULID meets,
/// but never both: a NULL ulid meets none.
inline List *MakeBetween(PlannerInfo *root, Node *ulid, Function first_function,
                         Function last_function, Node *argument) {
    const Oid type = exprType(ulid);
    const Oid not_before = FindOrderOperator(type, BTGreaterEqualStrategyNumber);
    const Oid not_after = FindOrderOperator(type, BTLessEqualStrategyNumber);
    const Oid equal = FindOrderOperator(type, BTEqualStrategyNumber);
    Node *const first = MakeBound(first_function, type, argument);
    Node *const last = MakeBound(last_function, type, argument);
    if (!first || !last || !OidIsValid(not_before) || !OidIsValid(not_after) || !OidIsValid(equal))
        return NIL;
    if (IsA(first, Const) && !IsNullConst(first) &&
        IsConstUlid(last, DatumGetUlid(reinterpret_cast<Const *>(first)->constvalue)))
        return list_make1(MakeSimpleCondition(root, equal, ulid, first));
    List *conditions = NIL;
    if (!IsConstUlid(first, kLeast))
        conditions = lappend(conditions, MakeSimpleCondition(root, not_before, ulid, first));
    if (!IsConstUlid(last, kGreatest) || conditions == NIL)
        conditions = lappend(conditions, MakeSimpleCondition(root, not_after, ulid, last));
    return conditions;
}

/// All of `conditions`; null if there are none.
inline Node *MakeAnd(List *conditions) {
    return conditions == NIL ? nullptr : reinterpret_cast<Node *>(make_ands_explicit(conditions));
}

/// `conditions`, or NIL where an index of the operator family does not know one of them.
inline List *IfInFamily(Oid family, List *conditions) {
    ListCell *cell;
    foreach (cell, conditions)
        if (!op_in_opfamily(lfirst_node(OpExpr, cell)->opno, family))
            return NIL;
    return conditions;
}

/// Whether an expression may stand twice where it stood once: the limit that the server sets when
/// it inlines a function (inline_function).
inline bool IsDuplicable(PlannerInfo *root, Node *expression) {
    if (IsA(expression, Const) || IsA(expression, Var))
        return true;
    if (contain_volatile_functions(expression) || contain_subplans(expression))
        return false;
    QualCost cost;
    cost_qual_eval_node(&cost, expression, root);
    return cost.startup + cost.per_tuple <= 10 * cpu_operator_cost;
}

/// An index of ulid_uuid_ops over a ulid column, which is what a change of the column's type makes
/// of it, is in the order of ulids. The planner takes the order of an index for that of its class's
/// type, uuid, for which a query of ulids does not ask: this tells it of the relation's indexes.
void OrderIndexesByColumn(PlannerInfo *root, RelOptInfo *rel);

} // namespace ulid
