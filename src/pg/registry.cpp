// The functions of this extension, as the catalog has them: read once, and again after any change
// of a function.
#include "pg/registry.hpp"

namespace ulid {

namespace {

/// In the order of Function.
constexpr std::string_view kSymbols[] = {
    "",
    "ulid_lt",
    "ulid_le",
    "ulid_eq",
    "ulid_ge",
    "ulid_gt",
    "ulid_lt_timestamptz",
    "ulid_le_timestamptz",
    "ulid_ge_timestamptz",
    "ulid_gt_timestamptz",
    "timestamptz_lt_ulid",
    "timestamptz_le_ulid",
    "timestamptz_ge_ulid",
    "timestamptz_gt_ulid",
    "ulid_contained_by_range",
    "range_contains_ulid",
    "ulid_contained_by_multirange",
    "multirange_contains_ulid",
    "ulid_in_multirange",
    "ulid_lower_bound",
    "ulid_upper_bound",
    "ulid_first_not_before",
    "ulid_first_after",
    "ulid_last_before",
    "ulid_last_not_after",
    "ulid_saturate_date",
    "ulid_saturate_timestamp",
    "ulid_range_first",
    "ulid_range_last",
    "ulid_multirange_first",
    "ulid_multirange_last",
    "ulid_prefix_first",
    "ulid_prefix_last",
};
static_assert(std::size(kSymbols) == static_cast<std::size_t>(Function::kFunctions));

struct Entry {
    Oid oid;
    Function function;
};
static_assert(kMayBeJumpedOver<Entry>);

constexpr int kMaxEntries = 96;
Entry entries[kMaxEntries];
int entry_count = 0;
bool is_current = false;

SYSCACHE_CALLBACK(ForgetFunctions) { is_current = false; }

Function FunctionOfSymbol(std::string_view symbol) {
    for (std::size_t i = 1; i < std::size(kSymbols); ++i)
        if (kSymbols[i] == symbol)
            return static_cast<Function>(i);
    return Function::kNone;
}

void ReadFunction(Oid oid) {
    const HeapTuple tuple = SearchSysCache1(PROCOID, ObjectIdGetDatum(oid));
    if (!HeapTupleIsValid(tuple))
        return;
    bool is_null = true;
    Datum source = 0;
    if (reinterpret_cast<Form_pg_proc>(GETSTRUCT(tuple))->prolang == ClanguageId)
        source = SysCacheGetAttr(PROCOID, tuple, Anum_pg_proc_prosrc, &is_null);
    if (!is_null) {
        const text *const symbol = DatumGetTextPP(source);
        const Function function = FunctionOfSymbol(
            {VARDATA_ANY(symbol), static_cast<std::size_t>(VARSIZE_ANY_EXHDR(symbol))});
        if (function != Function::kNone && entry_count < kMaxEntries)
            entries[entry_count++] = {oid, function};
    }
    ReleaseSysCache(tuple);
}

/// Reads all the functions that belong to the extension.
void ReadFunctions() {
    static bool is_registered = false;
    if (!is_registered) {
        CacheRegisterSyscacheCallback(PROCOID, ForgetFunctions, 0);
        is_registered = true;
    }
    entry_count = 0;
    is_current = true;
    const Oid extension = get_extension_oid("ulid", true);
    if (!OidIsValid(extension))
        return;
    const Relation dependencies = table_open(DependRelationId, AccessShareLock);
    ScanKeyData keys[2];
    ScanKeyInit(&keys[0], Anum_pg_depend_refclassid, BTEqualStrategyNumber, F_OIDEQ,
                ObjectIdGetDatum(ExtensionRelationId));
    ScanKeyInit(&keys[1], Anum_pg_depend_refobjid, BTEqualStrategyNumber, F_OIDEQ,
                ObjectIdGetDatum(extension));
    const SysScanDesc scan =
        systable_beginscan(dependencies, DependReferenceIndexId, true, nullptr, 2, keys);
    while (const HeapTuple tuple = systable_getnext(scan)) {
        const auto &dependency = *reinterpret_cast<Form_pg_depend>(GETSTRUCT(tuple));
        if (dependency.classid == ProcedureRelationId && dependency.deptype == DEPENDENCY_EXTENSION)
            ReadFunction(dependency.objid);
    }
    systable_endscan(scan);
    table_close(dependencies, AccessShareLock);
}

} // namespace

Function FunctionOf(Oid function) {
    // None of the server's own is ours.
    if (function < FirstNormalObjectId)
        return Function::kNone;
    if (unlikely(!is_current))
        ReadFunctions();
    for (int i = 0; i < entry_count; ++i)
        if (entries[i].oid == function)
            return entries[i].function;
    return Function::kNone;
}

Oid FindFunction(Function function) {
    if (unlikely(!is_current))
        ReadFunctions();
    for (int i = 0; i < entry_count; ++i)
        if (entries[i].function == function)
            return entries[i].oid;
    return InvalidOid;
}

} // namespace ulid
