// The parts of a ULID, and the casts between ulid and times or bytes.
#include "pg/time.hpp"

extern "C" {
#include "access/htup_details.h"
#include "funcapi.h"
}

namespace ulid {

namespace {

/// Fails with `sqlstate` unless `bytes` holds exactly `length` bytes.
const std::uint8_t *CheckLength(const varlena *bytes, std::size_t length, int sqlstate, const char *what) {
    if (VARSIZE_ANY_EXHDR(bytes) != length)
        ereport(ERROR, errcode(sqlstate), errmsg("invalid length for %s", what),
                errdetail("Expected %d bytes, got %d.", static_cast<int>(length),
                          static_cast<int>(VARSIZE_ANY_EXHDR(bytes))));
    return reinterpret_cast<const std::uint8_t *>(VARDATA_ANY(bytes));
}

} // namespace

extern "C" {

/// ulid_timestamp(ulid), and the cast: the time as a timestamptz.
PG_FUNCTION_INFO_V1(ulid_timestamp);
Datum ulid_timestamp(PG_FUNCTION_ARGS) { return TimestampTzGetDatum(TimeOf(Arg<const Ulid &>(fcinfo, 0))); }

/// ulid_randomness(ulid): the 10 bytes after the time.
PG_FUNCTION_INFO_V1(ulid_randomness);
Datum ulid_randomness(PG_FUNCTION_ARGS) { return ToDatum(Arg<const Ulid &>(fcinfo, 0).RandomnessBytes()); }

/// make_ulid(timestamptz, bytea). Errors: 22008, 22023 unless there are 10 bytes.
PG_FUNCTION_INFO_V1(make_ulid);
Datum make_ulid(PG_FUNCTION_ARGS) {
    const std::uint64_t milliseconds = MillisecondOf(Arg<std::int64_t>(fcinfo, 0));
    Randomness randomness;
    std::memcpy(randomness.data(),
                CheckLength(Arg<const varlena *>(fcinfo, 1), randomness.size(), ERRCODE_INVALID_PARAMETER_VALUE,
                            "the randomness of a ULID"),
                randomness.size());
    return ToDatum(Ulid::FromParts(milliseconds, randomness));
}

/// ulid_parse(ulid): a row with the time, its Unix milliseconds, the randomness, and the uuid.
PG_FUNCTION_INFO_V1(ulid_parse);
Datum ulid_parse(PG_FUNCTION_ARGS) {
    TupleDesc descriptor;
    if (get_call_result_type(fcinfo, nullptr, &descriptor) != TYPEFUNC_COMPOSITE)
        elog(ERROR, "return type must be a row type");
    const Ulid &ulid = Arg<const Ulid &>(fcinfo, 0);
    Datum values[] = {
        TimestampTzGetDatum(TimeOf(ulid)),
        ToDatum(static_cast<std::int64_t>(ulid.Milliseconds())),
        ToDatum(ulid.RandomnessBytes()),
        PointerGetDatum(&ulid),
    };
    bool nulls[lengthof(values)] = {};
    return HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(descriptor), values, nulls));
}

/// ulid_min(timestamptz), and the cast: the minimum ULID of the millisecond. Errors: 22008.
PG_FUNCTION_INFO_V1(ulid_min);
Datum ulid_min(PG_FUNCTION_ARGS) { return ToDatum(Ulid::Minimum(MillisecondOf(Arg<std::int64_t>(fcinfo, 0)))); }

/// ulid_max(timestamptz): the maximum ULID of the millisecond. Errors: 22008.
PG_FUNCTION_INFO_V1(ulid_max);
Datum ulid_max(PG_FUNCTION_ARGS) { return ToDatum(Ulid::Maximum(MillisecondOf(Arg<std::int64_t>(fcinfo, 0)))); }

/// ulid_from_bytea(bytea). Errors: 22P03 unless there are 16 bytes.
PG_FUNCTION_INFO_V1(ulid_from_bytea);
Datum ulid_from_bytea(PG_FUNCTION_ARGS) {
    Ulid result;
    std::memcpy(result.bytes.data(),
                CheckLength(Arg<const varlena *>(fcinfo, 0), result.bytes.size(), ERRCODE_INVALID_BINARY_REPRESENTATION,
                            "type ulid"),
                result.bytes.size());
    return ToDatum(result);
}

} // extern "C"

} // namespace ulid
