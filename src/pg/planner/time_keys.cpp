// Which tables are known by the time of a ulid. A table tells itself, by what the server has read
// of it. Of those that inherit from it the catalogs tell, which are read when a query has a
// condition on the time of such a table, and again after a change of any table.
#include "pg/planner/time_keys.hpp"
#include "pg/catalog_cache.hpp"

namespace ulid {

namespace {

/// What a walk through an expression looks for, and the columns that it has found.
struct TimeSearch {
    Oid ulid_timestamp;
    List *columns;
};
static_assert(kMayBeJumpedOver<TimeSearch>);

bool CollectColumns(Node *node, void *context) {
    auto &search = *static_cast<TimeSearch *>(context);
    if (const Var *const column = ColumnOfTime(node, search.ulid_timestamp))
        search.columns = lappend_int(search.columns, column->varattno);
    return node && WalkExpression(node, CollectColumns, context);
}

/// The columns, as numbers, whose time an expression compares or is: one that is true or false
/// compares all in it, and any other is of no use but as a whole.
List *ComparedColumns(Node *expression, Oid ulid_timestamp) {
    TimeSearch search{ulid_timestamp, NIL};
    if (exprType(expression) == BOOLOID || ColumnOfTime(expression, ulid_timestamp))
        CollectColumns(expression, &search);
    return search.columns;
}

/// Whether expressions compare the time of a column, or are it.
bool HasTimeOf(const List *expressions, AttrNumber column, Oid ulid_timestamp) {
    ListCell *cell;
    foreach (cell, expressions)
        if (list_member_int(ComparedColumns(static_cast<Node *>(lfirst(cell)), ulid_timestamp),
                            column))
            return true;
    return false;
}

/// A table that another one inherits from, which is known by the time of a column. Columns are
/// inherited by their names.
struct TimeKey {
    Oid table;
    NameData column;
};
static_assert(kMayBeJumpedOver<TimeKey>);

using TimeKeys = CatalogCache<TimeKey>;
TimeKeys time_keys;

void ForgetTimeKeys(Datum, Oid) { time_keys.Forget(); }

bool Contains(std::span<const TimeKey> keys, Oid table, const char *column) {
    for (const TimeKey &key : keys)
        if (key.table == table && namestrcmp(const_cast<Name>(&key.column), column) == 0)
            return true;
    return false;
}

/// Reads the keys out of the catalogs.
class Reader {
  public:
    Reader(TimeKeys &keys, Oid ulid_timestamp) : keys_{keys}, ulid_timestamp_{ulid_timestamp} {}

    void Read() {
        VisitDependents(ProcedureRelationId, ulid_timestamp_,
                        [this](const FormData_pg_depend &dependent) {
                            CHECK_FOR_INTERRUPTS();
                            if (dependent.classid == ConstraintRelationId)
                                ReadConstraint(dependent.objid);
                            else if (dependent.classid == RelationRelationId &&
                                     dependent.objsubid == 0 && !ReadIndex(dependent.objid))
                                ReadPartitionKey(dependent.objid);
                        });
    }

  private:
    /// False if it is no index.
    bool ReadIndex(Oid index) {
        const HeapTuple tuple = SearchSysCache1(INDEXRELID, ObjectIdGetDatum(index));
        if (!HeapTupleIsValid(tuple))
            return false;
        const auto &form = *reinterpret_cast<Form_pg_index>(GETSTRUCT(tuple));
        const bool is_partitioned = get_rel_relkind(index) == RELKIND_PARTITIONED_INDEX;
        // A part of an index of the partitioned table, which is a dependent itself, and one that is
        // not valid add nothing.
        if (is_partitioned || (form.indisvalid && !get_rel_relispartition(index))) {
            Add(form.indrelid, INDEXRELID, tuple, Anum_pg_index_indexprs);
            Add(form.indrelid, INDEXRELID, tuple, Anum_pg_index_indpred);
        }
        ReleaseSysCache(tuple);
        return true;
    }

