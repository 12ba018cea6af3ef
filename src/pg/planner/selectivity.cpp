// Restriction selectivity of <, <=, >=, > of ulids.
//
// The server's own estimators (scalarltsel and its like, selfuncs.c) place a value within a bin of
// a histogram only if it is of one of the server's types (convert_to_scalar), and the server
// recognizes a pair of bounds only by these estimators (clauselist_selectivity, clausesel.c). So
// this one does both: it interpolates, and it gives the upper bound of a range the probability that
// it has if the lower bound holds, so that the product of the two is that of the range.
#include "pg/planner/planner.hpp"
#include "pg/planner/statistics.hpp"
#include "pg/planner/time_statistics.hpp"

namespace ulid {

namespace {

/// The inequality of a btree strategy; none for equality and for anything that is not a strategy.
std::optional<Inequality> InequalityOf(int strategy) {
    switch (strategy) {
    case BTLessStrategyNumber:
        return Inequality{false, false};
    case BTLessEqualStrategyNumber:
        return Inequality{false, true};
    case BTGreaterEqualStrategyNumber:
        return Inequality{true, true};
    case BTGreaterStrategyNumber:
        return Inequality{true, false};
    default:
        return std::nullopt;
    }
}

/// What one comparison of a column tells, by the column's statistics.
class ColumnStatistics {
  public:
    /// `comparison`: with the column on its left.
    ColumnStatistics(PlannerInfo *root, VariableStatData &column, Oid comparison,
                     const Inequality &inequality, Oid collation)
        : root_{root}, column_{column}, comparison_{comparison}, inequality_{inequality},
          collation_{collation} {
        fmgr_info(get_opcode(comparison), &function_);
    }

    /// The part of all rows whose value compares so with `value`, as in the server's scalarineqsel.
    double Part(const Const &value) {
        const auto &statistics =
            *reinterpret_cast<Form_pg_statistic>(GETSTRUCT(column_.statsTuple));
        if (!HasUlidForm(value.constlen, value.constbyval) ||
            !statistic_proc_security_check(&column_, function_.fn_oid))
            return Clamp((1.0 - statistics.stanullfrac) * 0.5);
        const Common common = CommonPart(value);
        const double part = HistogramPart(value, EqualPart(common));
        return Clamp((1.0 - statistics.stanullfrac - common.part) * (part < 0 ? 0.5 : part) +
                     common.part_met);
    }

  private:
    /// The most common values, of which `part_met` is of those that compare so.
    struct Common {
        int count;
        double part, part_met;
    };

    /// NaN, as statistics put in by hand may make it, is 0.
    static double Clamp(double part) { return part > 0 ? Min(1, part) : 0; }

    Common CommonPart(const Const &value) {
        AttStatsSlot slot;
        if (!get_attstatsslot(&slot, column_.statsTuple, STATISTIC_KIND_MCV, InvalidOid,
                              ATTSTATSSLOT_VALUES | ATTSTATSSLOT_NUMBERS))
            return {};
        Common common{slot.nnumbers, 0, 0};
        for (int i = 0; i < slot.nnumbers; ++i)
            common.part += slot.numbers[i];
        for (int i = 0; HoldsUlids(slot) && i < Min(slot.nvalues, slot.nnumbers); ++i)
            if (DatumGetBool(
                    FunctionCall2Coll(&function_, collation_, slot.values[i], value.constvalue)))
                common.part_met += slot.numbers[i];
        free_attstatsslot(&slot);
        return common;
    }

    /// The part that equals any one value, of the values that are neither NULL nor most common.
    double EqualPart(const Common &common) {
        bool is_default;
        const double count = get_variable_numdistinct(&column_, &is_default) - common.count;
        return count > 1 ? 1 / count : 0;
    }

    /// The part that compares so, of the same values; negative if nothing is known.
    double HistogramPart(const Const &value, double equal_part) {
        AttStatsSlot slot;
        if (!get_attstatsslot(&slot, column_.statsTuple, STATISTIC_KIND_HISTOGRAM, InvalidOid,
                              ATTSTATSSLOT_VALUES))
            return -1;
        double part = -1;
        if (slot.nvalues > 1 && HoldsUlids(slot)) {
            if (slot.stacoll == collation_ &&
                comparison_ops_are_compatible(slot.staop, comparison_))
                part = Part(slot, DatumGetUlid(value.constvalue), equal_part);
            else
                part = ineq_histogram_selectivity(root_, &column_, comparison_, &function_,
                                                  inequality_.greater, inequality_.or_equal,
                                                  collation_, value.constvalue, value.consttype);
        }
        free_attstatsslot(&slot);
        return part;
    }

