// The time of a ulid compared by the server's own operators: id::timestamptz >= t, which is
// ulid_timestamp(id) >= t. An operator of the server has no support function of ours, so this is
// work for a hook of the planner. Before the planner distributes the conditions of WHERE and JOIN,
// each of <, <=, >= and > on the time of a column becomes one on the column itself. All else, from
// estimates to indexes and partitions, the server then does by the column. Equality, IN, ORDER BY
// and GROUP BY are left to the server, and so are all conditions on a column's time where a query
// has an equality of it, or the table is known by it (time_keys).
//
// Here the greatest ULID is not an exception, and must not become one: where no ULID has such a
// time the bounds are NULL, not the greatest ULID. NULL serves as well as false because only
// conditions that decide by being true are rewritten: those of WHERE and JOIN, under AND and OR.
#include "pg/module.hpp"
#include "pg/planner/planner.hpp"
#include "pg/planner/time_keys.hpp"

namespace ulid {

namespace {

bool rewrite_time_casts = true;

/// The ulid_timestamp that the session has planned with last; InvalidOid before it has with any.
Oid ulid_timestamp_function = InvalidOid;

PlannerRelationHook previous_relation_hook = nullptr;

/// The types that a timestamptz is compared with: itself, and those that the server compares with
/// it by operators of their own.
enum TimeType { kTimestamptz, kDate, kTimestamp, kTimeTypes };

/// `ulid_timestamp(id) relation t` as `id strategy bound(t)`.
struct Comparison {
    StrategyNumber strategy;
    Function bound;
    Oid functions[kTimeTypes]; ///< that compare ulid_timestamp(id) with t
    Oid mirrored[kTimeTypes];  ///< that compare t with ulid_timestamp(id)
};
static_assert(kMayBeJumpedOver<Comparison>);

constexpr Comparison kComparisons[] = {
    {BTLessEqualStrategyNumber,
     Function::ulid_planner_lt,
     {F_TIMESTAMPTZ_LT, F_TIMESTAMPTZ_LT_DATE, F_TIMESTAMPTZ_LT_TIMESTAMP},
     {F_TIMESTAMPTZ_GT, F_DATE_GT_TIMESTAMPTZ, F_TIMESTAMP_GT_TIMESTAMPTZ}},
    {BTLessEqualStrategyNumber,
     Function::ulid_planner_le,
     {F_TIMESTAMPTZ_LE, F_TIMESTAMPTZ_LE_DATE, F_TIMESTAMPTZ_LE_TIMESTAMP},
     {F_TIMESTAMPTZ_GE, F_DATE_GE_TIMESTAMPTZ, F_TIMESTAMP_GE_TIMESTAMPTZ}},
    {BTGreaterEqualStrategyNumber,
     Function::ulid_planner_ge,
     {F_TIMESTAMPTZ_GE, F_TIMESTAMPTZ_GE_DATE, F_TIMESTAMPTZ_GE_TIMESTAMP},
     {F_TIMESTAMPTZ_LE, F_DATE_LE_TIMESTAMPTZ, F_TIMESTAMP_LE_TIMESTAMPTZ}},
    {BTGreaterEqualStrategyNumber,
     Function::ulid_planner_gt,
     {F_TIMESTAMPTZ_GT, F_TIMESTAMPTZ_GT_DATE, F_TIMESTAMPTZ_GT_TIMESTAMP},
     {F_TIMESTAMPTZ_LT, F_DATE_LT_TIMESTAMPTZ, F_TIMESTAMP_LT_TIMESTAMPTZ}},
};

/// Rewrites the conditions of a query on the time of the columns of one relation.
class Rewriter {
  public:
    Rewriter(PlannerInfo *root, const RelOptInfo *rel) : root_{root}, rel_{rel} {}

