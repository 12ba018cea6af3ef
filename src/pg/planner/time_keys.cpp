// Which tables are known by the time of a ulid. What the catalogs say of it is read when a query
// has a condition on the time, and again after a change of any table.
#include "pg/planner/time_keys.hpp"
#include "pg/catalog_cache.hpp"

namespace ulid {

namespace {

/// A column by whose time a table, or one that inherits from it, is known. Columns are inherited by
/// their names.
struct TimeKey {
    Oid table;
    NameData column;
    bool is_of_partitions;
};
static_assert(kMayBeJumpedOver<TimeKey>);

using TimeKeys = CatalogCache<TimeKey>;
TimeKeys time_keys;

void ForgetTimeKeys(Datum, Oid) { time_keys.Forget(); }

/// What a walk through an expression looks for, and the columns that it has found.
struct TimeSearch {
    Oid ulid_timestamp;
    List *columns;
};
static_assert(kMayBeJumpedOver<TimeSearch>);

bool CollectColumns(Node *node, void *context) {
    auto &search = *static_cast<TimeSearch *>(context);
    if (const Var *const column = ColumnOfTime(node, search.ulid_timestamp))
        search.columns = lappend(search.columns, const_cast<Var *>(column));
    return node && WalkExpression(node, CollectColumns, context);
}

/// The columns whose time expressions compare, as Vars: one that is true or false compares all in
/// it, any other is compared itself.
List *ComparedColumns(const List *expressions, Oid ulid_timestamp) {
    TimeSearch search{ulid_timestamp, NIL};
    ListCell *cell;
    foreach (cell, expressions) {
        auto *const expression = static_cast<Node *>(lfirst(cell));
        if (exprType(expression) == BOOLOID || ColumnOfTime(expression, ulid_timestamp))
            CollectColumns(expression, &search);
    }
    return search.columns;
}

/// An attribute of a catalog's row that holds an expression or a list of such.
List *ReadExpressions(SysCacheId cache, HeapTuple tuple, AttrNumber attribute) {
    bool is_null;
    const Datum value = SysCacheGetAttr(cache, tuple, attribute, &is_null);
    if (is_null)
        return NIL;
    auto *const node = static_cast<Node *>(stringToNode(TextDatumGetCString(value)));
    return IsA(node, List) ? reinterpret_cast<List *>(node) : list_make1(node);
}

/// Reads the keys out of the catalogs.
class Reader {
  public:
    Reader(TimeKeys &keys, Oid ulid_timestamp) : keys_{keys}, ulid_timestamp_{ulid_timestamp} {}

    void Read() {
        VisitDependents(ProcedureRelationId, ulid_timestamp_,
                        [this](const FormData_pg_depend &dependent) {
                            if (dependent.classid == RelationRelationId && dependent.objsubid == 0)
                                ReadIndex(dependent.objid) || ReadPartitionKey(dependent.objid);
                            else if (dependent.classid == ConstraintRelationId)
                                ReadConstraint(dependent.objid);
                        });
        // What is added is looked at as well.
        for (std::size_t i = 0; i < keys_.Added().size(); ++i)
            AddParents(TimeKey{keys_.Added()[i]});
    }

  private:
    /// False if it is no index.
    bool ReadIndex(Oid index) {
        const HeapTuple tuple = SearchSysCache1(INDEXRELID, ObjectIdGetDatum(index));
        if (!HeapTupleIsValid(tuple))
            return false;
        const auto &form = *reinterpret_cast<Form_pg_index>(GETSTRUCT(tuple));
        // What the index of a partitioned table is made of is known by that one. The planner uses
        // no other that is not valid.
        if (get_rel_relkind(index) == RELKIND_PARTITIONED_INDEX ||
            (form.indisvalid && !get_rel_relispartition(index))) {
            Add(form.indrelid, ReadExpressions(INDEXRELID, tuple, Anum_pg_index_indexprs), false);
            Add(form.indrelid, ReadExpressions(INDEXRELID, tuple, Anum_pg_index_indpred), false);
        }
        ReleaseSysCache(tuple);
        return true;
    }

