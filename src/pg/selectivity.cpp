// Restriction selectivity of <, <=, >= and > for ulids, by the server's functions; doc/design.md says how. One lower
// bound of a column carries the selectivity of all of its lower bounds, one upper bound that of all of its upper bounds
// among the rows that satisfy the lower ones, and the others have 1, because the server multiplies them.
//
// Still different from a timestamptz column: in bitmap paths, bounds in an OR are multiplied with bounds outside of it
// (costs up to 84 times); so are ranges in the ON of an outer join on its outer side (NOT EXISTS), above one on its
// inner side or of an expression below it, in HAVING, in an OR above a partition-wise join, and below a cast to a
// domain over boolean; an index predicate that implies a constant bound leaves it in place beside a stable one;
// extended statistics serve only the server's own estimators; a range that no row can satisfy; kMaxBeside.
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

/// Of how many conditions joined by AND to look at all, which happens for each bound among them.
constexpr int kMaxBeside = 1024;

struct Request {
    PlannerInfo *root;
    int table;
    Oid collation, estimator;
};

/// `column operator value`.
struct Bound {
    RelOptInfo *rel; ///< the column's table; null if the column does not belong to a single table
    Node *column;
    Node *value; ///< as it was written, not evaluated
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
    column.vartype = MACADDROID; // nobody uses it afterwards
    const double others_met = ineq_histogram_selectivity(
        request.root, &column, comparison, &function, strategy >= BTGreaterEqualStrategyNumber,
        strategy == BTLessEqualStrategyNumber || strategy == BTGreaterEqualStrategyNumber, request.collation,
        value.constvalue, MACADDROID);
    const double nulls = reinterpret_cast<Form_pg_statistic>(GETSTRUCT(column.statsTuple))->stanullfrac;
    double selectivity = common_met + (1.0 - nulls - common) * (others_met < 0 ? 0.5 : others_met);
    CLAMP_PROBABILITY(selectivity);
    return selectivity;
}

/// The operator with the column on its left.
Oid ToLeft(Oid comparison, bool is_on_left) { return is_on_left ? comparison : get_commutator(comparison); }

/// The btree strategy of `column operator value`; InvalidStrategy if the operator is not in the value's btree family.
int StrategyOf(Oid to_left, const Node *value) {
    const Oid family = lookup_type_cache(exprType(value), TYPECACHE_BTREE_OPFAMILY)->btree_opf;
    return OidIsValid(to_left) ? get_op_opfamily_strategy(to_left, family) : InvalidStrategy;
}

/// Reads a comparison as a bound, and evaluates its value; none unless it compares a column of the table with a value.
std::optional<Bound> BoundOf(const Request &request, Oid comparison, List *arguments) {
    VariableStatData column;
    Node *value;
    bool is_on_left;
    if (!get_restriction_variable(request.root, arguments, request.table, &column, &value, &is_on_left))
        return std::nullopt;
    std::optional<Bound> bound;
    const Oid to_left = ToLeft(comparison, is_on_left);
    if (const int strategy = StrategyOf(to_left, value); strategy != InvalidStrategy) {
        const auto argument = [arguments](int i) { return static_cast<Node *>(list_nth(arguments, i)); };
        bound = {column.rel && IS_SIMPLE_REL(column.rel) ? column.rel : nullptr, argument(is_on_left ? 0 : 1),
                 argument(is_on_left ? 1 : 0), strategy >= BTGreaterEqualStrategyNumber, DEFAULT_INEQ_SEL};
        if (const auto *const constant = IsA(value, Const) ? castNode(Const, value) : nullptr)
            bound->selectivity =
                constant->constisnull ? 0 : ColumnSelectivity(request, column, to_left, strategy, *constant);
    }
    ReleaseVariableStats(column);
    return bound;
}

Node *ClauseOf(const ListCell *cell) {
    auto *const node = static_cast<Node *>(lfirst(cell));
    const auto *const info = IsA(node, RestrictInfo) ? castNode(RestrictInfo, node) : nullptr;
    return !info ? node
                 : reinterpret_cast<Node *>(info->orclause ? info->orclause : info->clause); // as it is estimated
}

/// The arguments of a comparison; null of any other condition.
const List *ArgumentsOf(Node *clause) { return IsA(clause, OpExpr) ? castNode(OpExpr, clause)->args : nullptr; }

/// What a planning notes: of the arguments of a comparison, the conditions of the AND that it stands in, unless those
/// are the table's; of a list of conditions, how many of them have been looked through.
struct Note {
    List *beside;
    int count;
};

/// Notes the comparisons in a condition that stand in an AND, and not below IS TRUE and the like.
void NoteComparisons(MemoryContext planning, Node *clause, List *beside) {
    check_stack_depth();
    for (; IsA(clause, BooleanTest); beside = NIL)
        clause = reinterpret_cast<Node *>(castNode(BooleanTest, clause)->arg);
    if (const List *const arguments = ArgumentsOf(clause); arguments && beside)
        OfAddress<Note>(planning, arguments).beside = beside;
    else if (is_andclause(clause) || is_orclause(clause)) {
        List *const parts = castNode(BoolExpr, clause)->args;
        ListCell *cell;
        foreach (cell, parts)
            NoteComparisons(planning, ClauseOf(cell), is_andclause(clause) ? parts : NIL);
    }
}

