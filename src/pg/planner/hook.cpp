// The time of a ulid compared by the server's own operators: id::timestamptz >= t, which is
// ulid_timestamp(id) >= t. An operator of the server has no support function of ours, so this is
// work for hooks of the planner. A condition on the time has two forms, on the cast as it is
// written and on the ulid itself, and the planner has to find whatever serves either:
//
// - Before the planner distributes the conditions of WHERE and JOIN, each on a cast becomes the one
//   on the ulid. So estimates, pruning of partitions, joins and indexes are those of the ulid.
// - Where a partitioned table's key is the cast, the condition on it is kept beside the other one
//   while partitions are chosen.
// - When the paths of a table have been found, they are looked for once more by the other form, if
//   an index, an index predicate or a CHECK constraint may know that one. The other form of a
//   condition is computed from the condition alone: there is no list of what was rewritten.
//
// Here the greatest ULID is not an exception, and must not become one: where no ULID has such a
// time the bounds are NULL, not the greatest ULID. NULL serves as well as false because only
// conditions that decide by being true are rewritten: those of WHERE and JOIN, under AND and OR.
#include "pg/module.hpp"
#include "pg/planner/planner.hpp"
#include "pg/planner/time_statistics.hpp"

namespace ulid {

namespace {

bool rewrite_time_casts = true;

/// The ulid_timestamp that the planning under way has met; InvalidOid where it has met none, and
/// there is nothing to rewrite. It belongs to that planning: PlanQuery sets it aside while another
/// one runs within. The planning that loads this library has no PlanQuery around it, and leaves
/// behind what it met; whoever calls a hook outside of any planning then has a query searched in
/// vain, or has none.
Oid ulid_timestamp_function = InvalidOid;

planner_hook_type previous_planner_hook = nullptr;
PlannerRelationHook previous_relation_hook = nullptr;
set_rel_pathlist_hook_type previous_pathlist_hook = nullptr;

bool IsUlidTimestamp(const Node *node) {
    return IsA(node, FuncExpr) &&
           reinterpret_cast<const FuncExpr *>(node)->funcid == ulid_timestamp_function;
}

/// Whether an expression has ulid_timestamp in it.
bool HasUlidTimestamp(Node *node, void *context = nullptr) {
    return node && (IsUlidTimestamp(node) || WalkExpression(node, HasUlidTimestamp, context));
}

/// Whether a key of a partitioned table is an expression of ulid_timestamp.
bool HasTimeAsPartitionKey(const RelOptInfo *rel) {
    if (rel->part_scheme && rel->partexprs)
        for (int i = 0; i < rel->part_scheme->partnatts; ++i)
            if (HasUlidTimestamp(reinterpret_cast<Node *>(rel->partexprs[i])))
                return true;
    return false;
}

/// The types that a timestamptz is compared with: itself, and those that the server compares with
/// it by operators of their own.
enum OtherType { kTimestamptz, kDate, kTimestamp, kOtherTypes };

/// `ulid_timestamp(id) relation t` as `id >= first(t)`, `id <= last(t)` or both.
struct Comparison {
    Function first, last;
    Oid functions[kOtherTypes]; ///< that compare ulid_timestamp(id) with t
    Oid mirrored[kOtherTypes];  ///< that compare t with ulid_timestamp(id)
};
static_assert(kMayBeJumpedOver<Comparison>);

constexpr Comparison kComparisons[] = {
    {Function::kNone,
     Function::ulid_last_before,
     {F_TIMESTAMPTZ_LT, F_TIMESTAMPTZ_LT_DATE, F_TIMESTAMPTZ_LT_TIMESTAMP},
     {F_TIMESTAMPTZ_GT, F_DATE_GT_TIMESTAMPTZ, F_TIMESTAMP_GT_TIMESTAMPTZ}},
    {Function::kNone,
     Function::ulid_last_not_after,
     {F_TIMESTAMPTZ_LE, F_TIMESTAMPTZ_LE_DATE, F_TIMESTAMPTZ_LE_TIMESTAMP},
     {F_TIMESTAMPTZ_GE, F_DATE_GE_TIMESTAMPTZ, F_TIMESTAMP_GE_TIMESTAMPTZ}},
    {Function::ulid_first_not_before,
     Function::kNone,
     {F_TIMESTAMPTZ_GE, F_TIMESTAMPTZ_GE_DATE, F_TIMESTAMPTZ_GE_TIMESTAMP},
     {F_TIMESTAMPTZ_LE, F_DATE_LE_TIMESTAMPTZ, F_TIMESTAMP_LE_TIMESTAMPTZ}},
    {Function::ulid_first_after,
     Function::kNone,
     {F_TIMESTAMPTZ_GT, F_TIMESTAMPTZ_GT_DATE, F_TIMESTAMPTZ_GT_TIMESTAMP},
     {F_TIMESTAMPTZ_LT, F_DATE_LT_TIMESTAMPTZ, F_TIMESTAMP_LT_TIMESTAMPTZ}},
    {Function::ulid_first_not_before,
     Function::ulid_last_not_after,
     {F_TIMESTAMPTZ_EQ, F_TIMESTAMPTZ_EQ_DATE, F_TIMESTAMPTZ_EQ_TIMESTAMP},
     {F_TIMESTAMPTZ_EQ, F_DATE_EQ_TIMESTAMPTZ, F_TIMESTAMP_EQ_TIMESTAMPTZ}},
};

/// A comparison of a relation's ulid_timestamp(id) with something else.
struct TimeComparison {
    const Comparison *comparison;
    OtherType type;
    Node *ulid, *time;

