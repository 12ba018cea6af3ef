// What lets an index of uuids serve conditions with ulids, and the reverse. The comparisons of ulid
// with uuid are those of order.cpp under SQL names of their own, as the bytes are the same.
#include "pg/planner/planner.hpp"

namespace ulid {

namespace {

/// The btree strategy of the comparison that an SQL function is; InvalidStrategy for another.
StrategyNumber StrategyOf(Oid function) {
    switch (FunctionOf(function)) {
    case Function::ulid_lt:
        return BTLessStrategyNumber;
    case Function::ulid_le:
        return BTLessEqualStrategyNumber;
    case Function::ulid_eq:
        return BTEqualStrategyNumber;
    case Function::ulid_ge:
        return BTGreaterEqualStrategyNumber;
    case Function::ulid_gt:
        return BTGreaterStrategyNumber;
    default:
        return InvalidStrategy;
    }
}

/// `node`, a ulid or uuid expression, as the one or the other: the same bytes, so only a label.
Node *Relabel(Node *node, Oid type) {
    return applyRelabelType(node, type, -1, InvalidOid, COERCE_EXPLICIT_CAST, -1, false);
}

/// Whether an expression is computed as a uuid, beneath its labels.
bool IsUuid(Node *node) { return getBaseType(exprType(Unlabelled(node))) == UUIDOID; }

/// The operator between two values of `type`, ulid or uuid, that compares as a function of ours
/// does.
Oid OperatorOf(Oid function, Oid type) {
    const StrategyNumber strategy = StrategyOf(function);
    return strategy == InvalidStrategy ? InvalidOid : FindOrderOperator(type, strategy);
}

/// left `operator_id` right, both as `type`.
Node *MakeComparison(Oid operator_id, Oid type, Node *left, Node *right) {
    return reinterpret_cast<Node *>(
        MakeCondition(operator_id, Relabel(left, type), Relabel(right, type)));
}

/// A comparison of a uuid column of the query becomes the server's own comparison of uuids.
///
/// Only so can a join use a btree index of the server's class uuid_ops: the planner takes a join
/// clause to an index only if the clause's own operator is in the index's family
/// (ec_member_matches_indexcol), and does not ask a support function. An index of ulid_ops on the
/// other side serves the new clause too, because that family holds the server's operators, and the
/// planner looks for an indexed column beneath a RelabelType.
Node *Simplify(const SupportRequestSimplify &request) {
    const List *const arguments = request.fcall->args;
    if (list_length(arguments) != 2)
        return nullptr;
    Node *const left = Argument(arguments, 0);
    Node *const right = Argument(arguments, 1);
    if (!(IsUuid(left) && contain_var_clause(left)) &&
        !(IsUuid(right) && contain_var_clause(right)))
        return nullptr;
    const Oid uuid_operator = OperatorOf(request.fcall->funcid, UUIDOID);
    return OidIsValid(uuid_operator) ? MakeComparison(uuid_operator, UUIDOID, left, right)
                                     : nullptr;
}

/// The condition that a comparison is for an index that knows only uuids, or only ulids: of a uuid
/// column, a comparison that the planner made after it simplified, such as with the bound of a
/// time; of a ulid column, a comparison with a uuid where the index's family is not ulid_ops.
List *MakeIndexCondition(SupportRequestIndexCondition &request) {
    const List *const arguments = ArgumentsOf(request.node);
    if (list_length(arguments) != 2 || (request.indexarg != 0 && request.indexarg != 1))
        return NIL;
    Node *const column = Argument(arguments, request.indexarg);
    Node *const value = Argument(arguments, 1 - request.indexarg);
    const Oid column_type = getBaseType(exprType(column));
    for (const Oid type : {Oid{UUIDOID}, column_type}) {
        Oid comparator = OperatorOf(request.funcid, type);
        if (OidIsValid(comparator) && request.indexarg == 1)
            comparator = get_commutator(comparator);
        if (!OidIsValid(comparator) || !op_in_opfamily(comparator, request.opfamily))
            continue;
        if (!is_pseudo_constant_for_index(request.root, value, request.index))
            return NIL;
        request.lossy = false;
        return list_make1(MakeComparison(comparator, type, column, value));
    }
    return NIL;
}

} // namespace

void OrderIndexesByColumn(PlannerInfo *root, RelOptInfo *rel) {
    ListCell *cell;
    foreach (cell, rel->indexlist) {
        auto *const index = lfirst_node(IndexOptInfo, cell);
        if (!index->sortopfamily)
            continue;
        for (int key = 0; key < index->nkeycolumns; ++key) {
            if (likely(index->opcintype[key] != UUIDOID) ||
                index->opfamily[key] < FirstNormalObjectId || index->indexkeys[key] <= 0)
                continue;
            const Oid type =
                getBaseType(get_atttype(root->simple_rte_array[rel->relid]->relid,
                                        static_cast<AttrNumber>(index->indexkeys[key])));
            if (lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY)->btree_opf ==
                index->opfamily[key])
                index->opcintype[key] = type;
        }
    }
}

extern "C" {

/// Planner support of the comparisons, save <>, of ulids with each other and with uuids.
PG_FUNCTION_INFO_V1(ulid_uuid_support);
Datum ulid_uuid_support(PG_FUNCTION_ARGS) {
    return AnswerSupportRequest(fcinfo, Simplify, MakeIndexCondition);
}

} // extern "C"

} // namespace ulid
