// Restriction selectivity of <, <=, >=, > of ulids.
//
// The server's own estimators (scalarltsel and its like, selfuncs.c) place a value within a bin of
// a histogram only if it is of one of the server's types (convert_to_scalar), and the server
// recognizes a pair of bounds only by these estimators (clauselist_selectivity, clausesel.c). So
// this one does both: it interpolates, and where a table's own conditions have a lower and an upper
// bound of a column, it gives the upper one the selectivity that it has among the rows that meet
// the lower one, so that the product of the two is that of the range.
#include "pg/planner/planner.hpp"
#include "pg/planner/statistics.hpp"

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

    /// Of a comparison with `value`, as the server's scalarineqsel.
    double Selectivity(const Const &value) {
        const auto &statistics =
            *reinterpret_cast<Form_pg_statistic>(GETSTRUCT(column_.statsTuple));
        if (!HasUlidForm(value.constlen, value.constbyval) ||
            !statistic_proc_security_check(&column_, function_.fn_oid))
            return Clamp((1.0 - statistics.stanullfrac) * 0.5);
        const Common common = CommonSelectivity(value);
        const double of_others = HistogramSelectivity(value, EqualSelectivity(common));
        return Clamp((1.0 - statistics.stanullfrac - common.frequency) *
                         (of_others < 0 ? 0.5 : of_others) +
                     common.frequency_met);
    }

  private:
    /// The most common values, and those of them that compare so.
    struct Common {
        int count;
        double frequency, frequency_met;
    };

    /// NaN, as statistics put in by hand may make it, is 0.
    static double Clamp(double selectivity) { return selectivity > 0 ? Min(1, selectivity) : 0; }

    Common CommonSelectivity(const Const &value) {
        AttStatsSlot slot;
        if (!get_attstatsslot(&slot, column_.statsTuple, STATISTIC_KIND_MCV, InvalidOid,
                              ATTSTATSSLOT_VALUES | ATTSTATSSLOT_NUMBERS))
            return {};
        Common common{slot.nnumbers, 0, 0};
        for (int i = 0; i < slot.nnumbers; ++i)
            common.frequency += slot.numbers[i];
        for (int i = 0; HoldsUlids(slot) && i < Min(slot.nvalues, slot.nnumbers); ++i)
            if (DatumGetBool(
                    FunctionCall2Coll(&function_, collation_, slot.values[i], value.constvalue)))
                common.frequency_met += slot.numbers[i];
        free_attstatsslot(&slot);
        return common;
    }

    /// Of one value, among those that are neither NULL nor most common.
    double EqualSelectivity(const Common &common) {
        bool is_default;
        const double count = get_variable_numdistinct(&column_, &is_default) - common.count;
        return count > 1 ? 1 / count : 0;
    }

    /// Among the same values; negative if nothing is known.
    double HistogramSelectivity(const Const &value, double of_one_value) {
        AttStatsSlot slot;
        if (!get_attstatsslot(&slot, column_.statsTuple, STATISTIC_KIND_HISTOGRAM, InvalidOid,
                              ATTSTATSSLOT_VALUES))
            return -1;
        double result = -1;
        if (slot.nvalues > 1 && HoldsUlids(slot)) {
            if (slot.stacoll == collation_ &&
                comparison_ops_are_compatible(slot.staop, comparison_))
                result = Interpolate(slot, DatumGetUlid(value.constvalue), of_one_value);
            else
                result = ineq_histogram_selectivity(root_, &column_, comparison_, &function_,
                                                    inequality_.greater, inequality_.or_equal,
                                                    collation_, value.constvalue, value.consttype);
        }
        free_attstatsslot(&slot);
        return result;
    }

    double Interpolate(const AttStatsSlot &slot, const Ulid &value, double of_one_value) {
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
        const double selectivity = histogram.Selectivity(inequality_, value, of_one_value);
        // As the server: without the ends, do not believe what is very little or nearly all.
        const double doubt = is_current ? 0 : 0.01 / histogram.BinCount();
        return Max(doubt, Min(1 - doubt, selectivity));
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
        const double below = ineq_histogram_selectivity(
            root_, &column_, comparison_, &function, false, true, collation_, Datum{0}, InvalidOid);
        // Only with the real end does the server believe that all, or none, lie below.
        return {search.last_bound, below == (last ? 1 : 0)};
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
    double selectivity; ///< whatever else is asked of the rows
    Node *column;       ///< null if there is none
    RelOptInfo *table;  ///< the column's
};
static_assert(kMayBeJumpedOver<Bound>);

/// The tightest of the bounds of a column on one side.
struct Tightest {
    const List *arguments = NIL; ///< its own; NIL if there is none
    double selectivity = 1;

    void Add(const List *other, double selectivity_of_other) {
        if (arguments == NIL || selectivity_of_other < selectivity) {
            arguments = other;
            selectivity = selectivity_of_other;
        }
    }
};
static_assert(kMayBeJumpedOver<Tightest>);

/// Estimates comparisons of an operator family.
class Estimator {
  public:
    /// So many bounds of one column are looked at together. More are estimated each by itself, as
    /// the time for it would grow with the square of their number.
    static constexpr int kMaxBounds = 16;

    /// `table`: the one whose columns alone are columns, those of others being constants; 0: none.
    Estimator(PlannerInfo *root, Oid function, Oid family, int table, Oid collation)
        : root_{root}, function_{function}, family_{family}, table_{table}, collation_{collation} {}

