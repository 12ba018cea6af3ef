// The functions of this extension, as the catalog has them: read once, and again after any change
// of a function.
#include "pg/registry.hpp"
#include "pg/catalog_cache.hpp"

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
    "ulid_planner_in_multirange",
    "ulid_lower_bound",
    "ulid_upper_bound",
    "ulid_planner_ge",
    "ulid_planner_gt",
    "ulid_planner_lt",
    "ulid_planner_le",
    "ulid_planner_time_date",
    "ulid_planner_time_timestamp",
    "ulid_planner_range_lower",
    "ulid_planner_range_upper",
    "ulid_planner_multirange_lower",
    "ulid_planner_multirange_upper",
    "ulid_planner_prefix_lower",
    "ulid_planner_prefix_upper",
};
static_assert(std::size(kSymbols) == static_cast<std::size_t>(Function::kFunctions));

struct Entry {
    Oid oid;
    Function function;
};
static_assert(kMayBeJumpedOver<Entry>);

CatalogCache<Entry> functions;

SYSCACHE_CALLBACK(ForgetFunctions) { functions.Forget(); }

Function FunctionOfSymbol(std::string_view symbol) {
    for (std::size_t i = 1; i < std::size(kSymbols); ++i)
        if (kSymbols[i] == symbol)
            return static_cast<Function>(i);
    return Function::kNone;
}

void ReadFunction(Oid oid, CatalogCache<Entry> &cache) {
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
        if (function != Function::kNone)
            cache.Add({oid, function});
    }
    ReleaseSysCache(tuple);
}

/// All the functions that belong to the extension.
std::span<const Entry> Functions() {
    static bool is_registered = false;
    if (unlikely(!is_registered)) {
        CacheRegisterSyscacheCallback(PROCOID, ForgetFunctions, 0);
        is_registered = true;
    }
    return functions.Get([](CatalogCache<Entry> &cache) {
        const Oid extension = get_extension_oid("ulid", true);
        if (!OidIsValid(extension))
            return;
        VisitDependents(ExtensionRelationId, extension, [&](const FormData_pg_depend &dependent) {
            if (dependent.classid == ProcedureRelationId &&
                dependent.deptype == DEPENDENCY_EXTENSION)
                ReadFunction(dependent.objid, cache);
        });
    });
}

} // namespace

Function FunctionOf(Oid function) {
    // None of the server's own is ours.
    if (function < FirstNormalObjectId)
        return Function::kNone;
    for (const Entry &entry : Functions())
        if (entry.oid == function)
            return entry.function;
    return Function::kNone;
}

Oid FindFunction(Function function) {
    for (const Entry &entry : Functions())
        if (entry.function == function)
            return entry.oid;
    return InvalidOid;
}

} // namespace ulid
