// PostgreSQL for C++: the server's headers, the differences between its versions, and typed
// wrappers for what fmgr.h does with macros.
#pragma once

extern "C" {
#include "postgres.h"

#include "fmgr.h"
#include "miscadmin.h"
#include "storage/lwlock.h"
#include "utils/builtins.h"
#include "utils/hsearch.h"
#include "utils/memutils.h"
#include "utils/timestamp.h"
#if PG_VERSION_NUM >= 160000
#include "varatt.h"
#endif
#if PG_VERSION_NUM >= 170000
#include "storage/dsm_registry.h"
#endif
#if PG_VERSION_NUM >= 180000
#include "access/cmptype.h"
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

// PostgreSQL 18 introduced comparisons that do not depend on an index method, and the version of a module.
#if PG_VERSION_NUM < 180000
enum CompareType { COMPARE_LT = 1, COMPARE_LE, COMPARE_EQ, COMPARE_GE, COMPARE_GT, COMPARE_NE };
#endif
#ifndef PG_MODULE_MAGIC_EXT
#define PG_MODULE_MAGIC_EXT(...) PG_MODULE_MAGIC
#endif

namespace ulid {

/// A number for locks of that name.
inline int NewTrancheId([[maybe_unused]] const char *name) {
#if PG_VERSION_NUM >= 190000
    return LWLockNewTrancheId(name);
#else
    return LWLockNewTrancheId();
#endif
}

/// So that pg_stat_activity shows a wait event of that name. Each process keeps its own list of names, and inherits
/// that of the postmaster. On 19 and later the list is shared, and NewTrancheId adds to it.
inline void RegisterTranche([[maybe_unused]] const LWLock &lock, [[maybe_unused]] const char *name) {
#if PG_VERSION_NUM < 190000
    LWLockRegisterTranche(lock.tranche, name);
#endif
}

/// Whether a module needs no preloading: processes share memory by name (from 17 on), and the names of tranches.
inline constexpr bool kNeedsNoPreloading = PG_VERSION_NUM >= 190000;

/// Shared memory of that name, on 17 and later. Before, returns null.
template <typename T> T *NamedSharedMemory([[maybe_unused]] const char *name, [[maybe_unused]] void (*init)(void *)) {
    [[maybe_unused]] bool found;
#if PG_VERSION_NUM >= 190000
    const auto init_with = [](void *memory, void *argument) { reinterpret_cast<void (*)(void *)>(argument)(memory); };
    return static_cast<T *>(GetNamedDSMSegment(name, sizeof(T), init_with, &found, reinterpret_cast<void *>(init)));
#elif PG_VERSION_NUM >= 170000
    return static_cast<T *>(GetNamedDSMSegment(name, sizeof(T), init, &found));
#else
    return nullptr;
#endif
}

/// An object in the current memory context. T must not need a destructor, because errors skip it.
template <typename T> T *New(const T &value) {
    static_assert(std::is_trivially_destructible_v<T>);
    return new (palloc(sizeof(T))) T(value);
}

/// The T of an address, zero at first, for as long as a memory context lives. The context has a hash table of them, as
/// the argument of a callback that does nothing: whatever else happens in the process, the two go together.
template <typename T> T &OfAddress(MemoryContext context, const void *address) {
    struct Entry {
        const void *address;
        T value;
    };
    constexpr MemoryContextCallbackFunction kMark = [](void *) {};
    MemoryContextCallback *callback = context->reset_cbs;
    while (callback && callback->func != kMark)
        callback = callback->next;
    if (!callback) {
        HASHCTL control{};
        control.keysize = sizeof(Entry::address);
        control.entrysize = sizeof(Entry);
        control.hcxt = context;
        callback = static_cast<MemoryContextCallback *>(MemoryContextAllocZero(context, sizeof(MemoryContextCallback)));
        callback->func = kMark;
        callback->arg = hash_create("by address", 64, &control, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
        MemoryContextRegisterResetCallback(context, callback);
    }
    bool found;
    auto *const entry =
        static_cast<Entry *>(hash_search(static_cast<HTAB *>(callback->arg), &address, HASH_ENTER, &found));
    return found ? entry->value : entry->value = T{};
}

/// An argument of an SQL function: `const T &` for a type passed by reference, `const varlena *` for
/// text and bytea (detoasted), a pointer for internal, an integer, or the Datum itself.
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
    else {
        static_assert(std::is_integral_v<T>, "a Datum holds a floating-point number by its bits");
        return static_cast<T>(datum);
    }
}

/// A Datum of a number, of a copy of a ULID, or of a bytea with some bytes.
inline Datum ToDatum(bool value) { return BoolGetDatum(value); }
inline Datum ToDatum(std::int32_t value) { return Int32GetDatum(value); }
inline Datum ToDatum(std::int64_t value) { return Int64GetDatum(value); }
inline Datum ToDatum(double value) { return Float8GetDatum(value); }
inline Datum ToDatum(const Ulid &value) { return PointerGetDatum(New(value)); }
inline Datum ToDatum(std::span<const std::uint8_t> bytes) {
    auto *const result = static_cast<bytea *>(palloc(VARHDRSZ + bytes.size()));
    SET_VARSIZE(result, VARHDRSZ + bytes.size());
    std::memcpy(VARDATA(result), bytes.data(), bytes.size());
    return PointerGetDatum(result);
}

/// The bytes of a text or bytea.
inline std::string_view Bytes(const varlena *value) { return {VARDATA_ANY(value), VARSIZE_ANY_EXHDR(value)}; }

} // namespace ulid
