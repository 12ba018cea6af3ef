// The GIN operator class of a single ulid, for multicolumn indexes: each row has one key, itself.
#include "pg/postgres.hpp"

extern "C" {
#include "access/stratnum.h"
}

namespace ulid {

extern "C" {

/// GIN support function 2: the keys of a row.
PG_FUNCTION_INFO_V1(ulid_gin_extract_value);
Datum ulid_gin_extract_value(PG_FUNCTION_ARGS) {
    *Arg<std::int32_t *>(fcinfo, 1) = 1;
    return PointerGetDatum(New(Arg<Datum>(fcinfo, 0)));
}

/// GIN support function 3: the key at which the search starts. A partial match goes on from there.
PG_FUNCTION_INFO_V1(ulid_gin_extract_query);
Datum ulid_gin_extract_query(PG_FUNCTION_ARGS) {
    const auto query = Arg<Datum>(fcinfo, 0);
    const auto strategy = Arg<StrategyNumber>(fcinfo, 2);
    const bool is_from_start = strategy == BTLessStrategyNumber || strategy == BTLessEqualStrategyNumber;
    *Arg<std::int32_t *>(fcinfo, 1) = 1;
    *Arg<bool **>(fcinfo, 3) = New(strategy != BTEqualStrategyNumber);
    // compare_partial compares with the query, which can differ from the key where the search starts.
    *Arg<Pointer **>(fcinfo, 4) = New(DatumGetPointer(query));
    return PointerGetDatum(New(is_from_start ? PointerGetDatum(&kMinimum) : query));
}

/// GIN support function 4: every entry that was found is a match.
PG_FUNCTION_INFO_V1(ulid_gin_consistent);
Datum ulid_gin_consistent(PG_FUNCTION_ARGS) {
    *Arg<bool *>(fcinfo, 5) = false; // no need to check the row again
    return ToDatum(true);
}

/// GIN support function 5: 0 if the key matches, negative if a later key may match, positive if none
/// can.
PG_FUNCTION_INFO_V1(ulid_gin_compare_partial);
Datum ulid_gin_compare_partial(PG_FUNCTION_ARGS) {
    const Ulid &key = Arg<const Ulid &>(fcinfo, 1);
    const Ulid &query = Arg<const Ulid &>(fcinfo, 3);
    const int order = Compare(key, query);
    switch (Arg<StrategyNumber>(fcinfo, 2)) {
    case BTLessStrategyNumber:
        return ToDatum(order < 0 ? 0 : 1);
    case BTLessEqualStrategyNumber:
        return ToDatum(order <= 0 ? 0 : 1);
    case BTGreaterStrategyNumber:
        return ToDatum(order > 0 ? 0 : -1);
    default: // >=, which starts at the query
        return ToDatum(0);
    }
}

} // extern "C"

} // namespace ulid