    bool IsEquality() const {
        return comparison->first != Function::kNone && comparison->last != Function::kNone;
    }
};
static_assert(kMayBeJumpedOver<TimeComparison>);

/// The two forms of the conditions on the ulids of one relation. Nothing that is passed in is
/// changed.
class TimeForms {
  public:
    TimeForms(PlannerInfo *root, Index relation) : root_{root}, relation_{relation} {}

    /// The comparison with the relation's ulid_timestamp(id) that a condition is, if it is one.
    std::optional<TimeComparison> FindComparison(Node *condition) const {
        if (!IsA(condition, OpExpr))
            return std::nullopt;
        auto *const expression = reinterpret_cast<OpExpr *>(condition);
        if (list_length(expression->args) != 2)
            return std::nullopt;
        Node *const left = Argument(expression->args, 0);
        Node *const right = Argument(expression->args, 1);
        Node *const left_ulid = UlidOf(left);
        Node *const right_ulid = UlidOf(right);
        if (!left_ulid && !right_ulid)
            return std::nullopt;
        // Not set yet where the planner turned NOT x < y into x >= y.
        set_opfuncid(expression);
        for (const Comparison &entry : kComparisons) {
            for (const OtherType type : {kTimestamptz, kDate, kTimestamp}) {
                if (left_ulid && expression->opfuncid == entry.functions[type])
                    return TimeComparison{&entry, type, left_ulid, right};
                if (right_ulid && expression->opfuncid == entry.mirrored[type])
                    return TimeComparison{&entry, type, right_ulid, left};
            }
        }
        return std::nullopt;
    }

    /// The conditions on the ulid that a comparison is the same as, or NIL.
    List *BoundsOf(const TimeComparison &time_comparison) const {
        const auto &[comparison, type, ulid, other] = time_comparison;
        Node *time = other;
        if (type != kTimestamptz) {
            const Oid saturate = FindFunction(type == kDate ? Function::ulid_saturate_date
                                                            : Function::ulid_saturate_timestamp);
            if (!OidIsValid(saturate) || !IsExecutableByPublic(saturate))
                return NIL;
            time = MakeCall(saturate, TIMESTAMPTZOID, time);
        }
        List *conditions = NIL;
        if (comparison->first != Function::kNone &&
            !AddBound(conditions, BTGreaterEqualStrategyNumber, comparison->first, ulid, time))
            return NIL;
        if (comparison->last != Function::kNone &&
            !AddBound(conditions, BTLessEqualStrategyNumber, comparison->last, ulid, time))
            return NIL;
        return conditions;
    }

    /// A condition with all in it that are on the cast turned into such on the ulid, as a list of
    /// ANDed ones; NIL if there are none.
    List *ToUlid(Node *condition) const {
        if (const auto comparison = FindComparison(condition)) {
            // An equality between relations has better uses, for hash and merge joins.
            if (comparison->IsEquality() &&
                (contain_var_clause(comparison->time) || !IsDuplicable(root_, comparison->time)))
                return NIL;
            return BoundsOf(*comparison);
        }
        return Convert(condition, &TimeForms::ToUlid);
    }

    /// The reverse of ToUlid.
    List *ToCast(Node *condition) const {
        if (IsA(condition, OpExpr)) {
            Expr *const converted = CastOf(reinterpret_cast<OpExpr *>(condition));
            return converted ? list_make1(converted) : NIL;
        }
        return Convert(condition, &TimeForms::ToCast);
    }

    /// Whether a condition of WHERE or JOIN is an equality of the relation's time with a time of
    /// another relation.
    bool IsJoinEquality(Node *condition) const {
        const auto comparison = FindComparison(condition);
        return comparison && comparison->IsEquality() && contain_var_clause(comparison->time);
    }

    /// The ulid column of the relation whose ulid_timestamp an expression is, or null.
    Node *UlidOf(Node *expression) const {
        if (!IsUlidTimestamp(expression))
            return nullptr;
        Node *const ulid = Argument(reinterpret_cast<FuncExpr *>(expression)->args, 0);
        return IsColumn(ulid) ? ulid : nullptr;
    }

  private:
    /// Whether an expression is a column of the relation: of ulid, a domain over it, or uuid.
    bool IsColumn(Node *expression) const {
        const Node *const column = Unlabelled(expression);
        if (!IsA(column, Var))
            return false;
        const auto &var = *reinterpret_cast<const Var *>(column);
        return var.varlevelsup == 0 && static_cast<Index>(var.varno) == relation_;
    }

    /// Adds `ulid strategy bound(time)`; false where the function may not be used.
    bool AddBound(List *&conditions, StrategyNumber strategy, Function bound, Node *ulid,
                  Node *time) const {
        const Oid type = exprType(ulid);
        const Oid comparator = FindOrderOperator(type, strategy);
        Node *const value = MakeBound(bound, type, time);
        if (!value || !OidIsValid(comparator))
            return false;
        conditions = lappend(conditions, IsNullConst(value)
                                             ? makeBoolConst(false, true)
                                             : MakeSimpleCondition(root_, comparator, ulid, value));
        return true;
    }

