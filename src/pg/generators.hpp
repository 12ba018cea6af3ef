// The clock and the randomness that all generators use.
#pragma once

#include "core/generator.hpp"
#include "pg/time.hpp"

namespace ulid {

/// The clock in Unix milliseconds, negative before 1970. Unlike now(), it advances during a
/// transaction.
inline std::int64_t ReadClock() {
    const std::int64_t microseconds = GetCurrentTimestamp() - kUnixEpoch;
    return microseconds >= 0 ? microseconds / 1000 : (microseconds - 999) / 1000;
}

/// Draws randomness from a pool in this process's memory; false if pg_strong_random fails.
bool DrawRandomness(Randomness &randomness);

/// Raises the error of a generator that was called at a time in Unix milliseconds. Errors: 22008,
/// 2200H no ULID left in the millisecond, XX000 no randomness.
void CheckGenerated(GeneratorStatus status, std::int64_t milliseconds);

} // namespace ulid
