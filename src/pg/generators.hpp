// What the generators share: the clock and the randomness.
#pragma once

#include "core/generator.hpp"
#include "pg/time.hpp"

namespace ulid {

/// The clock in Unix milliseconds, negative before 1970. Not now(), which stands still during a
/// transaction.
inline std::int64_t ReadClock() {
    const std::int64_t microseconds = GetCurrentTimestamp() - kUnixEpoch;
    return microseconds >= 0 ? microseconds / 1000 : (microseconds - 999) / 1000;
}

/// Draws randomness from a pool in this process's memory; false if pg_strong_random fails.
bool DrawRandomness(Randomness &randomness);

/// Reports the error of a generator that was asked at a time in Unix milliseconds. Errors: 22008,
/// 2200H a millisecond used up, XX000 no randomness.
void CheckGenerated(GeneratorStatus status, std::int64_t milliseconds);

} // namespace ulid
