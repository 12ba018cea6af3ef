// The time of a ulid compared by the server's own operators: id::timestamptz >= t, which is
// ulid_timestamp(id) >= t. An operator of the server has no support function of ours, so these are
// rewritten in the planner's hook for relations, which comes before it distributes the conditions
// of WHERE and JOIN to them.
//
// Here the greatest ULID is no exception, and must not become one: where no ULID has such a time
// the bounds are NULL, not the greatest ULID. NULL serves as well as false because only conditions
// that decide by being true are rewritten: those of WHERE and JOIN, under AND and OR.
#include "shell/module.hpp"
#include "shell/planner.hpp"

using namespace ulid;

namespace {

bool rewrite_time_casts = true;

/// The ulid_timestamp that the planning under way has met; InvalidOid where it has met none, and
/// there is nothing to rewrite. It belongs to that planning: PlanQuery sets it aside while another
/// one runs within. The planning that loads this library has no PlanQuery around it, and leaves
/// behind what it met; whoever calls RewriteTimeCasts outside of any planning then has a query
/// searched in vain, or has none.
Oid ulid_timestamp_function = InvalidOid;

planner_hook_type previous_planner_hook = nullptr;
PlannerRelationHook previous_relation_hook = nullptr;

/// The types that a timestamptz is compared with: itself, and those that the server compares with
/// it by operators of their own.
enum OtherType { kTimestamptz, kDate, kTimestamp, kOtherTypes };

/// `ulid_timestamp(id) relation t` as `id >= first(t)`, `id <= last(t)` or both.
struct Comparison {
    const char *first, *last;
    Oid functions[kOtherTypes]; ///< that compare ulid_timestamp(id) with t
    Oid mirrored[kOtherTypes];  ///< that compare t with ulid_timestamp(id)
};

constexpr Comparison kComparisons[] = {
    {nullptr,
     "ulid_last_before",
     {F_TIMESTAMPTZ_LT, F_TIMESTAMPTZ_LT_DATE, F_TIMESTAMPTZ_LT_TIMESTAMP},
     {F_TIMESTAMPTZ_GT, F_DATE_GT_TIMESTAMPTZ, F_TIMESTAMP_GT_TIMESTAMPTZ}},
    {nullptr,
     "ulid_last_not_after",
     {F_TIMESTAMPTZ_LE, F_TIMESTAMPTZ_LE_DATE, F_TIMESTAMPTZ_LE_TIMESTAMP},
     {F_TIMESTAMPTZ_GE, F_DATE_GE_TIMESTAMPTZ, F_TIMESTAMP_GE_TIMESTAMPTZ}},
    {"ulid_first_not_before",
     nullptr,
     {F_TIMESTAMPTZ_GE, F_TIMESTAMPTZ_GE_DATE, F_TIMESTAMPTZ_GE_TIMESTAMP},
     {F_TIMESTAMPTZ_LE, F_DATE_LE_TIMESTAMPTZ, F_TIMESTAMP_LE_TIMESTAMPTZ}},
    {"ulid_first_after",
     nullptr,
     {F_TIMESTAMPTZ_GT, F_TIMESTAMPTZ_GT_DATE, F_TIMESTAMPTZ_GT_TIMESTAMP},
     {F_TIMESTAMPTZ_LT, F_DATE_LT_TIMESTAMPTZ, F_TIMESTAMP_LT_TIMESTAMPTZ}},
    {"ulid_first_not_before",
     "ulid_last_not_after",
     {F_TIMESTAMPTZ_EQ, F_TIMESTAMPTZ_EQ_DATE, F_TIMESTAMPTZ_EQ_TIMESTAMP},
     {F_TIMESTAMPTZ_EQ, F_DATE_EQ_TIMESTAMPTZ, F_TIMESTAMP_EQ_TIMESTAMPTZ}},
};

/// Rewrites the conditions on the ulids of one relation of a query.
class Rewriter {
  public:
    /// `table`: the relation's own, or that of its member where it is a UNION ALL of several.
    Rewriter(PlannerInfo *root, Index relation, const RangeTblEntry &table)
        : root_{root}, relation_{relation}, table_{table} {}