    /// Of the bounds of one column that are ANDed in a table's own conditions the tightest lower
    /// one counts in full, the tightest upper one as far as it is met where that lower one is, and
    /// the others do not count: so the product is right, in whatever order they come.
    double Estimate(Oid comparison, const List *arguments) const {
        CHECK_FOR_INTERRUPTS(); // there may be many conditions
        const Bound bound = BoundOf(comparison, arguments);
        if (!bound.column)
            return bound.selectivity;
        Tightest lower, upper;
        bool is_found = false;
        int count = 0;
        ListCell *cell;
        foreach (cell, FindConditions(bound.table->baserestrictinfo, arguments)) {
            const OpExpr *const other = ComparisonOf(static_cast<Node *>(lfirst(cell)));
            const auto is_lower = other ? IsLowerBound(*other, bound.column) : std::nullopt;
            if (!is_lower)
                continue;
            if (++count > kMaxBounds)
                return bound.selectivity;
            is_found |= other->args == arguments;
            (*is_lower ? lower : upper)
                .Add(other->args, other->args == arguments
                                      ? bound.selectivity
                                      : BoundOf(other->opno, other->args).selectivity);
        }
        if (!is_found || arguments == lower.arguments ||
            (arguments == upper.arguments && lower.arguments == NIL))
            return bound.selectivity;
        if (arguments != upper.arguments)
            return 1;
        const double of_both = SelectivityBetween(
            lower.selectivity, upper.selectivity,
            nulltestsel(root_, IS_NULL, bound.column, table_, JOIN_INNER, nullptr));
        return of_both < lower.selectivity ? of_both / lower.selectivity : 1;
    }

  private:
    Bound BoundOf(Oid comparison, const List *arguments) const {
        const auto inequality = InequalityOf(get_op_opfamily_strategy(comparison, family_));
        VariableStatData column;
        Node *other;
        bool is_on_left;
        if (!inequality || !get_restriction_variable(root_, const_cast<List *>(arguments), table_,
                                                     &column, &other, &is_on_left))
            return {DEFAULT_INEQ_SEL, nullptr, nullptr};
        const Inequality of_column{inequality->greater == is_on_left, inequality->or_equal};
        const Oid of_column_operator = is_on_left ? comparison : get_commutator(comparison);
        double selectivity = DEFAULT_INEQ_SEL;
        if (IsA(other, Const) && OidIsValid(of_column_operator)) {
            const auto &value = *reinterpret_cast<Const *>(other);
            if (value.constisnull)
                selectivity = 0;
            else if (HeapTupleIsValid(column.statsTuple))
                selectivity =
                    ColumnStatistics{root_, column, of_column_operator, of_column, collation_}
                        .Selectivity(value);
        }
        // As the server, which pairs bounds of what is of one table only.
        Node *const variable = Argument(arguments, is_on_left ? 0 : 1);
        const bool is_bound = column.rel &&
                              is_pseudo_constant_clause(Argument(arguments, is_on_left ? 1 : 0)) &&
                              NumRelids(root_, variable) == 1;
        const Bound bound{selectivity, is_bound ? variable : nullptr, column.rel};
        ReleaseVariableStats(column);
        return bound;
    }

    static const OpExpr *ComparisonOf(Node *condition) {
        if (IsA(condition, RestrictInfo))
            condition =
                reinterpret_cast<Node *>(reinterpret_cast<RestrictInfo *>(condition)->clause);
        return IsA(condition, OpExpr) ? reinterpret_cast<OpExpr *>(condition) : nullptr;
    }

    /// The ANDed conditions of which one is the comparison, found by the very list of its
    /// arguments, which the server passes on; NIL if it is none of them.
    static const List *FindConditions(const List *conditions, const List *arguments) {
        ListCell *cell;
        foreach (cell, conditions) {
            auto *condition = static_cast<Node *>(lfirst(cell));
            if (const OpExpr *const comparison = ComparisonOf(condition)) {
                if (comparison->args == arguments)
                    return conditions;
                continue;
            }
            if (IsA(condition, RestrictInfo)) {
                const auto &restriction = *reinterpret_cast<RestrictInfo *>(condition);
                condition = reinterpret_cast<Node *>(restriction.orclause ? restriction.orclause
                                                                          : restriction.clause);
            }
            const List *below = NIL;
            if (is_andclause(condition)) {
                below = FindConditions(reinterpret_cast<BoolExpr *>(condition)->args, arguments);
            } else if (is_orclause(condition)) {
                below = FindConditions(reinterpret_cast<BoolExpr *>(condition)->args, arguments);
                // Of the arms of an OR none is met with the others.
                if (below == reinterpret_cast<BoolExpr *>(condition)->args)
                    return NIL;
            }
            if (below != NIL)
                return below;
        }
        return NIL;
    }

    /// Whether a condition is a lower or an upper bound of a column; neither if it is none that
    /// this estimator estimates.
    std::optional<bool> IsLowerBound(const OpExpr &comparison, const Node *column) const {
        if (list_length(comparison.args) != 2)
            return std::nullopt;
        Node *const left = Argument(comparison.args, 0);
        Node *const right = Argument(comparison.args, 1);
        const bool is_on_left = equal(left, column);
        if ((!is_on_left && !equal(right, column)) || get_oprrest(comparison.opno) != function_ ||
            !is_pseudo_constant_clause(is_on_left ? right : left))
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
    const auto *const arguments = reinterpret_cast<List *>(PG_GETARG_POINTER(2));
    const Estimator estimator{root, fcinfo->flinfo->fn_oid, FamilyOf(comparison),
                              PG_GETARG_INT32(3), PG_GET_COLLATION()};
    PG_RETURN_FLOAT8(estimator.Estimate(comparison, arguments));
}

} // extern "C"

} // namespace ulid
