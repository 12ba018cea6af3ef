// PostgreSQL for C++: the server's headers, the differences between its versions, and typed
// wrappers for what fmgr.h does with macros.
#pragma once

extern "C" {
#include "postgres.h"

#include "fmgr.h"
#include "miscadmin.h"
#include "storage/lwlock.h"
#include "utils/builtins.h"
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

namespace ulid {

/// An object in the current memory context. T must not need a destructor, because errors skip it.
template <typename T> T *New(const T &value) {
    static_assert(std::is_trivially_destructible_v<T>);
    return new (palloc(sizeof(T))) T(value);
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