    /// The conditions of WHERE and JOIN, before they are distributed.
    void RewriteQuery() {
        RewriteJoinTree(reinterpret_cast<Node *>(root_->parse->jointree));
        ListCell *cell;
        foreach (cell, root_->parse->rtable) {
            ListCell *level;
            foreach (level, lfirst_node(RangeTblEntry, cell)->securityQuals)
                lfirst(level) = RewriteConditions(static_cast<Node *>(lfirst(level)));
        }
    }

    /// The conditions that have been distributed to the relation and await being copied to its
    /// members.
    void RewriteRestrictions() {
        ListCell *cell;
        foreach (cell, root_->simple_rel_array[relation_]->baserestrictinfo) {
            auto *const restriction = lfirst_node(RestrictInfo, cell);
            restriction->clause =
                reinterpret_cast<Expr *>(Rewrite(reinterpret_cast<Node *>(restriction->clause)));
        }
    }

  private:
    void RewriteJoinTree(Node *node) {
        if (IsA(node, FromExpr)) {
            auto *const from = reinterpret_cast<FromExpr *>(node);
            ListCell *cell;
            foreach (cell, from->fromlist)
                RewriteJoinTree(static_cast<Node *>(lfirst(cell)));
            from->quals = RewriteConditions(from->quals);
        } else if (IsA(node, JoinExpr)) {
            auto *const join = reinterpret_cast<JoinExpr *>(node);
            RewriteJoinTree(join->larg);
            RewriteJoinTree(join->rarg);
            join->quals = RewriteConditions(join->quals);
        }
    }

    /// A List of conditions of which each must be true.
    Node *RewriteConditions(Node *conditions) {
        return reinterpret_cast<Node *>(
            RewriteList(reinterpret_cast<List *>(conditions), kFlattenAnd));
    }

    Node *Rewrite(Node *condition) {
        if (IsA(condition, OpExpr)) {
            if (Node *const rewritten = RewriteComparison(reinterpret_cast<OpExpr *>(condition)))
                return rewritten;
        } else if (is_andclause(condition) || is_orclause(condition)) {
            auto *const expression = reinterpret_cast<BoolExpr *>(condition);
            expression->args =
                RewriteList(expression->args, is_andclause(condition) ? kFlattenAnd : kKeepAnd);
        }
        return condition;
    }

    enum AndInList { kFlattenAnd, kKeepAnd };

    /// Once simplified, the planner's lists of ANDed conditions hold no AND.
    List *RewriteList(List *conditions, AndInList and_in_list) {
        List *result = NIL;
        ListCell *cell;
        foreach (cell, conditions) {
            Node *const condition = Rewrite(static_cast<Node *>(lfirst(cell)));
            if (and_in_list == kFlattenAnd && is_andclause(condition))
                result = list_concat(result, reinterpret_cast<BoolExpr *>(condition)->args);
            else
                result = lappend(result, condition);
        }
        return result;
    }

    /// What a comparison of the relation's ulid_timestamp(id) becomes, or null.
    Node *RewriteComparison(OpExpr *comparison) {
        // Not set yet where the planner turned NOT x < y into x >= y.
        set_opfuncid(comparison);
        if (list_length(comparison->args) != 2)
            return nullptr;
        auto *const left = static_cast<Node *>(linitial(comparison->args));
        auto *const right = static_cast<Node *>(lsecond(comparison->args));
        for (const Comparison &entry : kComparisons) {
            for (const OtherType type : {kTimestamptz, kDate, kTimestamp}) {
                Node *rewritten = nullptr;
                if (comparison->opfuncid == entry.functions[type])
                    rewritten = RewriteComparison(entry, type, left, right);
                if (!rewritten && comparison->opfuncid == entry.mirrored[type])
                    rewritten = RewriteComparison(entry, type, right, left);
                if (rewritten)
                    return rewritten;
            }
        }
        return nullptr;
    }

