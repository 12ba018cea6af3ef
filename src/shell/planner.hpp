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

} // namespace ulid