    /// ANDs and ORs of conditions, by a conversion of each; NIL where none can be converted.
    List *Convert(Node *condition, List *(TimeForms::*convert)(Node *) const) const {
        if (!is_andclause(condition) && !is_orclause(condition))
            return NIL;
        List *arguments = NIL;
        bool is_converted = false;
        ListCell *cell;
        foreach (cell, reinterpret_cast<BoolExpr *>(condition)->args) {
            auto *const argument = static_cast<Node *>(lfirst(cell));
            List *const converted = (this->*convert)(argument);
            is_converted |= converted != NIL;
            if (converted == NIL)
                arguments = lappend(arguments, argument);
            else if (is_andclause(condition))
                arguments = list_concat(arguments, converted);
            else
                arguments = lappend(arguments, make_ands_explicit(converted));
        }
        if (!is_converted)
            return NIL;
        return is_andclause(condition) ? arguments
                                       : list_make1(makeBoolExpr(OR_EXPR, arguments, -1));
    }

    /// The comparison of ulid_timestamp(id) that `id >= bound` or `id <= bound` is the same as, or
    /// null.
    Expr *CastOf(OpExpr *condition) const {
        if (list_length(condition->args) != 2)
            return nullptr;
        Node *ulid = Argument(condition->args, 0);
        Node *const bound = Unlabelled(Argument(condition->args, 1));
        if (!IsColumn(ulid) || (!IsA(bound, Const) && !IsA(bound, FuncExpr)))
            return nullptr;
        const Oid type = getBaseType(exprType(ulid));
        const Oid ulid_type = UlidType();
        if (type != ulid_type && type != UUIDOID)
            return nullptr;
        const int strategy = get_op_opfamily_strategy(
            condition->opno, lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY)->btree_opf);
        Node *time;
        StrategyNumber time_strategy;
        if (IsA(bound, Const)) {
            const auto &constant = *reinterpret_cast<Const *>(bound);
            if (constant.constisnull ||
                (constant.consttype != ulid_type && constant.consttype != UUIDOID))
                return nullptr;
            const Ulid &value = DatumGetUlid(constant.constvalue);
            // Only the ends of a millisecond are a time.
            const bool is_first = strategy == BTGreaterEqualStrategyNumber &&
                                  value == Ulid::Least(value.Milliseconds());
            const bool is_last = strategy == BTLessEqualStrategyNumber &&
                                 value == Ulid::Greatest(value.Milliseconds());
            if (!is_first && !is_last)
                return nullptr;
            time_strategy = static_cast<StrategyNumber>(strategy);
            time = reinterpret_cast<Node *>(
                makeConst(TIMESTAMPTZOID, -1, InvalidOid, sizeof(TimestampTz),
                          TimestampTzGetDatum(MicrosecondsOf(value)), false, FLOAT8PASSBYVAL));
        } else {
            const auto &call = *reinterpret_cast<FuncExpr *>(bound);
            int expected = BTGreaterEqualStrategyNumber;
            switch (FunctionOf(call.funcid)) {
            case Function::ulid_first_not_before:
                time_strategy = BTGreaterEqualStrategyNumber;
                break;
            case Function::ulid_first_after:
                time_strategy = BTGreaterStrategyNumber;
                break;
            case Function::ulid_last_before:
                time_strategy = BTLessStrategyNumber;
                expected = BTLessEqualStrategyNumber;
                break;
            case Function::ulid_last_not_after:
                time_strategy = BTLessEqualStrategyNumber;
                expected = BTLessEqualStrategyNumber;
                break;
            default:
                return nullptr;
            }
            if (strategy != expected)
                return nullptr;
            time = Argument(call.args, 0);
        }
        if (exprType(ulid) != ulid_type)
            ulid =
                applyRelabelType(ulid, ulid_type, -1, InvalidOid, COERCE_EXPLICIT_CAST, -1, false);
        return MakeCondition(FindOrderOperator(TIMESTAMPTZOID, time_strategy),
                             MakeCall(ulid_timestamp_function, TIMESTAMPTZOID, ulid), time);
    }

    static Oid UlidType() {
        Oid *types;
        int count;
        get_func_signature(ulid_timestamp_function, &types, &count);
        return types[0];
    }

    PlannerInfo *root_;
    Index relation_;
};
static_assert(kMayBeJumpedOver<TimeForms>);

/// Rewrites the conditions of a query on the ulids of one relation, before they are distributed.
class QueryRewriter {
  public:
    QueryRewriter(PlannerInfo *root, const RelOptInfo *rel)
        : root_{root}, forms_{root, rel->relid},
          has_members_{root->simple_rte_array[rel->relid]->inh}, has_time_as_partition_key_{
                                                                     HasTimeAsPartitionKey(rel)} {}