    bool ReadPartitionKey(Oid table) {
        const HeapTuple tuple = SearchSysCache1(PARTRELID, ObjectIdGetDatum(table));
        if (!HeapTupleIsValid(tuple))
            return false;
        Add(table, ReadExpressions(PARTRELID, tuple, Anum_pg_partitioned_table_partexprs), true);
        ReleaseSysCache(tuple);
        return true;
    }

    void ReadConstraint(Oid constraint) {
        const HeapTuple tuple = SearchSysCache1(CONSTROID, ObjectIdGetDatum(constraint));
        if (!HeapTupleIsValid(tuple))
            return;
        Add(reinterpret_cast<Form_pg_constraint>(GETSTRUCT(tuple))->conrelid,
            ReadExpressions(CONSTROID, tuple, Anum_pg_constraint_conbin), false);
        ReleaseSysCache(tuple);
    }

    void Add(Oid table, const List *expressions, bool is_of_partitions) {
        ListCell *cell;
        foreach (cell, ComparedColumns(expressions, ulid_timestamp_)) {
            TimeKey key{table, {}, is_of_partitions};
            // Null if the table has been dropped in the meantime.
            if (const char *const name =
                    get_attname(table, static_cast<Var *>(lfirst(cell))->varattno, true)) {
                namestrcpy(&key.column, name);
                AddOnce(key);
            }
        }
    }

    void AddOnce(const TimeKey &key) {
        for (const TimeKey &added : keys_.Added())
            if (added.table == key.table && added.is_of_partitions == key.is_of_partitions &&
                namestrcmp(const_cast<Name>(&added.column), NameStr(key.column)) == 0)
                return;
        keys_.Add(key);
    }

    void AddParents(const TimeKey &child) {
        const Relation inherits = table_open(InheritsRelationId, AccessShareLock);
        ScanKeyData key;
        ScanKeyInit(&key, Anum_pg_inherits_inhrelid, BTEqualStrategyNumber, F_OIDEQ,
                    ObjectIdGetDatum(child.table));
        const SysScanDesc scan =
            systable_beginscan(inherits, InheritsRelidSeqnoIndexId, true, nullptr, 1, &key);
        while (const HeapTuple tuple = systable_getnext(scan))
            AddOnce({reinterpret_cast<Form_pg_inherits>(GETSTRUCT(tuple))->inhparent, child.column,
                     false});
        systable_endscan(scan);
        table_close(inherits, AccessShareLock);
    }

    TimeKeys &keys_;
    Oid ulid_timestamp_;
};
static_assert(kMayBeJumpedOver<Reader>);

std::span<const TimeKey> FindTimeKeys(Oid ulid_timestamp) {
    static Oid of = InvalidOid;
    if (!OidIsValid(of))
        CacheRegisterRelcacheCallback(ForgetTimeKeys, Datum{0});
    if (of != ulid_timestamp)
        time_keys.Forget();
    of = ulid_timestamp;
    return time_keys.Get([&](TimeKeys &keys) { Reader{keys, ulid_timestamp}.Read(); });
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

bool IsKnownByTime(const PlannerInfo *root, const RelOptInfo *rel, const Var *column,
                   Oid ulid_timestamp) {
    ListCell *cell;
    foreach (cell, rel->indexlist) {
        const auto *const index = lfirst_node(IndexOptInfo, cell);
        for (const List *const expressions : {index->indexprs, index->indpred}) {
            ListCell *compared;
            foreach (compared, ComparedColumns(expressions, ulid_timestamp))
                if (static_cast<Var *>(lfirst(compared))->varattno == column->varattno)
                    return true;
        }
    }
    const Oid table = root->simple_rte_array[rel->relid]->relid;
    const char *const name = get_attname(table, column->varattno, false);
    for (const TimeKey &key : FindTimeKeys(ulid_timestamp))
        if (namestrcmp(const_cast<Name>(&key.column), name) == 0 &&
            (key.table == table || (key.is_of_partitions && get_rel_relispartition(table) &&
                                    list_member_oid(get_partition_ancestors(table), key.table))))
            return true;
    return false;
}

} // namespace ulid