    double Part(const AttStatsSlot &slot, const Ulid &value, double equal_part) {
        Histogram histogram = HistogramOf(slot);
        bool is_current = false;
        if (histogram.NeedsFirst(inequality_, value)) {
            const End first = ReadEnd(false);
            histogram.SetFirst(first.value);
            is_current = first.is_current;
        }
        if (histogram.NeedsLast(inequality_, value)) {
            const End last = ReadEnd(true);
            histogram.SetLast(last.value);
            is_current = last.is_current;
        }
        const double part = histogram.Part(inequality_, value, equal_part);
        // As the server: without the ends, do not believe what is very little or nearly all.
        const double doubt = is_current ? 0 : 0.01 / histogram.BinCount();
        return Max(doubt, Min(1 - doubt, part));
    }

    /// The first or the last value, out of an index if there is one that tells.
    struct End {
        Ulid value;
        bool is_current;
    };

    /// The search of a histogram for a value that lies before or after all of it.
    struct Search {
        bool is_after;
        Ulid last_bound;
    };

    static Datum IsBoundBelow(PG_FUNCTION_ARGS) {
        auto &search = *static_cast<Search *>(fcinfo->flinfo->fn_extra);
        search.last_bound = GetUlidArgument(fcinfo, 0);
        PG_RETURN_BOOL(search.is_after);
    }

    /// Has the server read the end. Its get_actual_variable_range, which chooses the index, sets
    /// limits to the search and knows what changes between versions, is static; but the server
    /// calls it before it compares the last bound of a histogram. So this is a search for a value
    /// that lies beyond that end, by a comparison that knows so, and notes the bound.
    End ReadEnd(bool last) {
        Search search{last, {}};
        FmgrInfo function = function_;
        function.fn_addr = IsBoundBelow;
        function.fn_extra = &search;
        const double part = ineq_histogram_selectivity(
            root_, &column_, comparison_, &function, false, true, collation_, Datum{0}, InvalidOid);
        // Only with the real end does the server believe that all, or none, lie below.
        return {search.last_bound, part == (last ? 1 : 0)};
    }

    PlannerInfo *root_;
    VariableStatData &column_;
    Oid comparison_;
    Inequality inequality_;
    Oid collation_;
    FmgrInfo function_;
};
static_assert(kMayBeJumpedOver<ColumnStatistics>);

/// A comparison of a column with what is a constant to the planner.
struct Bound {
    double part;       ///< of the rows, whatever else is asked of them
    Node *column;      ///< null if there is none
    RelOptInfo *table; ///< the column's
};
static_assert(kMayBeJumpedOver<Bound>);

/// Where a condition stands among others.
struct Place {
    bool is_found = false;
    const List *conditions = NIL;              ///< the ANDed ones of which it is one, or NIL
    const RestrictInfo *restriction = nullptr; ///< the planner's node for it, if it has one
    const IndexOptInfo *index = nullptr;       ///< of whose predicate it is a part

    /// Whether the planner only ever estimates all of the conditions at once.
    bool IsWhole() const { return !restriction && !index; }
};
static_assert(kMayBeJumpedOver<Place>);

/// The tightest of the bounds of a column on one side.
struct Tightest {
    const List *arguments = NIL; ///< its own; NIL if there is none
    double part = 1;             ///< of the rows that meet it

    void Add(const List *arguments_of_other, double part_of_other) {
        if (arguments == NIL || part_of_other < part) {
            arguments = arguments_of_other;
            part = part_of_other;
        }
    }
};
static_assert(kMayBeJumpedOver<Tightest>);

/// Estimates comparisons of an operator family.
class Estimator {
  public:
    /// `table`: the one whose columns alone are columns, those of others being constants; 0: none.
    Estimator(PlannerInfo *root, Oid function, Oid family, int table, Oid collation)
        : root_{root}, function_{function}, family_{family}, table_{table}, collation_{collation} {}