    void Rewrite() {
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

    /// A List of conditions of which each must be true. Once simplified, it has no AND in it.
    Node *RewriteConditions(Node *conditions) {
        List *result = NIL;
        ListCell *cell;
        foreach (cell, reinterpret_cast<List *>(conditions)) {
            auto *const condition = static_cast<Node *>(lfirst(cell));
            List *const rewritten = forms_.ToUlid(condition);
            const bool is_to_be_kept = rewritten == NIL || IsToBeKept(condition);
            if (is_to_be_kept)
                result = lappend(result, condition);
            // One form is enough for a table alone, and both would be estimated.
            if (has_members_ || !is_to_be_kept)
                result = list_concat(result, rewritten);
        }
        return reinterpret_cast<Node *>(result);
    }

    /// Whether a condition that is rewritten is of use to the planner as it was, too.
    bool IsToBeKept(Node *condition) {
        // To choose partitions by it.
        if (has_time_as_partition_key_ && IsOfThisRelation(condition))
            return true;
        const auto comparison = forms_.FindComparison(condition);
        if (!comparison || !comparison->IsEquality())
            return false;
        // The server estimates uuids by itself, and between bounds that it does not know by guess.
        if (IsA(comparison->ulid, RelabelType) && !IsA(comparison->time, Const))
            return true;
        // So that a time that is equal to this one is known to be equal to the same constant.
        return HasJoinEquality();
    }

    bool IsOfThisRelation(Node *condition) const {
        return bms_membership(pull_varnos(root_, condition)) == BMS_SINGLETON;
    }

    bool HasJoinEquality() {
        if (!has_join_equality_)
            has_join_equality_ =
                FindJoinEquality(reinterpret_cast<Node *>(root_->parse->jointree), &forms_);
        return *has_join_equality_;
    }

    static bool FindJoinEquality(Node *node, void *forms) {
        return node && (static_cast<TimeForms *>(forms)->IsJoinEquality(node) ||
                        WalkExpression(node, FindJoinEquality, forms));
    }

    PlannerInfo *root_;
    TimeForms forms_;
    bool has_members_, has_time_as_partition_key_;
    std::optional<bool> has_join_equality_;
};
static_assert(kMayBeJumpedOver<QueryRewriter>);

/// What a query has of a relation's ulid_timestamp.
struct TimesOfRelation {
    TimeForms forms;
    List *expressions;
};
static_assert(kMayBeJumpedOver<TimesOfRelation>);

bool CollectTimes(Node *node, void *context) {
    if (!node)
        return false;
    auto &times = *static_cast<TimesOfRelation *>(context);
    if (times.forms.UlidOf(node)) {
        auto *const expression = static_cast<Node *>(copyObjectImpl(node));
        ForgetNullingRelations(reinterpret_cast<Var *>(Unlabelled(times.forms.UlidOf(expression))));
        times.expressions = list_append_unique(times.expressions, expression);
        return false;
    }
    return WalkExpression(node, CollectTimes, context);
}

/// The expressions, ulid_timestamp of a column of a relation, that a query has.
List *FindTimes(PlannerInfo *root, Index relation) {
    TimesOfRelation times{{root, relation}, NIL};
    const Query &query = *root->parse;
    CollectTimes(reinterpret_cast<Node *>(query.jointree), &times);
    CollectTimes(reinterpret_cast<Node *>(query.targetList), &times);
    CollectTimes(query.havingQual, &times);
    CollectTimes(reinterpret_cast<Node *>(root->simple_rte_array[relation]->securityQuals), &times);
    return times.expressions;
}

/// The same of a member of a partitioned table, an inherited one or a UNION ALL.
List *FindTimesOfMember(PlannerInfo *root, const RelOptInfo *parent, const RelOptInfo *member) {
    AppendRelInfo *relation = root->append_rel_array[member->relid];
    const TimeForms forms{root, member->relid};
    List *result = NIL;
    ListCell *cell;
    foreach (cell, parent->rtekind == RTE_RELATION ? TimesWithStatistics(parent)
                                                   : FindTimes(root, parent->relid)) {
        Node *const expression =
            adjust_appendrel_attrs(root, static_cast<Node *>(lfirst(cell)), 1, &relation);
        if (forms.UlidOf(expression))
            result = lappend(result, expression);
    }
    return result;
}

/// Rewrites the conditions that have been distributed to the UNION ALL of several tables, and await
/// being copied to its members.
void RewriteRestrictions(PlannerInfo *root, const RelOptInfo *parent) {
    const TimeForms forms{root, parent->relid};
    ListCell *cell;
    foreach (cell, parent->baserestrictinfo) {
        auto *const restriction = lfirst_node(RestrictInfo, cell);
        if (List *const rewritten = forms.ToUlid(reinterpret_cast<Node *>(restriction->clause)))
            restriction->clause = make_ands_explicit(rewritten);
    }
}

bool HasClause(const List *restrictions, const Node *clause) {
    ListCell *cell;
    foreach (cell, restrictions)
        if (equal(lfirst_node(RestrictInfo, cell)->clause, clause))
            return true;
    return false;
}

/// Adds conditions to a list of RestrictInfos, unless they are there. Returns those added.
List *AddClauses(PlannerInfo *root, List **restrictions, const List *clauses,
                 const RestrictInfo &model) {
    List *added = NIL;
    ListCell *cell;
    foreach (cell, clauses) {
        auto *const clause = static_cast<Expr *>(lfirst(cell));
        if (HasClause(*restrictions, reinterpret_cast<Node *>(clause)))
            continue;
        RestrictInfo *const restriction = MakeRestrictInfo(root, clause, model);
        *restrictions = lappend(*restrictions, restriction);
        added = lappend(added, restriction);
    }
    return added;
}

/// Where `time >= t` and `time <= t` are among conditions, `time = t`: for what knows equality
/// only.
List *EqualitiesIn(const List *conditions) {
    const Oid not_before = FindOrderOperator(TIMESTAMPTZOID, BTGreaterEqualStrategyNumber);
    const Oid not_after = FindOrderOperator(TIMESTAMPTZOID, BTLessEqualStrategyNumber);
    List *result = NIL;
    ListCell *cell;
    foreach (cell, conditions) {
        auto *const first = static_cast<OpExpr *>(lfirst(cell));
        if (!IsA(first, OpExpr) || first->opno != not_before)
            continue;
        ListCell *other;
        foreach (other, conditions) {
            auto *const last = static_cast<OpExpr *>(lfirst(other));
            if (IsA(last, OpExpr) && last->opno == not_after && equal(first->args, last->args))
                result = lappend(
                    result, MakeCondition(FindOrderOperator(TIMESTAMPTZOID, BTEqualStrategyNumber),
                                          Argument(first->args, 0), Argument(first->args, 1)));
        }
    }
    return result;
}

/// Adds to conditions of a partitioned table all their other forms.
void AddOtherForms(PlannerInfo *root, const TimeForms &forms, List **restrictions) {
    List *casts = NIL;
    const RestrictInfo *model = nullptr;
    ListCell *cell;
    foreach (cell, list_copy(*restrictions)) {
        const auto *const restriction = lfirst_node(RestrictInfo, cell);
        auto *const clause = reinterpret_cast<Node *>(restriction->clause);
        if (List *const converted = forms.ToCast(clause)) {
            AddClauses(root, restrictions, converted, *restriction);
            casts = list_concat(casts, converted);
            model = restriction;
        } else if (const auto comparison = forms.FindComparison(clause);
                   comparison && IsDuplicable(root, comparison->time)) {
            AddClauses(root, restrictions, forms.BoundsOf(*comparison), *restriction);
        }
    }
    if (model)
        AddClauses(root, restrictions, EqualitiesIn(casts), *model);
}

/// Removes from the conditions of a partitioned table those on the cast that are there in the other
/// form as well.
void RemoveCasts(const TimeForms &forms, List **restrictions) {
    ListCell *cell;
    foreach (cell, *restrictions) {
        const List *const bounds =
            forms.ToUlid(reinterpret_cast<Node *>(lfirst_node(RestrictInfo, cell)->clause));
        bool is_redundant = bounds != NIL;
        ListCell *bound;
        foreach (bound, bounds)
            is_redundant =
                is_redundant && HasClause(*restrictions, static_cast<Node *>(lfirst(bound)));
        if (is_redundant)
            *restrictions = foreach_delete_current(*restrictions, cell);
    }
}

/// Before a member of a partitioned or inherited table is given the conditions of its parent: those
/// on the cast, if partitions are chosen by them below. Any other has enough of one form, and would
/// be estimated by both.
void PrepareRestrictions(PlannerInfo *root, RelOptInfo *parent, const RelOptInfo *member) {
    const TimeForms forms{root, parent->relid};
    if (HasTimeAsPartitionKey(member))
        AddOtherForms(root, forms, &parent->baserestrictinfo);
    else
        RemoveCasts(forms, &parent->baserestrictinfo);
}

/// A condition of a table, and all that is known of it in the other form.
struct Alternative {
    RestrictInfo *original;
    List *forms;  ///< RestrictInfos, equivalent if all are taken together
    bool is_cast; ///< the original; otherwise, the forms
};
static_assert(kMayBeJumpedOver<Alternative>);

/// Finds the paths of a table that the other form of its conditions makes possible.
class PathFinder {
  public:
    PathFinder(PlannerInfo *root, RelOptInfo *rel, RangeTblEntry *table)
        : root_{root}, rel_{rel}, table_{table}, forms_{root, rel->relid},
          base_{rel->baserestrictinfo}, joininfo_{rel->joininfo} {}

