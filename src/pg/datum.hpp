// ULIDs and times as SQL passes them: what every file of pg shares.
#pragma once

#include "pg/postgres.hpp"

namespace ulid {

inline const Ulid &DatumGetUlid(Datum datum) {
    return *reinterpret_cast<const Ulid *>(DatumGetPointer(datum));
}

inline const Ulid &GetUlidArgument(FunctionCallInfo fcinfo, int index) {
    return DatumGetUlid(PG_GETARG_DATUM(index));
}

/// A Datum that points to `ulid`, which must outlive it.
inline Datum UlidGetDatum(const Ulid &ulid) { return PointerGetDatum(&ulid); }

/// A copy of a ULID in the current memory context.
inline Datum CopyUlid(const Ulid &ulid) {
    auto *const copy = static_cast<Ulid *>(palloc(sizeof(Ulid)));
    *copy = ulid;
    return PointerGetDatum(copy);
}

/// A bytea in the current memory context.
inline Datum CopyBytes(std::span<const std::uint8_t> bytes) {
    auto *const result = static_cast<bytea *>(palloc(VARHDRSZ + bytes.size()));
    SET_VARSIZE(result, VARHDRSZ + bytes.size());
    std::memcpy(VARDATA(result), bytes.data(), bytes.size());
    return PointerGetDatum(result);
}

/// The Unix epoch as the server counts time: microseconds since 2000-01-01 00:00:00 UTC.
inline constexpr std::int64_t kUnixEpoch =
    (std::int64_t{UNIX_EPOCH_JDATE} - POSTGRES_EPOCH_JDATE) * USECS_PER_DAY;

/// The last microsecond that a ULID's time can be, as the server counts time.
inline constexpr std::int64_t kLastMicrosecond =
    kUnixEpoch + static_cast<std::int64_t>(kMaxMilliseconds) * 1000 + 999;

/// The time of a ULID, in microseconds as the server counts time, in UTC.
constexpr std::int64_t MicrosecondsOf(const Ulid &ulid) {
    return kUnixEpoch + static_cast<std::int64_t>(ulid.Milliseconds()) * 1000;
}

/// Fails with 22008. `time` is a Datum of the type that `output` (timestamptz_out, timestamp_out)
/// prints.
[[noreturn]] inline void ReportTimeOutOfRange(PGFunction output, Datum time) {
    ereport(ERROR, errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
            errmsg("timestamp \"%s\" is out of range for type %s",
                   DatumGetCString(DirectFunctionCall1(output, time)), "ulid"),
            errdetail("A ULID holds times from 1970-01-01 00:00:00 UTC to "
                      "10889-08-02 05:31:50.655 UTC."));
    pg_unreachable();
}

/// The Unix millisecond, 0 to kMaxMilliseconds, that a time lies in; fails with 22008 outside of
/// what a ULID holds. `microseconds` is a timestamptz, or a timestamp read as UTC; `output` is the
/// output function of its type.
inline std::uint64_t MillisecondOf(std::int64_t microseconds, PGFunction output) {
    if (unlikely(microseconds < kUnixEpoch || microseconds > kLastMicrosecond))
        ReportTimeOutOfRange(output, Int64GetDatum(microseconds));
    return static_cast<std::uint64_t>(microseconds - kUnixEpoch) / 1000;
}

inline std::uint64_t MillisecondOf(TimestampTz time) {
    return MillisecondOf(time, timestamptz_out);
}

} // namespace ulid