    /// The part of the rows that meet a comparison. Of the bounds of one column that are ANDed, the
    /// tightest lower one counts in full, the tightest upper one as far as it is met where that
    /// lower one is, and the others do not count. So the product is right for all of them together,
    /// and for a lower bound alone, in whatever order they come.
    double Estimate(Oid comparison, List *arguments) const {
        if (const auto part = PartOfEquality(arguments))
            return *part;
        const Bound bound = BoundOf(comparison, arguments);
        if (!bound.column)
            return bound.part;
        const Place place = FindPlace(*bound.table, arguments);
        // As the server, which pairs bounds of what is of one table only.
        if (list_length(place.conditions) < (place.index ? 1 : 2) ||
            NumRelids(root_, bound.column) != 1)
            return bound.part;
        return HasCommonCombinations(place, bound) ? PartByCombinations(place, bound, arguments)
                                                   : PartAmong(place, bound, arguments);
    }

  private:
    /// Where a comparison is one of the two that `id::timestamptz = t` was made of, with a t that
    /// is not known, perhaps a column of another table: what it contributes to the part that the
    /// two have together.
    std::optional<double> PartOfEquality(List *arguments) const {
        const Function function = BoundFunctionOf(arguments);
        if (function != Function::ulid_first_not_before &&
            function != Function::ulid_last_not_after)
            return std::nullopt;
        const bool is_first = function == Function::ulid_first_not_before;
        VariableStatData column;
        Node *other;
        bool is_on_left;
        if (!get_restriction_variable(root_, arguments, table_, &column, &other, &is_on_left))
            return std::nullopt;
        std::optional<double> result;
        if (is_on_left && !IsA(other, Const) &&
            HasOtherBound(FindPlace(*column.rel, arguments).conditions, arguments,
                          is_first ? Function::ulid_last_not_after
                                   : Function::ulid_first_not_before))
            result = is_first ? 1 : EqualTimePart(column);
        ReleaseVariableStats(column);
        return result;
    }

    /// The function that a comparison has on its right.
    static Function BoundFunctionOf(const List *arguments) {
        const Node *const right = Unlabelled(Argument(arguments, 1));
        return IsA(right, FuncExpr) ? FunctionOf(reinterpret_cast<const FuncExpr *>(right)->funcid)
                                    : Function::kNone;
    }

    /// Whether among conditions there is the same column beside a function of the same time.
    static bool HasOtherBound(const List *conditions, const List *arguments, Function function) {
        const auto time_of = [](const List *list) {
            return castNode(FuncExpr, Unlabelled(Argument(list, 1)))->args;
        };
        ListCell *cell;
        foreach (cell, conditions) {
            auto *condition = static_cast<Node *>(lfirst(cell));
            if (IsA(condition, RestrictInfo))
                condition =
                    reinterpret_cast<Node *>(reinterpret_cast<RestrictInfo *>(condition)->clause);
            if (!IsA(condition, OpExpr))
                continue;
            const List *const others = reinterpret_cast<OpExpr *>(condition)->args;
            if (list_length(others) == 2 && BoundFunctionOf(others) == function &&
                equal(linitial(others), linitial(arguments)) &&
                equal(time_of(others), time_of(arguments)))
                return true;
        }
        return false;
    }

    Bound BoundOf(Oid comparison, List *arguments) const {
        const auto inequality = InequalityOf(get_op_opfamily_strategy(comparison, family_));
        VariableStatData column;
        Node *other;
        bool is_on_left;
        if (!inequality ||
            !get_restriction_variable(root_, arguments, table_, &column, &other, &is_on_left))
            return {DEFAULT_INEQ_SEL, nullptr, nullptr};
        const Inequality of_column{inequality->greater == is_on_left, inequality->or_equal};
        const Oid of_column_operator = is_on_left ? comparison : get_commutator(comparison);
        double part = DEFAULT_INEQ_SEL;
        if (IsA(other, Const) && OidIsValid(of_column_operator)) {
            const auto &value = *reinterpret_cast<Const *>(other);
            if (value.constisnull)
                part = 0;
            else if (HeapTupleIsValid(column.statsTuple))
                part =
                    ColumnStatistics{root_, column, of_column_operator, of_column, collation_}.Part(
                        value);
        }
        ReleaseVariableStats(column);
        Node *const left = Argument(arguments, 0);
        Node *const right = Argument(arguments, 1);
        const bool has_constant = is_pseudo_constant_clause(is_on_left ? right : left);
        return {part, has_constant ? (is_on_left ? left : right) : nullptr, column.rel};
    }