    void Find() {
        const bool knows_time = KnowsTime();
        restrictions_ = Collect(base_, knows_time || MayBeExcluded());
        joins_ = Collect(joininfo_, knows_time);
        CollectEquivalences();
        if (restrictions_ == NIL && joins_ == NIL)
            return;
        equalities_ = Equalities();
        // The first to ask for what a set of outer relations determines decides how many rows they
        // let through: by the conditions that were there before.
        ListCell *cell;
        foreach (cell, joins_)
            Parameterize(*static_cast<Alternative *>(lfirst(cell))->original);

        // Both forms together prove most.
        SetConditions(kBoth);
        const bool is_excluded =
            restrictions_ != NIL &&
            (relation_excluded_by_constraints(root_, rel_, table_) || IsOtherPartition());
        const bool has_more_indexes = !is_excluded && CheckPredicates();
        SetConditions(kOriginals);
        if (is_excluded) {
            mark_dummy_rel(rel_);
            return;
        }

        // Each form by itself, so that no scan counts one condition twice.
        List *const checked = IndexRestrictions();
        if (knows_time)
            FindIndexPaths(kCast, checked);
        if (has_more_indexes || HasCasts(restrictions_) || HasCasts(joins_))
            FindIndexPaths(kUlid, checked);
        SetConditions(kOriginals);
        SetIndexRestrictions(kOriginals, checked);
        foreach (cell, rel_->pathlist)
            RestoreIndexClauses(static_cast<Path *>(lfirst(cell)));
        foreach (cell, rel_->partial_pathlist)
            RestoreIndexClauses(static_cast<Path *>(lfirst(cell)));
    }

