// Plans id::timestamptz >= t, where t contains no column of the query, as id >= t.
//
// The comparison of two times is the server's own operator, to which we cannot add planner support.
// So before the planner distributes the conditions of a query, this hook replaces the operator, in
// WHERE and JOIN, by the one that compares a ulid with a time. The planner then inlines that.
// Conditions keep the cast on foreign tables, and if the cast of the column is an index key, part of
// an index predicate or a partition key.
#include "pg/time.hpp"

extern "C" {
#include "access/stratnum.h"
#include "access/transam.h"
#include "catalog/pg_class.h"
#include "catalog/pg_operator.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/pathnodes.h"
#include "nodes/supportnodes.h"
#include "optimizer/pathnode.h"
#include "utils/date.h"
#include "utils/fmgroids.h"
#include "utils/guc.h"
#include "utils/syscache.h"
#include "utils/typcache.h"
}

namespace ulid {

namespace {

bool rewrite_time_casts = true;

/// The OID of the ulid_timestamp that this session last planned a call of; InvalidOid before that.
Oid ulid_timestamp_oid = InvalidOid;

decltype(relation_hook) previous_relation_hook = nullptr;

/// The argument of a call of ulid_timestamp; null for any other expression.
Node *UlidOf(Node *expression) {
    if (!IsA(expression, FuncExpr) || castNode(FuncExpr, expression)->funcid != ulid_timestamp_oid)
        return nullptr;
    return static_cast<Node *>(linitial(castNode(FuncExpr, expression)->args));
}

bool Contains(Node *node, void *expression) {
    return node && (equal(node, expression) || WalkExpression(node, Contains, expression));
}

/// Whether a table has an index or a partition key on the expression `time`, or a partial index whose
/// predicate contains it.
bool IsKeyedBy(const RelOptInfo *rel, Node *time) {
    ListCell *cell;
    foreach (cell, rel->indexlist) {
        const auto *const index = lfirst_node(IndexOptInfo, cell);
        if (list_member(index->indexprs, time) || Contains(reinterpret_cast<Node *>(index->indpred), time))
            return true;
    }
    for (int i = 0; rel->part_scheme && i < rel->part_scheme->partnatts; ++i)
        if (list_member(rel->partexprs[i], time))
            return true;
    return false;
}

bool IsColumnOf(const RelOptInfo *rel, Node *node) {
    while (IsA(node, RelabelType)) // a domain over ulid, or a uuid
        node = reinterpret_cast<Node *>(castNode(RelabelType, node)->arg);
    return IsA(node, Var) && static_cast<Index>(castNode(Var, node)->varno) == rel->relid;
}

/// Converts a date or a timestamp to timestamptz.
Node *ToTimestamptz(Node *time) {
    const Oid type = exprType(time);
    if (type == TIMESTAMPTZOID)
        return time;
    const Oid cast = type == DATEOID ? F_TIMESTAMPTZ_DATE : F_TIMESTAMPTZ_TIMESTAMP;
    return reinterpret_cast<Node *>(
        makeFuncExpr(cast, TIMESTAMPTZOID, list_make1(time), InvalidOid, InvalidOid, COERCE_IMPLICIT_CAST));
}

/// Whether the bound for a time is exact. Bounds saturate for times that no ULID can have, and a date or
/// timestamp there may fail to convert. The planner's estimate of the time decides; a margin in days
/// covers time zones.
bool IsInRange(PlannerInfo *root, Node *time) {
    Node *const value = estimate_expression_value(root, time);
    if (!IsA(value, Const))
        return exprType(time) == TIMESTAMPTZOID;
    const Const &constant = *castNode(Const, value);
    if (constant.constisnull)
        return false;
    constexpr std::int64_t kMargin = 8;
    const std::int64_t days = constant.consttype == DATEOID
                                  ? DatumGetDateADT(constant.constvalue)
                                  : DatumGetInt64(constant.constvalue) / USECS_PER_DAY;
    return days > kUnixEpoch / USECS_PER_DAY + kMargin && days < kLastMicrosecond / USECS_PER_DAY - kMargin;
}

/// `id < t` for `id::timestamptz < t` and the like; any other condition unchanged.
Node *RemoveCast(PlannerInfo *root, const RelOptInfo *rel, OpExpr *condition) {
    auto *const unchanged = reinterpret_cast<Node *>(condition);
    if (condition->opno >= FirstGenbkiObjectId || list_length(condition->args) != 2)
        return unchanged;
    auto *const left = static_cast<Node *>(linitial(condition->args));
    auto *const right = static_cast<Node *>(lsecond(condition->args));
    const bool is_on_left = UlidOf(left) != nullptr;
    Node *const ulid = is_on_left ? UlidOf(left) : UlidOf(right);
    Node *const time = is_on_left ? right : left;
    if (!ulid || !IsColumnOf(rel, ulid) || contain_var_clause(time) || contain_volatile_functions(time))
        return unchanged;
    const Oid times = lookup_type_cache(TIMESTAMPTZOID, TYPECACHE_BTREE_OPFAMILY)->btree_opf;
    const int strategy = get_op_opfamily_strategy(condition->opno, times);
    if (strategy == InvalidStrategy || strategy == BTEqualStrategyNumber || !IsInRange(root, time) ||
        IsKeyedBy(rel, is_on_left ? left : right))
        return unchanged;
    const Oid type = getBaseType(exprType(ulid)); // a domain uses the operators of its base type
    // A lookup by name would need USAGE on the schema, but the condition may come from a view.
    const Oid comparison =
        GetSysCacheOid4(OPERNAMENSP, Anum_pg_operator_oid, CStringGetDatum(get_opname(condition->opno)),
                        ObjectIdGetDatum(is_on_left ? type : TIMESTAMPTZOID),
                        ObjectIdGetDatum(is_on_left ? TIMESTAMPTZOID : type),
                        ObjectIdGetDatum(get_func_namespace(ulid_timestamp_oid)));
    // A role that may not call both functions must get the same error as without this hook.
    if (!OidIsValid(comparison) || !MayExecute(get_opcode(comparison)) || !MayExecute(ulid_timestamp_oid))
        return unchanged;
    auto *const converted = reinterpret_cast<Expr *>(ToTimestamptz(time));
    auto *const column = reinterpret_cast<Expr *>(
        applyRelabelType(ulid, type, -1, InvalidOid, COERCE_IMPLICIT_CAST, -1, false));
    return eval_const_expressions(root, reinterpret_cast<Node *>(make_opclause(
                                            comparison, BOOLOID, false, is_on_left ? column : converted,
                                            is_on_left ? converted : column, InvalidOid, InvalidOid)));
}

/// The same for all conditions in a list, which means AND, and for those below AND and OR.
Node *RemoveCasts(PlannerInfo *root, const RelOptInfo *rel, Node *node) {
    check_stack_depth();
    if (!node)
        return nullptr;
    if (IsA(node, List)) {
        List *result = NIL;
        ListCell *cell;
        foreach (cell, castNode(List, node))
            result = lappend(result, RemoveCasts(root, rel, static_cast<Node *>(lfirst(cell))));
        return reinterpret_cast<Node *>(result);
    }
    if (IsA(node, OpExpr))
        return RemoveCast(root, rel, castNode(OpExpr, node));
    if (is_andclause(node) || is_orclause(node)) {
        const BoolExpr &clause = *castNode(BoolExpr, node);
        Node *const args = RemoveCasts(root, rel, reinterpret_cast<Node *>(clause.args));
        return reinterpret_cast<Node *>(makeBoolExpr(clause.boolop, castNode(List, args), clause.location));
    }
    return node;
}

void RemoveCastsInJoinTree(PlannerInfo *root, const RelOptInfo *rel, Node *node) {
    check_stack_depth();
    if (IsA(node, FromExpr)) {
        FromExpr *const from = castNode(FromExpr, node);
        ListCell *cell;
        foreach (cell, from->fromlist)
            RemoveCastsInJoinTree(root, rel, static_cast<Node *>(lfirst(cell)));
        from->quals = RemoveCasts(root, rel, from->quals);
    } else if (IsA(node, JoinExpr)) {
        JoinExpr *const join = castNode(JoinExpr, node);
        RemoveCastsInJoinTree(root, rel, join->larg);
        RemoveCastsInJoinTree(root, rel, join->rarg);
        join->quals = RemoveCasts(root, rel, join->quals);
    }
}

void PrepareRelation(RELATION_HOOK_PARAMETERS) {
    if (previous_relation_hook)
        previous_relation_hook(RELATION_HOOK_ARGUMENTS);
    if (!OidIsValid(ulid_timestamp_oid) || !rewrite_time_casts || !root->parse->jointree ||
        rel->rtekind != RTE_RELATION || rel->reloptkind != RELOPT_BASEREL ||
        root->simple_rte_array[rel->relid]->relkind == RELKIND_FOREIGN_TABLE)
        return;
    RemoveCastsInJoinTree(root, rel, reinterpret_cast<Node *>(root->parse->jointree));
    ListCell *table;
    foreach (table, root->parse->rtable) {
        ListCell *level; // a level of row security and security barrier conditions
        foreach (level, lfirst_node(RangeTblEntry, table)->securityQuals)
            lfirst(level) = RemoveCasts(root, rel, static_cast<Node *>(lfirst(level)));
    }
}

} // namespace

void InstallPlannerHook() {
    DefineCustomBoolVariable("ulid.rewrite_time_casts", "Plans id::timestamptz >= t as id >= t.",
                             "So that it can use an index on a ulid column.", &rewrite_time_casts, true,
                             PGC_USERSET, GUC_EXPLAIN, nullptr, nullptr, nullptr);
    previous_relation_hook = relation_hook;
    relation_hook = PrepareRelation;
}

extern "C" {

/// Planner support of ulid_timestamp. It simplifies nothing, but records the function's OID for the
/// hook.
PG_FUNCTION_INFO_V1(ulid_timestamp_support);
Datum ulid_timestamp_support(PG_FUNCTION_ARGS) {
    Node *const request = Arg<Node *>(fcinfo, 0);
    if (IsA(request, SupportRequestSimplify))
        ulid_timestamp_oid = reinterpret_cast<SupportRequestSimplify *>(request)->fcall->funcid;
    return Datum{0};
}

} // extern "C"

} // namespace ulid