    /// Finds the comparison by the very list of its arguments, which the server passes on.
    Place FindPlace(const RelOptInfo &table, const List *arguments) const {
        Place place = FindPlaceIn(table.baserestrictinfo, arguments);
        if (!place.is_found)
            place = FindPlaceIn(table.joininfo, arguments);
        ListCell *cell;
        foreach (cell, table.indexlist) {
            if (place.is_found)
                return place;
            const auto *const index = lfirst_node(IndexOptInfo, cell);
            place = FindPlaceIn(index->indpred, arguments);
            if (place.is_found)
                place.index = index;
        }
        Node *const having = root_->parse->havingQual;
        if (!place.is_found && having && IsA(having, List))
            place = FindPlaceIn(reinterpret_cast<List *>(having), arguments);
        return place;
    }

    static Place FindPlaceIn(const List *conditions, const List *arguments) {
        ListCell *cell;
        foreach (cell, conditions) {
            auto *condition = static_cast<Node *>(lfirst(cell));
            const RestrictInfo *restriction = nullptr;
            if (IsA(condition, RestrictInfo)) {
                restriction = reinterpret_cast<RestrictInfo *>(condition);
                condition = reinterpret_cast<Node *>(restriction->orclause ? restriction->orclause
                                                                           : restriction->clause);
            }
            if (IsA(condition, OpExpr)) {
                if (reinterpret_cast<OpExpr *>(condition)->args == arguments)
                    return {true, conditions, restriction};
            } else if (IsA(condition, BoolExpr)) {
                const auto &expression = *reinterpret_cast<BoolExpr *>(condition);
                Place place = FindPlaceIn(expression.args, arguments);
                if (place.is_found) {
                    // Of the arms of an OR none is met with the others.
                    if (place.conditions == expression.args && expression.boolop != AND_EXPR)
                        place.conditions = NIL;
                    return place;
                }
            } else if (IsA(condition, BooleanTest)) {
                auto *const tested = reinterpret_cast<BooleanTest *>(condition)->arg;
                if (const Place place = FindPlaceIn(list_make1(tested), arguments); place.is_found)
                    return place;
            }
        }
        return {};
    }

    /// Calls `visit(comparison, restriction, is_lower)` for the bounds of a column until it is
    /// false.
    template <typename Visit>
    void VisitBounds(const List *conditions, const Place &place, const Node *column,
                     const Visit &visit) const {
        ListCell *cell;
        foreach (cell, conditions) {
            CHECK_FOR_INTERRUPTS(); // there may be many
            Node *condition = static_cast<Node *>(lfirst(cell));
            RestrictInfo *restriction = nullptr;
            if (IsA(condition, RestrictInfo)) {
                restriction = reinterpret_cast<RestrictInfo *>(condition);
                condition = reinterpret_cast<Node *>(restriction->clause);
                // Those of several outer joins stand in one list, and do not count together.
                if (place.restriction &&
                    !bms_equal(restriction->required_relids, place.restriction->required_relids))
                    continue;
            }
            if (!IsA(condition, OpExpr))
                continue;
            const auto &comparison = *reinterpret_cast<OpExpr *>(condition);
            const auto is_lower = IsLowerBound(comparison, column);
            if (is_lower && !visit(comparison, restriction, *is_lower))
                return;
        }
    }

    /// Answers what the planner is going to ask of another bound, where its own cache
    /// (clause_selectivity, clausesel.c) has a place for it: so each of many bounds is looked at
    /// once. With an inner or an outer join the answer is the same.
    static void Remember(RestrictInfo *restriction, double part) {
        if (!restriction || !IsOfOneRelation(*restriction))
            return;
        if (restriction->norm_selec < 0)
            restriction->norm_selec = part;
        if (restriction->outer_selec < 0)
            restriction->outer_selec = part;
    }