  private:
    /// Whether an index has ulid_timestamp in its columns or its predicate.
    bool KnowsTime() const {
        ListCell *cell;
        foreach (cell, rel_->indexlist) {
            const auto *const index = lfirst_node(IndexOptInfo, cell);
            if (!IsTimeStatistics(index) &&
                (HasUlidTimestamp(reinterpret_cast<Node *>(index->indexprs)) ||
                 HasUlidTimestamp(reinterpret_cast<Node *>(index->indpred))))
                return true;
        }
        return false;
    }

    /// Whether the planner looks at the CHECK constraints of the table.
    bool MayBeExcluded() const {
        return constraint_exclusion == CONSTRAINT_EXCLUSION_ON ||
               (constraint_exclusion == CONSTRAINT_EXCLUSION_PARTITION &&
                rel_->reloptkind == RELOPT_OTHER_MEMBER_REL);
    }

    /// Whether the conditions on the cast that were derived after the partitions had been chosen,
    /// of which the other form was not known then, exclude this one.
    bool IsOtherPartition() const {
        if (rel_->reloptkind != RELOPT_OTHER_MEMBER_REL || !enable_partition_pruning)
            return false;
        List *bounds = NIL;
        ListCell *cell;
        foreach (cell, restrictions_) {
            const auto &alternative = *static_cast<Alternative *>(lfirst(cell));
            if (alternative.is_cast)
                bounds = list_concat(bounds, get_actual_clauses(alternative.forms));
        }
        if (bounds == NIL)
            return false;
        const Relation relation = table_open(table_->relid, NoLock);
        List *const constraint = RelationGetPartitionQual(relation);
        table_close(relation, NoLock);
        auto *const simplified =
            eval_const_expressions(root_, reinterpret_cast<Node *>(constraint));
        ChangeVarNodes(simplified, 1, static_cast<int>(rel_->relid), 0);
        return constraint != NIL &&
               predicate_refuted_by(reinterpret_cast<List *>(simplified), bounds, false);
    }

    List *Collect(const List *clauses, bool wants_casts) {
        List *result = NIL;
        ListCell *cell;
        foreach (cell, clauses) {
            auto *const restriction = lfirst_node(RestrictInfo, cell);
            auto *const clause = reinterpret_cast<Node *>(restriction->clause);
            const auto comparison = forms_.FindComparison(clause);
            List *converted = NIL;
            if (comparison) {
                if (IsDuplicable(root_, comparison->time))
                    converted = forms_.BoundsOf(*comparison);
            } else if (wants_casts) {
                converted = forms_.ToCast(clause);
            }
            if (converted != NIL)
                result = lappend(result,
                                 MakeAlternative(restriction, converted, comparison.has_value()));
        }
        return result;
    }

    /// The equalities with times of other relations that the planner derives when it asks.
    void CollectEquivalences() {
        if (!rel_->has_eclass_joins)
            return;
        joins_ = list_concat(
            joins_, Collect(generate_implied_equalities_for_column(
                                root_, rel_, IsTimeOfRelation, &forms_, rel_->lateral_referencers),
                            false));
    }

    static bool IsTimeOfRelation(PlannerInfo *, RelOptInfo *, EquivalenceClass *,
                                 EquivalenceMember *member, void *forms) {
        return static_cast<TimeForms *>(forms)->UlidOf(reinterpret_cast<Node *>(member->em_expr));
    }

    Alternative *MakeAlternative(RestrictInfo *original, const List *clauses, bool is_cast) {
        auto *const result = static_cast<Alternative *>(palloc(sizeof(Alternative)));
        *result = {original, NIL, is_cast};
        ListCell *cell;
        foreach (cell, clauses)
            result->forms =
                lappend(result->forms,
                        MakeRestrictInfo(root_, static_cast<Expr *>(lfirst(cell)), *original));
        return result;
    }

    /// Equalities with one time that are two conditions in the table's restrictions.
    List *Equalities() {
        List *clauses = NIL;
        ListCell *cell;
        foreach (cell, restrictions_)
            clauses = list_concat(
                clauses, get_actual_clauses(static_cast<Alternative *>(lfirst(cell))->forms));
        List *result = NIL;
        if (clauses != NIL)
            AddClauses(root_, &result, EqualitiesIn(clauses),
                       *static_cast<Alternative *>(linitial(restrictions_))->original);
        return result;
    }