    Node *RewriteComparison(const Comparison &entry, OtherType type, Node *ulid_time, Node *time) {
        Node *const ulid = UlidOf(ulid_time);
        if (!ulid || HasIndexOnTime())
            return nullptr;
        // An equality between relations has better uses, for hash and merge joins.
        if (entry.first && entry.last && (contain_var_clause(time) || !IsDuplicable(root_, time)))
            return nullptr;
        List *conditions = NIL;
        if (entry.first &&
            !AddCondition(conditions, BTGreaterEqualStrategyNumber, entry.first, ulid, type, time))
            return nullptr;
        if (entry.last &&
            !AddCondition(conditions, BTLessEqualStrategyNumber, entry.last, ulid, type, time))
            return nullptr;
        return eval_const_expressions(root_,
                                      reinterpret_cast<Node *>(make_ands_explicit(conditions)));
    }

    /// Adds `ulid strategy bound(time)`; false where the function is not there.
    bool AddCondition(List *&conditions, StrategyNumber strategy, const char *bound, Node *ulid,
                      OtherType type, Node *time) {
        constexpr Oid kTypes[] = {TIMESTAMPTZOID, DATEOID, TIMESTAMPOID};
        if (type != kTimestamptz) {
            const Oid convert =
                FindFunctionBeside(ulid_timestamp_function, "ulid_saturate", kTypes[type]);
            if (!OidIsValid(convert))
                return false;
            time = MakeCall(convert, TIMESTAMPTZOID, time);
        }
        const Oid ulid_type = exprType(ulid);
        const Oid function = FindFunctionBeside(ulid_timestamp_function, bound, TIMESTAMPTZOID);
        const Oid comparator = FindOrderOperator(ulid_type, strategy);
        if (!OidIsValid(function) || !OidIsValid(comparator))
            return false;
        conditions = lappend(conditions,
                             MakeCondition(comparator, ulid, MakeCall(function, ulid_type, time)));
        return true;
    }

    /// The ulid column of the relation whose ulid_timestamp an expression is, or null.
    Node *UlidOf(Node *expression) const {
        if (!IsA(expression, FuncExpr))
            return nullptr;
        const auto *const call = reinterpret_cast<FuncExpr *>(expression);
        if (call->funcid != ulid_timestamp_function)
            return nullptr;
        Node *const ulid = static_cast<Node *>(linitial(call->args));
        // A column of a domain over ulid, or of a uuid read as one.
        const Node *column = ulid;
        while (IsA(column, RelabelType))
            column = reinterpret_cast<Node *>(reinterpret_cast<const RelabelType *>(column)->arg);
        if (!IsA(column, Var))
            return nullptr;
        const auto *const var = reinterpret_cast<const Var *>(column);
        const bool is_of_relation =
            var->varlevelsup == 0 && static_cast<Index>(var->varno) == relation_;
        return is_of_relation ? ulid : nullptr;
    }

    /// Whether an index on ulid_timestamp(...) may serve the condition as it is. The planner has no
    /// list of a partitioned table's indexes on every server, so this asks the catalog.
    bool HasIndexOnTime() {
        if (!has_index_on_time_) {
            has_index_on_time_ = false;
            if (table_.rtekind == RTE_RELATION) {
                const Relation relation = table_open(table_.relid, NoLock);
                ListCell *cell;
                foreach (cell, RelationGetIndexList(relation))
                    *has_index_on_time_ |= IsIndexOnTime(lfirst_oid(cell));
                table_close(relation, NoLock);
            }
        }
        return *has_index_on_time_;
    }

