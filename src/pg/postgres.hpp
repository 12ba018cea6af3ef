// PostgreSQL for C++: the server's headers, the differences between its versions, and typed
// wrappers for what fmgr.h does with macros.
#pragma once

extern "C" {
#include "postgres.h"

#include "catalog/pg_proc.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/plancat.h"
#include "storage/lwlock.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/timestamp.h"
#if PG_VERSION_NUM >= 160000
#include "varatt.h"
#endif
#if PG_VERSION_NUM >= 170000
#include "storage/dsm_registry.h"
#endif
}

#include <cstring>
#include <new>
#include <span>
#include <string_view>
#include <type_traits>

#include "core/ulid.hpp"

// PostgreSQL 16 introduced soft errors.
#if PG_VERSION_NUM < 160000
#define ereturn(context, dummy_value, ...) ereport(ERROR, __VA_ARGS__)
#endif

// The planner's hook for each relation of a query, called before it distributes conditions to them.
#if PG_VERSION_NUM >= 190000
#define relation_hook build_simple_rel_hook
#define RELATION_HOOK_PARAMETERS PlannerInfo *root, RelOptInfo *rel, RangeTblEntry *rte
#define RELATION_HOOK_ARGUMENTS root, rel, rte
#else
#define relation_hook get_relation_info_hook
#define RELATION_HOOK_PARAMETERS PlannerInfo *root, Oid relation, bool inh, RelOptInfo *rel
#define RELATION_HOOK_ARGUMENTS root, relation, inh, rel
#endif

namespace ulid {

// PostgreSQL 16 replaced the functions that check privileges.
inline bool MayExecute(Oid function) {
#if PG_VERSION_NUM >= 160000
    return object_aclcheck(ProcedureRelationId, function, GetUserId(), ACL_EXECUTE) == ACLCHECK_OK;
#else
    return pg_proc_aclcheck(function, GetUserId(), ACL_EXECUTE) == ACLCHECK_OK;
#endif
}

// PostgreSQL 16 gave the walker a prototype.
inline bool WalkExpression(Node *node, bool (*walker)(Node *, void *), void *context) {
#if PG_VERSION_NUM >= 160000
    return expression_tree_walker(node, walker, context);
#else
    void *const function = reinterpret_cast<void *>(walker);
    return expression_tree_walker(node, reinterpret_cast<bool (*)()>(function), context);
#endif
}

/// An object in the current memory context. T must not need a destructor, because errors skip it.
template <typename T> T *New(const T &value) {
    static_assert(std::is_trivially_destructible_v<T>);
    return new (palloc(sizeof(T))) T(value);
}

/// An argument of an SQL function: `const T &` for a type passed by reference, `const varlena *` for
/// text and bytea (detoasted), a pointer for internal, and a number for types passed by value.
template <typename T> T Arg(FunctionCallInfo fcinfo, int index) {
    const Datum datum = fcinfo->args[index].value;
    if constexpr (std::is_reference_v<T>)
        return *reinterpret_cast<std::remove_reference_t<T> *>(DatumGetPointer(datum));
    else if constexpr (std::is_same_v<T, const varlena *>)
        return pg_detoast_datum_packed(reinterpret_cast<varlena *>(DatumGetPointer(datum)));
    else if constexpr (std::is_pointer_v<T>)
        return reinterpret_cast<T>(DatumGetPointer(datum));
    else if constexpr (std::is_same_v<T, std::int64_t>)
        return DatumGetInt64(datum);
    else
        return static_cast<T>(datum);
}

/// The result of an SQL function: a number, a copy of a ULID, or a bytea of some bytes.
inline Datum Return(bool value) { return BoolGetDatum(value); }
inline Datum Return(std::int32_t value) { return Int32GetDatum(value); }
inline Datum Return(double value) { return Float8GetDatum(value); }
inline Datum Return(const Ulid &value) { return PointerGetDatum(New(value)); }
inline Datum Return(std::span<const std::uint8_t> bytes) {
    auto *const result = static_cast<bytea *>(palloc(VARHDRSZ + bytes.size()));
    SET_VARSIZE(result, VARHDRSZ + bytes.size());
    std::memcpy(VARDATA(result), bytes.data(), bytes.size());
    return PointerGetDatum(result);
}

/// The bytes of a text or bytea.
inline std::string_view Bytes(const varlena *value) { return {VARDATA_ANY(value), VARSIZE_ANY_EXHDR(value)}; }

} // namespace ulid