    void Parameterize(const RestrictInfo &join) {
        if (!join_clause_is_movable_to(const_cast<RestrictInfo *>(&join), rel_))
            return;
        const Relids others = bms_difference(join.clause_relids, rel_->relids);
        if (!bms_is_empty(others))
            get_baserel_parampathinfo(root_, rel_, bms_union(others, rel_->lateral_relids));
    }

    enum Form { kOriginals, kBoth, kUlid, kCast };

    static bool HasCasts(const List *alternatives) {
        ListCell *cell;
        foreach (cell, alternatives)
            if (static_cast<Alternative *>(lfirst(cell))->is_cast)
                return true;
        return false;
    }

    /// Conditions in a form, as far as they have it.
    static List *Substitute(const List *clauses, const List *alternatives, Form form) {
        List *result = list_copy(clauses);
        ListCell *cell;
        foreach (cell, alternatives) {
            const auto &alternative = *static_cast<Alternative *>(lfirst(cell));
            if (form != kBoth && form != (alternative.is_cast ? kUlid : kCast))
                continue;
            if (form != kBoth)
                result = list_delete_ptr(result, alternative.original);
            result = list_concat(result, alternative.forms);
        }
        return result;
    }

    /// Gives the relation its conditions in a form.
    void SetConditions(Form form) {
        rel_->baserestrictinfo = base_;
        rel_->joininfo = joininfo_;
        if (form == kOriginals)
            return;
        rel_->baserestrictinfo = Substitute(base_, restrictions_, form);
        if (form != kUlid)
            rel_->baserestrictinfo = list_concat(rel_->baserestrictinfo, equalities_);
        rel_->joininfo = Substitute(joininfo_, joins_, form);
    }

    /// The conditions that a scan of each index is to check.
    List *IndexRestrictions() const {
        List *result = NIL;
        ListCell *cell;
        foreach (cell, rel_->indexlist)
            result = lappend(result, lfirst_node(IndexOptInfo, cell)->indrestrictinfo);
        return result;
    }

    /// Sets them to those of one form; `checked` has both.
    void SetIndexRestrictions(Form form, const List *checked) const {
        ListCell *cell, *both;
        forboth(cell, rel_->indexlist, both, checked) lfirst_node(IndexOptInfo, cell)
            ->indrestrictinfo = Select(static_cast<List *>(lfirst(both)), form);
    }

    void FindIndexPaths(Form form, const List *checked) {
        SetConditions(form);
        SetIndexRestrictions(form, checked);
        create_index_paths(root_, rel_);
    }

    /// Of conditions in both forms, those in one. Leaves a condition out that is missing in either:
    /// the predicate of an index implies it.
    List *Select(const List *both, Form form) const {
        List *result = form == kCast ? list_copy(both) : list_difference_ptr(both, equalities_);
        ListCell *cell;
        foreach (cell, restrictions_) {
            const auto &alternative = *static_cast<Alternative *>(lfirst(cell));
            const bool is_implied = !list_member_ptr(both, alternative.original) ||
                                    list_length(list_difference_ptr(alternative.forms, both)) ==
                                        list_length(alternative.forms);
            const bool is_converted = form == (alternative.is_cast ? kUlid : kCast);
            if (is_implied || is_converted)
                result = list_delete_ptr(result, alternative.original);
            if (is_implied || !is_converted)
                result = list_difference_ptr(result, alternative.forms);
        }
        return result;
    }

    /// Finds which partial indexes can be used, by both forms of the conditions; whether these are
    /// more than before.
    bool CheckPredicates() {
        int before = 0, after = 0;
        ListCell *cell;
        foreach (cell, rel_->indexlist)
            before += lfirst_node(IndexOptInfo, cell)->predOK;
        check_index_predicates(root_, rel_);
        foreach (cell, rel_->indexlist) {
            auto *const index = lfirst_node(IndexOptInfo, cell);
            after += index->predOK;
            if (index->predOK)
                index->indpred = ToUlid(index->indpred);
        }
        return after > before;
    }

    /// A predicate that was found to hold in the form that is estimated well, and that is seen to
    /// be the same as a condition of the query.
    List *ToUlid(const List *predicate) const {
        List *result = NIL;
        ListCell *cell;
        foreach (cell, predicate) {
            auto *const condition = static_cast<Node *>(lfirst(cell));
            List *const converted = forms_.ToUlid(condition);
            result = converted != NIL ? list_concat(result, converted) : lappend(result, condition);
        }
        return result;
    }

    /// Where a scan of an index meets a condition exactly by its other forms, says so, as the
    /// server does of the conditions that its own support functions make: the scan then checks it
    /// no more.
    void RestoreIndexClauses(Path *path) {
        if (IsA(path, BitmapHeapPath)) {
            RestoreIndexClauses(reinterpret_cast<BitmapHeapPath *>(path)->bitmapqual);
        } else if (IsA(path, BitmapAndPath)) {
            ListCell *cell;
            foreach (cell, reinterpret_cast<BitmapAndPath *>(path)->bitmapquals)
                RestoreIndexClauses(static_cast<Path *>(lfirst(cell)));
        }
        if (!IsA(path, IndexPath))
            return;
        const List *const clauses = reinterpret_cast<IndexPath *>(path)->indexclauses;
        for (const List *const alternatives : {restrictions_, joins_}) {
            ListCell *cell;
            foreach (cell, alternatives) {
                const auto &alternative = *static_cast<Alternative *>(lfirst(cell));
                int met = 0;
                ListCell *clause;
                foreach (clause, clauses)
                    met += IsExactly(lfirst_node(IndexClause, clause), alternative);
                if (met < list_length(alternative.forms))
                    continue;
                foreach (clause, clauses)
                    if (IsExactly(lfirst_node(IndexClause, clause), alternative))
                        lfirst_node(IndexClause, clause)->rinfo = alternative.original;
            }
        }
    }