    static bool IsIndexOnTime(Oid index) {
        const HeapTuple tuple = SearchSysCache1(INDEXRELID, ObjectIdGetDatum(index));
        if (!HeapTupleIsValid(tuple))
            return false;
        bool is_null;
        const Datum expressions =
            SysCacheGetAttr(INDEXRELID, tuple, Anum_pg_index_indexprs, &is_null);
        const bool found =
            !is_null &&
            CallsUlidTimestamp(static_cast<Node *>(stringToNode(TextDatumGetCString(expressions))),
                               nullptr);
        ReleaseSysCache(tuple);
        return found;
    }

    static bool CallsUlidTimestamp(Node *node, void *context) {
        if (!node)
            return false;
        if (IsA(node, FuncExpr) &&
            reinterpret_cast<FuncExpr *>(node)->funcid == ulid_timestamp_function)
            return true;
        return WalkExpression(node, CallsUlidTimestamp, context);
    }

    PlannerInfo *root_;
    Index relation_;
    const RangeTblEntry &table_;
    std::optional<bool> has_index_on_time_;
};

/// The planner's hook for a whole query.
PlannedStmt *PlanQuery(PLANNER_HOOK_PARAMETERS) {
    const Oid outer = ulid_timestamp_function;
    ulid_timestamp_function = InvalidOid;
    PlannedStmt *plan;
    PG_TRY();
    {
        plan = (previous_planner_hook ? previous_planner_hook
                                      : standard_planner)(PLANNER_HOOK_ARGUMENTS);
    }
    PG_FINALLY();
    { ulid_timestamp_function = outer; }
    PG_END_TRY();
    return plan;
}

/// The planner's hook for each relation of a query. CREATE INDEX and CLUSTER call it as well, with
/// a query that has no conditions.
void RewriteTimeCasts(PLANNER_RELATION_HOOK_PARAMETERS) {
    if (previous_relation_hook)
        previous_relation_hook(PLANNER_RELATION_HOOK_ARGUMENTS);
    if (likely(!OidIsValid(ulid_timestamp_function)) || !rewrite_time_casts ||
        !root->parse->jointree)
        return;
    const RangeTblEntry &table = *root->simple_rte_array[rel->relid];
    if (rel->reloptkind == RELOPT_BASEREL) {
        Rewriter{root, rel->relid, table}.RewriteQuery();
    } else if (rel->reloptkind == RELOPT_OTHER_MEMBER_REL) {
        // A UNION ALL is no relation of which the hook of every server tells, but its members are.
        const Index parent = root->append_rel_array[rel->relid]->parent_relid;
        if (root->simple_rte_array[parent]->rtekind == RTE_SUBQUERY)
            Rewriter{root, parent, table}.RewriteRestrictions();
    }
}

} // namespace

void ulid::InstallTimeCastRewriter() {
    DefineCustomBoolVariable("ulid.rewrite_time_casts",
                             "Rewrites comparisons of a ulid's time into comparisons of the ulid.",
                             "So id::timestamptz >= t finds an index on id.", &rewrite_time_casts,
                             true, PGC_USERSET, 0, nullptr, nullptr, nullptr);
    previous_planner_hook = planner_hook;
    planner_hook = PlanQuery;
    previous_relation_hook = planner_relation_hook;
    planner_relation_hook = RewriteTimeCasts;
}

extern "C" {

/// Planner support of ulid_timestamp: simplifies nothing, but notes that the query has it.
PG_FUNCTION_INFO_V1(ulid_timestamp_support);
Datum ulid_timestamp_support(PG_FUNCTION_ARGS) {
    auto *const request = reinterpret_cast<Node *>(PG_GETARG_POINTER(0));
    if (IsA(request, SupportRequestSimplify)) {
        const auto &simplify = *reinterpret_cast<SupportRequestSimplify *>(request);
        if (simplify.root)
            ulid_timestamp_function = simplify.fcall->funcid;
    }
    PG_RETURN_POINTER(static_cast<Node *>(nullptr));
}

} // extern "C"
