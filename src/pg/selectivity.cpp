// Restriction selectivity of <, <=, >= and > for ulids. It uses the server's functions, with two
// additions.
//
// Within a histogram bin, the server interpolates only between values of its own types
// (convert_to_scalar in selfuncs.c). One of them, macaddr, is 6 bytes in network order, like the time of a
// ulid. So we tell the server that the statistics are of macaddr. (With macaddr8 it overflows: it shifts
// bytes as signed integers.)
//
// The server recognizes `id >= a AND id < b` as a range only if the operators use its own
// estimators (clauselist_selectivity in clausesel.c). Otherwise it multiplies the selectivities. So
// we estimate an upper bound among the rows that satisfy the lower bound, and the product is the
// selectivity of the range. As in the server, only the tightest lower and upper bounds count.
#include "pg/postgres.hpp"

extern "C" {
#include "access/htup_details.h"
#include "access/stratnum.h"
#include "catalog/pg_statistic.h"
#include "catalog/pg_type.h"
#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"
#include "utils/typcache.h"
}

#include <optional>

namespace ulid {

namespace {

/// How many other conditions to look at for each condition, and how many of them to estimate. Without
/// limits, a long list would take quadratic time.
constexpr int kMaxConditions = 512, kMaxBounds = 16;

/// What the estimator was called with.
struct Request {
    PlannerInfo *root;
    int table;
    Oid collation, estimator;
};

/// `column operator value`.
struct Bound {
    RelOptInfo *rel; ///< the column's table; null if the column does not belong to a single table
    Node *column;
    bool is_lower;
    double selectivity;
};

/// Estimates from the most common values, and from the histogram for all other rows.
double ColumnSelectivity(const Request &request, VariableStatData &column, Oid comparison, int strategy,
                         const Const &value) {
    if (!HeapTupleIsValid(column.statsTuple))
        return DEFAULT_INEQ_SEL;
    FmgrInfo function;
    fmgr_info(get_opcode(comparison), &function);
    double common;
    const double common_met = mcv_selectivity(&column, &function, request.collation, value.constvalue, true, &common);
    const Oid type = column.vartype;
    column.vartype = MACADDROID;
    const double others_met = ineq_histogram_selectivity(
        request.root, &column, comparison, &function, strategy >= BTGreaterEqualStrategyNumber,
        strategy == BTLessEqualStrategyNumber || strategy == BTGreaterEqualStrategyNumber, request.collation,
        value.constvalue, MACADDROID);
    column.vartype = type;
    const double nulls = reinterpret_cast<Form_pg_statistic>(GETSTRUCT(column.statsTuple))->stanullfrac;
    double selectivity = common_met + (1.0 - nulls - common) * (others_met < 0 ? 0.5 : others_met);
    CLAMP_PROBABILITY(selectivity);
    return selectivity;
}

/// Reads a comparison as a bound; none unless it compares a column of the table with a value.
std::optional<Bound> BoundOf(const Request &request, Oid comparison, List *arguments) {
    VariableStatData column;
    Node *value;
    bool is_on_left;
    if (!get_restriction_variable(request.root, arguments, request.table, &column, &value, &is_on_left))
        return std::nullopt;
    std::optional<Bound> bound;
    const Oid to_left = is_on_left ? comparison : get_commutator(comparison);
    const Oid family = lookup_type_cache(exprType(value), TYPECACHE_BTREE_OPFAMILY)->btree_opf;
    const int strategy = OidIsValid(to_left) ? get_op_opfamily_strategy(to_left, family) : InvalidStrategy;
    if (strategy != InvalidStrategy) {
        bound = {column.rel, static_cast<Node *>(list_nth(arguments, is_on_left ? 0 : 1)),
                 strategy >= BTGreaterEqualStrategyNumber, DEFAULT_INEQ_SEL};
        if (IsA(value, Const) && castNode(Const, value)->constisnull)
            bound->selectivity = 0;
        else if (IsA(value, Const) && castNode(Const, value)->constlen == sizeof(Ulid))
            bound->selectivity = ColumnSelectivity(request, column, to_left, strategy, *castNode(Const, value));
    }
    ReleaseVariableStats(column);
    return bound;
}

Node *ClauseOf(const ListCell *cell) {
    auto *const node = static_cast<Node *>(lfirst(cell));
    return IsA(node, RestrictInfo) ? reinterpret_cast<Node *>(castNode(RestrictInfo, node)->clause) : node;
}

/// The conditions that must all be met together with the comparison that has these very arguments: the list
/// itself, if it is an AND, or an AND below it. NIL if there are none, or not within `budget` clauses.
List *ConditionsBeside(List *clauses, bool is_and, const List *arguments, int &budget) {
    ListCell *cell;
    foreach (cell, clauses) {
        if (--budget < 0)
            break;
        Node *const clause = ClauseOf(cell);
        if (IsA(clause, OpExpr) && castNode(OpExpr, clause)->args == arguments)
            return is_and ? clauses : NIL;
        if (is_orclause(clause) || is_andclause(clause))
            if (List *const list =
                    ConditionsBeside(castNode(BoolExpr, clause)->args, is_andclause(clause), arguments, budget))
                return list;
    }
    return NIL;
}

/// The selectivity of a range, as clauselist_selectivity computes it.
double RangeSelectivity(const Request &request, const Bound &lower, const Bound &upper) {
    if (lower.selectivity == DEFAULT_INEQ_SEL || upper.selectivity == DEFAULT_INEQ_SEL)
        return DEFAULT_RANGE_INEQ_SEL;
    const double nulls = nulltestsel(request.root, IS_NULL, upper.column, request.table, JOIN_INNER, nullptr);
    const double range = lower.selectivity + upper.selectivity - 1.0 + nulls;
    return range < -0.01 ? DEFAULT_RANGE_INEQ_SEL : Max(range, 1.0e-10);
}

/// The selectivity of a bound, given the other bounds on the same column in a list of conditions.
double SelectivityBeside(const Request &request, const Bound &bound, const List *arguments, List *conditions) {
    std::optional<Bound> lower;
    int count = 0, bounds = 0;
    bool is_tightest = true, is_after_own = false;
    ListCell *cell;
    foreach (cell, conditions) {
        if (++count > kMaxConditions || bounds >= kMaxBounds)
            break;
        Node *const clause = ClauseOf(cell);
        if (!IsA(clause, OpExpr) || get_oprrest(castNode(OpExpr, clause)->opno) != request.estimator)
            continue;
        const OpExpr &other = *castNode(OpExpr, clause);
        if (other.args == arguments) {
            is_after_own = true;
            continue;
        }
        ++bounds;
        const std::optional<Bound> beside = BoundOf(request, other.opno, other.args);
        if (!beside || !equal(beside->column, bound.column))
            continue;
        if (beside->is_lower == bound.is_lower)
            is_tightest &=
                is_after_own ? bound.selectivity <= beside->selectivity : bound.selectivity < beside->selectivity;
        else if (beside->is_lower && (!lower || beside->selectivity < lower->selectivity))
            lower = beside;
    }
    if (!is_tightest)
        return 1.0;
    if (!lower || lower->selectivity <= 0)
        return bound.selectivity;
    return Min(1.0, RangeSelectivity(request, *lower, bound) / lower->selectivity);
}

} // namespace

extern "C" {

/// ulid_ineqsel(internal, oid, internal, integer)
PG_FUNCTION_INFO_V1(ulid_ineqsel);
Datum ulid_ineqsel(PG_FUNCTION_ARGS) {
    const Request request{Arg<PlannerInfo *>(fcinfo, 0), Arg<std::int32_t>(fcinfo, 3), PG_GET_COLLATION(),
                          fcinfo->flinfo->fn_oid};
    List *const arguments = Arg<List *>(fcinfo, 2);
    const std::optional<Bound> bound = BoundOf(request, Arg<Oid>(fcinfo, 1), arguments);
    if (!bound)
        return ToDatum(DEFAULT_INEQ_SEL);
    List *conditions = NIL;
    if (bound->rel) {
        int budget = kMaxConditions;
        conditions = ConditionsBeside(bound->rel->baserestrictinfo, true, arguments, budget);
        if (!conditions) // below an OR that is evaluated above an outer join
            conditions = ConditionsBeside(bound->rel->joininfo, false, arguments, budget);
    }
    return ToDatum(SelectivityBeside(request, *bound, arguments, conditions));
}

} // extern "C"

} // namespace ulid