    void ReadPartitionKey(Oid table) {
        const HeapTuple tuple = SearchSysCache1(PARTRELID, ObjectIdGetDatum(table));
        if (!HeapTupleIsValid(tuple))
            return;
        Add(table, PARTRELID, tuple, Anum_pg_partitioned_table_partexprs);
        ReleaseSysCache(tuple);
    }

    void ReadConstraint(Oid constraint) {
        const HeapTuple tuple = SearchSysCache1(CONSTROID, ObjectIdGetDatum(constraint));
        if (!HeapTupleIsValid(tuple))
            return;
        const auto &form = *reinterpret_cast<Form_pg_constraint>(GETSTRUCT(tuple));
        if (OidIsValid(form.conrelid))
            Add(form.conrelid, CONSTROID, tuple, Anum_pg_constraint_conbin);
        ReleaseSysCache(tuple);
    }

    /// What an attribute of a catalog's row, an expression or a list of such, says of the tables
    /// that `table` inherits from.
    void Add(Oid table, SysCacheId cache, HeapTuple tuple, AttrNumber attribute) {
        bool is_null;
        const Datum value = SysCacheGetAttr(cache, tuple, attribute, &is_null);
        if (is_null)
            return;
        auto *const node = static_cast<Node *>(stringToNode(TextDatumGetCString(value)));
        List *const expressions =
            IsA(node, List) ? reinterpret_cast<List *>(node) : list_make1(node);
        ListCell *cell;
        foreach (cell, expressions) {
            ListCell *column;
            foreach (column, ComparedColumns(static_cast<Node *>(lfirst(cell)), ulid_timestamp_))
                // Null if the table has been dropped in the meantime.
                if (const char *const name =
                        get_attname(table, static_cast<AttrNumber>(lfirst_int(column)), true))
                    AddParents(table, name);
        }
    }

    void AddParents(Oid table, const char *column) {
        const Relation inherits = table_open(InheritsRelationId, AccessShareLock);
        ScanKeyData key;
        ScanKeyInit(&key, Anum_pg_inherits_inhrelid, BTEqualStrategyNumber, F_OIDEQ,
                    ObjectIdGetDatum(table));
        const SysScanDesc scan =
            systable_beginscan(inherits, InheritsRelidSeqnoIndexId, true, nullptr, 1, &key);
        while (const HeapTuple tuple = systable_getnext(scan)) {
            TimeKey parent{reinterpret_cast<Form_pg_inherits>(GETSTRUCT(tuple))->inhparent, {}};
            namestrcpy(&parent.column, column);
            if (!Contains(keys_.Added(), parent.table, column)) {
                keys_.Add(parent);
                AddParents(parent.table, column);
            }
        }
        systable_endscan(scan);
        table_close(inherits, AccessShareLock);
    }

