// Converts between PostgreSQL's times, microseconds since 2000-01-01 00:00:00 UTC, and ULID times.
#pragma once

#include "pg/postgres.hpp"

namespace ulid {

/// The Unix epoch as a timestamptz.
inline constexpr TimestampTz kUnixEpoch = (std::int64_t{UNIX_EPOCH_JDATE} - POSTGRES_EPOCH_JDATE) * USECS_PER_DAY;

/// The last microsecond of a ULID's time: 10889-08-02 05:31:50.655999 UTC.
inline constexpr TimestampTz kLastMicrosecond = kUnixEpoch + static_cast<std::int64_t>(kMaxMilliseconds) * 1000 + 999;

constexpr TimestampTz TimeOf(const Ulid &ulid) {
    return kUnixEpoch + static_cast<std::int64_t>(ulid.Milliseconds()) * 1000;
}

/// Reports a time that no ULID or UUIDv7 can have. Errors: 22008.
[[noreturn]] inline void ReportTimeOutOfRange(TimestampTz time, const char *what) {
    ereport(ERROR, errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
            errmsg("timestamp \"%s\" is out of range for %s",
                   DatumGetCString(DirectFunctionCall1(timestamptz_out, TimestampTzGetDatum(time))), what),
            errdetail("The time must be from 1970-01-01 00:00:00 UTC to 10889-08-02 05:31:50.655999 UTC."));
    pg_unreachable();
}

/// The Unix microseconds of a time that a ULID can have, 0 to kMaxMilliseconds * 1000 + 999. Errors: 22008.
inline std::int64_t CheckTime(TimestampTz time, const char *what = "type ulid") {
    if (unlikely(time < kUnixEpoch || time > kLastMicrosecond))
        ReportTimeOutOfRange(time, what);
    return time - kUnixEpoch;
}

/// The Unix millisecond that contains a time, 0 to kMaxMilliseconds. Errors: 22008.
inline std::uint64_t MillisecondOf(TimestampTz time) { return static_cast<std::uint64_t>(CheckTime(time)) / 1000; }

} // namespace ulid