/// The conditions that must all be met together with the comparison that has these very arguments: those of its table,
/// an AND in one of them or in one above an outer join, or a partial index; NIL of what the server has made itself.
List *ConditionsBeside(MemoryContext planning, const RelOptInfo &table, const List *arguments) {
    ListCell *cell;
    if (list_length(table.baserestrictinfo) <= kMaxBeside)
        foreach (cell, table.baserestrictinfo)
            if (ArgumentsOf(ClauseOf(cell)) == arguments)
                return table.baserestrictinfo;
    const auto look_through = [planning](List *const &list, List *beside) { // the planner only adds to it
        for (int &count = OfAddress<Note>(planning, &list).count; count < list_length(list); ++count)
            NoteComparisons(planning, ClauseOf(list_nth_cell(list, count)), beside);
    };
    look_through(table.joininfo, NIL);
    look_through(table.baserestrictinfo, NIL);
    foreach (cell, table.indexlist) {
        auto *const index = lfirst_node(IndexOptInfo, cell);
        look_through(index->indpred, index->indpred);
    }
    return OfAddress<Note>(planning, arguments).beside;
}

/// The selectivity of a range, as clauselist_selectivity computes it.
double RangeSelectivity(const Request &request, const Bound &lower, const Bound &upper) {
    if (lower.selectivity == DEFAULT_INEQ_SEL || upper.selectivity == DEFAULT_INEQ_SEL)
        return DEFAULT_RANGE_INEQ_SEL;
    const double nulls = nulltestsel(request.root, IS_NULL, upper.column, request.table, JOIN_INNER, nullptr);
    const double range = lower.selectivity + upper.selectivity - 1.0 + nulls;
    return range < -0.01 ? DEFAULT_RANGE_INEQ_SEL : Max(range, 1.0e-10);
}

/// A constant ulid; null for a value that only the execution knows.
const Ulid *ConstantOf(Node *value) {
    const bool is_known = IsA(value, Const) && !castNode(Const, value)->constisnull;
    return is_known ? reinterpret_cast<const Ulid *>(DatumGetPointer(castNode(Const, value)->constvalue)) : nullptr;
}

/// Whether an expression bounds a range: as in the server, neither a column of another table nor what is volatile.
bool IsValue(const Request &request, Node *expression) {
    return IsA(expression, Const) ||
           (bms_is_empty(pull_varnos(request.root, expression)) && !contain_volatile_functions(expression));
}

/// Which of two values of one direction carries the selectivity: one that is not a constant, or else the tighter one,
/// which an index predicate implies last: the planner takes implied conditions out of the list. Nothing is evaluated.
int CompareCarriers(Node *x, Node *y, bool is_lower) {
    const Ulid *const a = ConstantOf(x), *const b = ConstantOf(y);
    if (!a || !b)
        return (a != nullptr) - (b != nullptr);
    return is_lower ? Compare(*b, *a) : Compare(*a, *b);
}

/// The selectivity of a bound beside the other bounds on its column in a list of conditions. Planning evaluates each
/// value about twice, because only the two bounds that carry the selectivity look at the others.
double SelectivityBeside(const Request &request, const Bound &bound, const List *arguments, List *conditions) {
    if (!conditions || list_length(conditions) > kMaxBeside || !IsValue(request, bound.value))
        return bound.selectivity;
    List *beside = NIL;
    bool is_after_own = false;
    ListCell *cell;
    foreach (cell, conditions) {
        Node *const clause = ClauseOf(cell);
        auto *const other = IsA(clause, OpExpr) ? castNode(OpExpr, clause) : nullptr;
        if (!other || list_length(other->args) != 2 || get_oprrest(other->opno) != request.estimator)
            continue;
        if (other->args == arguments) {
            is_after_own = true;
            continue;
        }
        const bool is_on_left = equal(linitial(other->args), bound.column);
        if (!is_on_left && !equal(lsecond(other->args), bound.column))
            continue;
        auto *const value = static_cast<Node *>(is_on_left ? lsecond(other->args) : linitial(other->args));
        const int strategy = StrategyOf(ToLeft(other->opno, is_on_left), value);
        if (strategy == InvalidStrategy || !IsValue(request, value))
            continue;
        const bool is_lower = strategy >= BTGreaterEqualStrategyNumber;
        if (is_lower == bound.is_lower) {
            const int order = CompareCarriers(value, bound.value, is_lower);
            if (order < 0 || (order == 0 && !is_after_own))
                return 1.0;
        }
        if (is_lower || !bound.is_lower)
            beside = lappend(beside, other);
    }
    std::optional<Bound> lower, upper;
    (bound.is_lower ? lower : upper) = bound;
    foreach (cell, beside) {
        auto *const other = lfirst_node(OpExpr, cell);
        if (const std::optional<Bound> next = BoundOf(request, other->opno, other->args))
            if (auto &tightest = next->is_lower ? lower : upper; !tightest || next->selectivity < tightest->selectivity)
                tightest = next;
    }
    if (bound.is_lower)
        return lower->selectivity;
    if (!lower)
        return upper->selectivity;
    return Min(1.0, RangeSelectivity(request, *lower, *upper) / lower->selectivity);
}

} // namespace

extern "C" {

/// ulid_ineqsel(internal, oid, internal, integer)
PG_FUNCTION_INFO_V1(ulid_ineqsel);
Datum ulid_ineqsel(PG_FUNCTION_ARGS) {
    const Request request{Arg<PlannerInfo *>(fcinfo, 0), Arg<std::int32_t>(fcinfo, 3), PG_GET_COLLATION(),
                          fcinfo->flinfo->fn_oid};
    List *const arguments = Arg<List *>(fcinfo, 2);
    CHECK_FOR_INTERRUPTS();
    const std::optional<Bound> bound = BoundOf(request, Arg<Oid>(fcinfo, 1), arguments);
    if (!bound)
        return ToDatum(DEFAULT_INEQ_SEL);
    List *const conditions = bound->rel ? ConditionsBeside(request.root->planner_cxt, *bound->rel, arguments) : NIL;
    return ToDatum(SelectivityBeside(request, *bound, arguments, conditions));
}

} // extern "C"

} // namespace ulid