    double PartAmong(const Place &place, const Bound &bound, const List *arguments) const {
        Tightest lower, upper;
        const List *first = NIL;
        VisitBounds(place.conditions, place, bound.column,
                    [&](const OpExpr &comparison, RestrictInfo *, bool is_lower) {
                        if (first == NIL)
                            first = comparison.args;
                        if (place.IsWhole() && first != arguments)
                            return false;
                        const double part = comparison.args == arguments
                                                ? bound.part
                                                : BoundOf(comparison.opno, comparison.args).part;
                        (is_lower ? lower : upper).Add(comparison.args, part);
                        return true;
                    });
        // Where only the product matters it is that of the first one.
        if (place.IsWhole() && first != arguments)
            return 1;
        const double part_of_upper = PartBeside(place, bound, lower, upper);
        if (place.IsWhole())
            return lower.part * part_of_upper;
        const auto part_of = [&](const List *of) {
            return of == lower.arguments ? lower.part : of == upper.arguments ? part_of_upper : 1;
        };
        VisitBounds(place.conditions, place, bound.column,
                    [&](const OpExpr &comparison, RestrictInfo *restriction, bool) {
                        Remember(restriction, part_of(comparison.args));
                        return true;
                    });
        return part_of(arguments);
    }

    /// The part that an upper bound has of the rows that meet the lower one.
    double PartBeside(const Place &place, const Bound &bound, Tightest lower,
                      const Tightest &upper) const {
        // The predicate of an index counts together with the conditions on the index's keys.
        if (lower.arguments == NIL && place.index && IsKey(*place.index, bound.column))
            VisitBounds(bound.table->baserestrictinfo, place, bound.column,
                        [&](const OpExpr &comparison, RestrictInfo *, bool is_lower) {
                            if (is_lower)
                                lower.Add(comparison.args,
                                          BoundOf(comparison.opno, comparison.args).part);
                            return true;
                        });
        if (lower.arguments == NIL || upper.arguments == NIL)
            return upper.part;
        const double between =
            PartBetween(lower.part, upper.part,
                        nulltestsel(root_, IS_NULL, bound.column, table_, JOIN_INNER, nullptr));
        return between < lower.part ? between / lower.part : 1;
    }

    /// Whether extended statistics hold the most common combinations of a column of few values with
    /// another one of the conditions.
    bool HasCommonCombinations(const Place &place, const Bound &bound) const {
        if (place.conditions != bound.table->baserestrictinfo || bound.table->statlist == NIL)
            return false;
        Node *const column = Unlabelled(bound.column);
        if (!IsA(column, Var) || HasHistogram(column))
            return false;
        Bitmapset *attributes = nullptr;
        pull_varattnos(
            reinterpret_cast<Node *>(get_actual_clauses(const_cast<List *>(place.conditions))),
            bound.table->relid, &attributes);
        ListCell *cell;
        foreach (cell, bound.table->statlist) {
            const auto *const statistics = lfirst_node(StatisticExtInfo, cell);
            if (statistics->kind != STATS_EXT_MCV ||
                !bms_is_member(reinterpret_cast<Var *>(column)->varattno, statistics->keys))
                continue;
            int count = 0;
            for (int key = -1; (key = bms_next_member(statistics->keys, key)) >= 0;)
                count += bms_is_member(key - FirstLowInvalidHeapAttributeNumber, attributes);
            if (count > 1)
                return true;
        }
        return false;
    }

    bool HasHistogram(Node *column) const {
        VariableStatData data;
        examine_variable(root_, column, table_, &data);
        AttStatsSlot slot;
        const bool found =
            HeapTupleIsValid(data.statsTuple) &&
            get_attstatsslot(&slot, data.statsTuple, STATISTIC_KIND_HISTOGRAM, InvalidOid, 0);
        ReleaseVariableStats(data);
        return found;
    }