    TimeKeys &keys_;
    Oid ulid_timestamp_;
};
static_assert(kMayBeJumpedOver<Reader>);

/// Whether a table is known by the time of a column of those that inherit from it.
bool IsKnownByChildren(Oid table, const char *column, Oid ulid_timestamp) {
    static Oid of = InvalidOid;
    if (!OidIsValid(of))
        CacheRegisterRelcacheCallback(ForgetTimeKeys, Datum{0});
    if (of != ulid_timestamp)
        time_keys.Forget();
    of = ulid_timestamp;
    return Contains(time_keys.Get([&](TimeKeys &keys) {
        Reader{keys, ulid_timestamp}.Read();
    }),
                    table, column);
}

/// The conditions that all rows of a table meet and that the planner looks at: the partition's own
/// and those of CHECK constraints.
List *Constraints(PlannerInfo *root, Relation relation, bool is_inherited) {
    const bool is_on = constraint_exclusion == CONSTRAINT_EXCLUSION_ON;
    if (!is_on && !(is_inherited && constraint_exclusion == CONSTRAINT_EXCLUSION_PARTITION))
        return NIL;
    List *result = is_on ? list_copy(RelationGetPartitionQual(relation)) : NIL;
    if (const TupleConstr *const constraints = relation->rd_att->constr)
        for (int i = 0; i < constraints->num_check; ++i)
            result = lappend(result, stringToNode(constraints->check[i].ccbin));
    // With SQL functions inlined.
    return reinterpret_cast<List *>(eval_const_expressions(root, reinterpret_cast<Node *>(result)));
}

/// What a table's indexes are by, of which the planner reads no list if it is inherited from.
List *IndexExpressions(Relation relation) {
    List *result = NIL;
    ListCell *cell;
    foreach (cell, RelationGetIndexList(relation)) {
        const Relation index = index_open(lfirst_oid(cell), AccessShareLock);
        result = list_concat(result, RelationGetIndexExpressions(index));
        result = list_concat(result, RelationGetIndexPredicate(index));
        index_close(index, AccessShareLock);
    }
    return result;
}

} // namespace

const Var *ColumnOfTime(Node *expression, Oid ulid_timestamp) {
    if (!expression || !IsA(expression, FuncExpr) ||
        reinterpret_cast<FuncExpr *>(expression)->funcid != ulid_timestamp)
        return nullptr;
    const Node *const ulid =
        Unlabelled(Argument(reinterpret_cast<FuncExpr *>(expression)->args, 0));
    return IsA(ulid, Var) ? reinterpret_cast<const Var *>(ulid) : nullptr;
}

bool IsKnownByTime(PlannerInfo *root, const RelOptInfo *rel, const Var *column,
                   Oid ulid_timestamp) {
    const Oid table = root->simple_rte_array[rel->relid]->relid;
    // Not the query's word: TimescaleDB hides from the planner that a hypertable has chunks.
    const bool is_inherited = has_subclass(table);
    List *expressions = NIL;
    ListCell *cell;
    foreach (cell, rel->indexlist) {
        const auto *const index = lfirst_node(IndexOptInfo, cell);
        expressions = list_concat(expressions, index->indexprs);
        expressions = list_concat(expressions, index->indpred);
    }
    for (int i = 0; rel->part_scheme && i < rel->part_scheme->partnatts; ++i)
        expressions = list_concat(expressions, rel->partexprs[i]);
    expressions = list_concat(expressions, rel->partition_qual);
    const Relation relation = table_open(table, NoLock);
    expressions = list_concat(expressions, Constraints(root, relation, is_inherited));
    if (is_inherited)
        expressions = list_concat(expressions, IndexExpressions(relation));
    table_close(relation, NoLock);
    return HasTimeOf(expressions, column->varattno, ulid_timestamp) ||
           (is_inherited &&
            IsKnownByChildren(table, get_attname(table, column->varattno, false), ulid_timestamp));
}

bool MayBeFoundBy(const PlannerInfo *root, Node *expression, Index relation) {
    bool result = false;
    ListCell *cell;
    foreach (cell, pull_var_clause(expression, PVC_RECURSE_PLACEHOLDERS)) {
        const auto &column = *lfirst_node(Var, cell);
        const RangeTblEntry &entry = *root->simple_rte_array[column.varno];
        if (static_cast<Index>(column.varno) == relation)
            continue;
        // Of the tables of a UNION ALL and of another server nothing is known here.
        if (entry.rtekind == RTE_RELATION ? entry.relkind == RELKIND_FOREIGN_TABLE : entry.inh)
            return true;
        if (entry.rtekind != RTE_RELATION)
            continue;
        const Relation table = table_open(entry.relid, NoLock);
        result = result || has_subclass(entry.relid);
        ListCell *index_cell;
        foreach (index_cell, RelationGetIndexList(table)) {
            const Relation index = index_open(lfirst_oid(index_cell), AccessShareLock);
            for (int key = 0; key < index->rd_index->indnatts; ++key) {
                const AttrNumber attribute = index->rd_index->indkey.values[key];
                result = result || attribute == column.varattno || attribute == 0;
            }
            index_close(index, AccessShareLock);
        }
        table_close(table, NoLock);
    }
    return result;
}

} // namespace ulid
