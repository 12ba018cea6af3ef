// The GIN operator class of a single ulid, for multicolumn indexes: each row has one key, itself.
#include "pg/datum.hpp"

namespace ulid {

namespace {

template <typename Value> Value *MakeOne(Value value) {
    auto *const one = static_cast<Value *>(palloc(sizeof(Value)));
    *one = value;
    return one;
}

} // namespace

extern "C" {

/// GIN support function 2: the keys of a row.
PG_FUNCTION_INFO_V1(ulid_gin_extract_value);
Datum ulid_gin_extract_value(PG_FUNCTION_ARGS) {
    *reinterpret_cast<std::int32_t *>(PG_GETARG_POINTER(1)) = 1;
    PG_RETURN_POINTER(MakeOne(PG_GETARG_DATUM(0)));
}

/// GIN support function 3: the key from which to search, onwards where keys may match in part.
PG_FUNCTION_INFO_V1(ulid_gin_extract_query);
Datum ulid_gin_extract_query(PG_FUNCTION_ARGS) {
    const Datum query = PG_GETARG_DATUM(0);
    const StrategyNumber strategy = PG_GETARG_UINT16(2);
    const bool is_from_start =
        strategy == BTLessStrategyNumber || strategy == BTLessEqualStrategyNumber;
    *reinterpret_cast<std::int32_t *>(PG_GETARG_POINTER(1)) = 1;
    *reinterpret_cast<bool **>(PG_GETARG_POINTER(3)) = MakeOne(strategy != BTEqualStrategyNumber);
    // What compare_partial is to compare with, which is not where the search starts.
    *reinterpret_cast<Pointer **>(PG_GETARG_POINTER(4)) = MakeOne(DatumGetPointer(query));
    PG_RETURN_POINTER(MakeOne(is_from_start ? UlidGetDatum(kLeast) : query));
}

/// GIN support function 4: an entry that was found is a match.
PG_FUNCTION_INFO_V1(ulid_gin_consistent);
Datum ulid_gin_consistent(PG_FUNCTION_ARGS) {
    *reinterpret_cast<bool *>(PG_GETARG_POINTER(5)) = false; // no need to check the row again
    PG_RETURN_BOOL(true);
}

/// GIN support function 5: 0 where the key matches, less where a greater one may, more where none
/// does.
PG_FUNCTION_INFO_V1(ulid_gin_compare_partial);
Datum ulid_gin_compare_partial(PG_FUNCTION_ARGS) {
    const Ulid &key = GetUlidArgument(fcinfo, 1);
    const Ulid &query = DatumGetUlid(PG_GETARG_DATUM(3));
    const int order = Compare(key, query);
    switch (static_cast<StrategyNumber>(PG_GETARG_UINT16(2))) {
    case BTLessStrategyNumber:
        PG_RETURN_INT32(order < 0 ? 0 : 1);
    case BTLessEqualStrategyNumber:
        PG_RETURN_INT32(order <= 0 ? 0 : 1);
    case BTGreaterStrategyNumber:
        PG_RETURN_INT32(order > 0 ? 0 : -1);
    default: // >=, which starts at the query
        PG_RETURN_INT32(0);
    }
}

} // extern "C"

} // namespace ulid