    void RewriteQuery() {
        RewriteJoinTree(reinterpret_cast<Node *>(root_->parse->jointree));
        ListCell *cell;
        foreach (cell, root_->parse->rtable) {
            ListCell *level;
            foreach (level, lfirst_node(RangeTblEntry, cell)->securityQuals)
                lfirst(level) = RewriteConditions(static_cast<Node *>(lfirst(level)));
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

    /// A list of conditions of which each must be true, as the planner has made it of WHERE or ON.
    Node *RewriteConditions(Node *conditions) {
        List *result = NIL;
        ListCell *cell;
        foreach (cell, reinterpret_cast<List *>(conditions)) {
            auto *const condition = static_cast<Node *>(lfirst(cell));
            Node *const rewritten = Rewrite(condition);
            // An AND or OR may have become simpler with what is always false.
            result = rewritten == condition
                         ? lappend(result, condition)
                         : list_concat(result, make_ands_implicit(reinterpret_cast<Expr *>(
                                                   eval_const_expressions(root_, rewritten))));
        }
        return reinterpret_cast<Node *>(result);
    }

    /// A condition with all in it that can be rewritten; itself if there is nothing.
    Node *Rewrite(Node *condition) {
        if (IsA(condition, OpExpr))
            return RewriteComparison(reinterpret_cast<OpExpr *>(condition));
        if (!is_andclause(condition) && !is_orclause(condition))
            return condition;
        const auto &expression = *reinterpret_cast<BoolExpr *>(condition);
        List *arguments = NIL;
        bool is_rewritten = false;
        ListCell *cell;
        foreach (cell, expression.args) {
            auto *const argument = static_cast<Node *>(lfirst(cell));
            Node *const rewritten = Rewrite(argument);
            is_rewritten |= rewritten != argument;
            arguments = lappend(arguments, rewritten);
        }
        return is_rewritten ? reinterpret_cast<Node *>(
                                  makeBoolExpr(expression.boolop, arguments, expression.location))
                            : condition;
    }

    Node *RewriteComparison(OpExpr *condition) {
        auto *const unchanged = reinterpret_cast<Node *>(condition);
        if (list_length(condition->args) != 2)
            return unchanged;
        Node *const left = Argument(condition->args, 0);
        Node *const right = Argument(condition->args, 1);
        const bool is_on_left = IsTime(left);
        if (!is_on_left && !IsTime(right))
            return unchanged;
        // Not set yet where the planner turned NOT x < y into x >= y.
        set_opfuncid(condition);
        for (const Comparison &comparison : kComparisons) {
            const Oid *const functions = is_on_left ? comparison.functions : comparison.mirrored;
            for (const TimeType type : {kTimestamptz, kDate, kTimestamp})
                if (condition->opfuncid == functions[type]) {
                    // The other table of a join may be the one to be searched.
                    if (MayBeFoundBy(root_, is_on_left ? right : left, rel_->relid))
                        return unchanged;
                    Node *const on_ulid = OnUlid(comparison, is_on_left ? left : right, type,
                                                 is_on_left ? right : left);
                    return on_ulid ? on_ulid : unchanged;
                }
        }
        return unchanged;
    }

    /// The column of the relation whose time an expression is, or null.
    const Var *ColumnOf(Node *expression) const {
        const Var *const column = ColumnOfTime(expression, ulid_timestamp_function);
        return column && static_cast<Index>(column->varno) == rel_->relid ? column : nullptr;
    }

    /// Whether an expression is the time of a column of the relation, and not left to the server.
    bool IsTime(Node *expression) {
        const Var *const column = ColumnOf(expression);
        if (!column)
            return false;
        const int member = column->varattno - FirstLowInvalidHeapAttributeNumber;
        if (!bms_is_member(member, decided_)) {
            decided_ = bms_add_member(decided_, member);
            // A query in which it may not be executed is to fail.
            if (IsExecutableByPublic(ulid_timestamp_function) && !IsComparedOtherwise(*column) &&
                !IsKnownByTime(root_, rel_, column, ulid_timestamp_function))
                rewritten_ = bms_add_member(rewritten_, member);
        }
        return bms_is_member(member, rewritten_);
    }

    /// What HasOtherComparison looks for.
    struct OtherComparison {
        const Rewriter &rewriter;
        AttrNumber column;
    };
    static_assert(kMayBeJumpedOver<OtherComparison>);

    /// Whether the query has an equality, an IN, an IS NULL or a test like IS NOT TRUE of the
    /// column's time, which the planner may find to contradict the other conditions on that time.
    bool IsComparedOtherwise(const Var &column) const {
        OtherComparison search{*this, column.varattno};
        bool result = HasOtherComparison(reinterpret_cast<Node *>(root_->parse->jointree), &search);
        ListCell *cell;
        foreach (cell, root_->parse->rtable)
            result = result ||
                     HasOtherComparison(
                         reinterpret_cast<Node *>(lfirst_node(RangeTblEntry, cell)->securityQuals),
                         &search);
        return result;
    }

    static bool HasOtherComparison(Node *node, void *context) {
        if (!node)
            return false;
        const auto &search = *static_cast<OtherComparison *>(context);
        List *arguments = NIL;
        if (IsA(node, OpExpr) &&
            op_mergejoinable(reinterpret_cast<OpExpr *>(node)->opno, TIMESTAMPTZOID))
            arguments = reinterpret_cast<OpExpr *>(node)->args;
        else if (IsA(node, BooleanTest) && IsA(reinterpret_cast<BooleanTest *>(node)->arg, OpExpr))
            arguments =
                reinterpret_cast<OpExpr *>(reinterpret_cast<BooleanTest *>(node)->arg)->args;
        else if (IsA(node, ScalarArrayOpExpr))
            arguments = reinterpret_cast<ScalarArrayOpExpr *>(node)->args;
        else if (IsA(node, NullTest) && reinterpret_cast<NullTest *>(node)->nulltesttype == IS_NULL)
            arguments = list_make1(reinterpret_cast<NullTest *>(node)->arg);
        ListCell *cell;
        foreach (cell, arguments) {
            const Var *const column = search.rewriter.ColumnOf(static_cast<Node *>(lfirst(cell)));
            if (column && column->varattno == search.column)
                return true;
        }
        return WalkExpression(node, HasOtherComparison, context);
    }

    /// `ulid strategy bound(time)`, false, or null where a function may not be used.
    Node *OnUlid(const Comparison &comparison, Node *ulid_timestamp, TimeType time_type,
                 Node *time) const {
        if (time_type != kTimestamptz) {
            const Oid saturate =
                FindFunction(time_type == kDate ? Function::ulid_planner_time_date
                                                : Function::ulid_planner_time_timestamp);
            if (!OidIsValid(saturate) || !IsExecutableByPublic(saturate))
                return nullptr;
            time = MakeCall(saturate, TIMESTAMPTZOID, time);
        }
        Node *const ulid = Argument(reinterpret_cast<FuncExpr *>(ulid_timestamp)->args, 0);
        // A domain is compared as what is beneath it.
        const Oid type = getBaseType(exprType(ulid));
        const Oid comparator = FindOrderOperator(type, comparison.strategy);
        Node *const bound = MakeBound(comparison.bound, type, time);
        if (!bound || !OidIsValid(comparator))
            return nullptr;
        if (IsNullConst(bound))
            return makeBoolConst(false, false);
        return MakeSimpleCondition(
            root_, comparator,
            applyRelabelType(ulid, type, -1, InvalidOid, COERCE_IMPLICIT_CAST, -1, false), bound);
    }

    PlannerInfo *root_;
    const RelOptInfo *rel_;
    Bitmapset *decided_ = nullptr, *rewritten_ = nullptr; ///< columns
};
static_assert(kMayBeJumpedOver<Rewriter>);

/// The planner's hook for each relation of a query. Others call it as well: for members of a
/// relation when conditions have been distributed; CREATE INDEX and CLUSTER, with a query that has
/// no conditions.
void PrepareRelation(PLANNER_RELATION_HOOK_PARAMETERS) {
    if (previous_relation_hook)
        previous_relation_hook(PLANNER_RELATION_HOOK_ARGUMENTS);
    // Another server rewrites for itself, by what it knows its tables by.
    if (OidIsValid(ulid_timestamp_function) && rewrite_time_casts && root->parse->jointree &&
        rel->rtekind == RTE_RELATION && rel->reloptkind == RELOPT_BASEREL &&
        root->simple_rte_array[rel->relid]->relkind != RELKIND_FOREIGN_TABLE)
        Rewriter{root, rel}.RewriteQuery();
    OrderIndexesByColumn(root, rel);
}

} // namespace

void InstallPlannerHook() {
    DefineCustomBoolVariable("ulid.rewrite_time_casts",
                             "Rewrites comparisons of a ulid's time into comparisons of the ulid.",
                             "So id::timestamptz >= t finds an index on id.", &rewrite_time_casts,
                             true, PGC_USERSET, 0, nullptr, nullptr, nullptr);
    previous_relation_hook = planner_relation_hook;
    planner_relation_hook = PrepareRelation;
}

extern "C" {

/// Planner support of ulid_timestamp: simplifies nothing, but notes that queries have it.
PG_FUNCTION_INFO_V1(ulid_timestamp_support);
Datum ulid_timestamp_support(PG_FUNCTION_ARGS) {
    auto *const request = reinterpret_cast<Node *>(PG_GETARG_POINTER(0));
    if (IsA(request, SupportRequestSimplify))
        ulid_timestamp_function =
            reinterpret_cast<SupportRequestSimplify *>(request)->fcall->funcid;
    PG_RETURN_POINTER(static_cast<Node *>(nullptr));
}

} // extern "C"

} // namespace ulid