    /// The part that the bounds of a column have, all told as the first one's, of the rows that
    /// meet the other conditions, as the server estimates it of uuids of the same bytes: extended
    /// statistics serve only comparisons that have its own estimators
    /// (statext_is_compatible_clause_internal, extended_stats.c).
    double PartByCombinations(const Place &place, const Bound &bound, const List *arguments) const {
        List *conditions = NIL, *bounds = NIL;
        const List *first = NIL;
        ListCell *cell;
        foreach (cell, place.conditions) {
            auto *const clause = reinterpret_cast<Node *>(lfirst_node(RestrictInfo, cell)->clause);
            if (!IsA(clause, OpExpr) || get_oprrest(castNode(OpExpr, clause)->opno) != function_) {
                conditions = lappend(conditions, lfirst(cell));
                continue;
            }
            const auto &comparison = *castNode(OpExpr, clause);
            if (IsLowerBound(comparison, bound.column)) {
                bounds = lappend(bounds, OfUuids(comparison));
                if (first == NIL)
                    first = comparison.args;
            } else if (first == NIL) {
                conditions = lappend(conditions, OfUuids(comparison));
            }
        }
        const double before =
            clauselist_selectivity(root_, conditions, table_, JOIN_INNER, nullptr);
        const double after = clauselist_selectivity(root_, list_concat(conditions, bounds), table_,
                                                    JOIN_INNER, nullptr);
        const double part = after < before ? after / before : 1;
        VisitBounds(place.conditions, place, bound.column,
                    [&](const OpExpr &comparison, RestrictInfo *restriction, bool) {
                        Remember(restriction, comparison.args == first ? part : 1);
                        return true;
                    });
        return arguments == first ? part : 1;
    }

    RestrictInfo *OfUuids(const OpExpr &comparison) const {
        const auto as_uuid = [](void *node) {
            return reinterpret_cast<Expr *>(applyRelabelType(static_cast<Node *>(node), UUIDOID, -1,
                                                             InvalidOid, COERCE_IMPLICIT_CAST, -1,
                                                             false));
        };
        const int strategy = get_op_opfamily_strategy(comparison.opno, family_);
        return make_simple_restrictinfo(
            root_, make_opclause(FindOrderOperator(UUIDOID, static_cast<StrategyNumber>(strategy)),
                                 BOOLOID, false, as_uuid(linitial(comparison.args)),
                                 as_uuid(lsecond(comparison.args)), InvalidOid, InvalidOid));
    }

    static bool IsKey(const IndexOptInfo &index, Node *column) {
        for (int i = 0; i < index.nkeycolumns; ++i)
            if (match_index_to_operand(column, i, const_cast<IndexOptInfo *>(&index)))
                return true;
        return false;
    }

    /// Whether a condition is a lower or an upper bound of a column; neither if it is none that
    /// this estimator estimates, or half of an equality.
    std::optional<bool> IsLowerBound(const OpExpr &comparison, const Node *column) const {
        if (list_length(comparison.args) != 2)
            return std::nullopt;
        Node *const left = Argument(comparison.args, 0);
        Node *const right = Argument(comparison.args, 1);
        const bool is_on_left = equal(left, column);
        if ((!is_on_left && !equal(right, column)) || get_oprrest(comparison.opno) != function_ ||
            !is_pseudo_constant_clause(is_on_left ? right : left) ||
            PartOfEquality(comparison.args))
            return std::nullopt;
        const auto inequality = InequalityOf(get_op_opfamily_strategy(comparison.opno, family_));
        return inequality ? std::optional{inequality->greater == is_on_left} : std::nullopt;
    }

    PlannerInfo *root_;
    Oid function_; ///< the estimator's own
    Oid family_;
    int table_;
    Oid collation_;
};
static_assert(kMayBeJumpedOver<Estimator>);

/// The btree operator family of an operator that compares ulids, or a ulid with a uuid.
Oid FamilyOf(Oid comparison) {
    Oid left, right;
    op_input_types(comparison, &left, &right);
    return lookup_type_cache(left == UUIDOID ? right : left, TYPECACHE_BTREE_OPFAMILY)->btree_opf;
}

} // namespace

extern "C" {

/// ulid_ineqsel(internal, oid, internal, integer): restriction selectivity of <, <=, >=, >.
PG_FUNCTION_INFO_V1(ulid_ineqsel);
Datum ulid_ineqsel(PG_FUNCTION_ARGS) {
    auto *const root = reinterpret_cast<PlannerInfo *>(PG_GETARG_POINTER(0));
    const Oid comparison = PG_GETARG_OID(1);
    auto *const arguments = reinterpret_cast<List *>(PG_GETARG_POINTER(2));
    const Estimator estimator{root, fcinfo->flinfo->fn_oid, FamilyOf(comparison),
                              PG_GETARG_INT32(3), PG_GET_COLLATION()};
    PG_RETURN_FLOAT8(estimator.Estimate(comparison, arguments));
}

} // extern "C"

} // namespace ulid