    static bool IsExactly(const IndexClause *clause, const Alternative &alternative) {
        return !clause->lossy && list_member_ptr(alternative.forms, clause->rinfo);
    }

    PlannerInfo *root_;
    RelOptInfo *rel_;
    RangeTblEntry *table_;
    TimeForms forms_;
    List *const base_, *const joininfo_;      ///< the relation's conditions as they were
    List *restrictions_ = NIL, *joins_ = NIL; ///< of Alternatives to them
    List *equalities_ = NIL;
};
static_assert(kMayBeJumpedOver<PathFinder>);

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

/// Whether a hook has something to do. CREATE INDEX and CLUSTER call hooks as well, with a query
/// that has no conditions.
bool IsToRewrite(const PlannerInfo *root) {
    return unlikely(OidIsValid(ulid_timestamp_function)) && rewrite_time_casts &&
           root->parse->jointree;
}

/// Rewrites the conditions on the times of a relation's ulids.
void RewriteTimeCasts(PlannerInfo *root, RelOptInfo *rel) {
    if (!IsToRewrite(root))
        return;
    if (rel->reloptkind == RELOPT_BASEREL) {
        QueryRewriter{root, rel}.Rewrite();
        if (rel->rtekind == RTE_RELATION)
            AddTimeStatistics(rel, FindTimes(root, rel->relid));
    } else if (rel->reloptkind == RELOPT_OTHER_MEMBER_REL) {
        RelOptInfo *const parent =
            root->simple_rel_array[root->append_rel_array[rel->relid]->parent_relid];
        // Not every server calls the hook for a UNION ALL itself, but each does for its members.
        if (parent->rtekind == RTE_SUBQUERY)
            RewriteRestrictions(root, parent);
        else
            PrepareRestrictions(root, parent, rel);
        if (rel->rtekind == RTE_RELATION)
            AddTimeStatistics(rel, FindTimesOfMember(root, parent, rel));
    }
}

/// The planner's hook for each relation of a query.
void PrepareRelation(PLANNER_RELATION_HOOK_PARAMETERS) {
    if (previous_relation_hook)
        previous_relation_hook(PLANNER_RELATION_HOOK_ARGUMENTS);
    RewriteTimeCasts(root, rel);
    OrderIndexesByColumn(root, rel);
}

/// Counts the rows of a partitioned or inherited table again: without those of members that were
/// found excluded when their paths were.
void RecountRows(const PlannerInfo *root, RelOptInfo *parent) {
    double rows = 0;
    ListCell *cell;
    foreach (cell, root->append_rel_list) {
        const auto *const member = lfirst_node(AppendRelInfo, cell);
        if (member->parent_relid == parent->relid)
            if (RelOptInfo *const rel = root->simple_rel_array[member->child_relid])
                rows += IS_DUMMY_REL(rel) ? 0 : rel->rows;
    }
    if (rows > 0)
        parent->rows = rows;
}

/// The planner's hook for the paths of each relation.
void AddTimePaths(PlannerInfo *root, RelOptInfo *rel, Index index, RangeTblEntry *table) {
    if (previous_pathlist_hook)
        previous_pathlist_hook(root, rel, index, table);
    if (!IsToRewrite(root) || IS_DUMMY_REL(rel) || table->rtekind != RTE_RELATION)
        return;
    if (table->inh) {
        RecountRows(root, rel);
        // What a plan is made of then chooses partitions while it runs.
        if (!rel->part_scheme)
            return;
        const TimeForms forms{root, rel->relid};
        AddOtherForms(root, forms, &rel->baserestrictinfo);
        ListCell *cell;
        foreach (cell, rel->ppilist)
            AddOtherForms(root, forms, &lfirst_node(ParamPathInfo, cell)->ppi_clauses);
    } else if (table->relkind != RELKIND_FOREIGN_TABLE && !table->tablesample) {
        PathFinder{root, rel, table}.Find();
    }
}

} // namespace

void InstallPlannerHooks() {
    DefineCustomBoolVariable("ulid.rewrite_time_casts",
                             "Rewrites comparisons of a ulid's time into comparisons of the ulid.",
                             "So id::timestamptz >= t finds an index on id.", &rewrite_time_casts,
                             true, PGC_USERSET, 0, nullptr, nullptr, nullptr);
    previous_planner_hook = planner_hook;
    planner_hook = PlanQuery;
    previous_relation_hook = planner_relation_hook;
    planner_relation_hook = PrepareRelation;
    previous_pathlist_hook = set_rel_pathlist_hook;
    set_rel_pathlist_hook = AddTimePaths;
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

} // namespace ulid
