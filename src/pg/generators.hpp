// The clock and the randomness that all generators use.
#pragma once

#include "pg/time.hpp"

#include <ctime>

#include "core/generator.hpp"

namespace ulid {

/// The clock as Unix time. Unlike now(), it advances during a transaction.
inline std::timespec ReadClock() {
    std::timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return now;
}

/// In Unix milliseconds, negative before 1970.
inline std::int64_t Milliseconds(const std::timespec &time) {
    return std::int64_t{time.tv_sec} * 1000 + time.tv_nsec / 1000000;
}

/// Draws randomness from a pool in this process's memory; false if pg_strong_random fails.
bool DrawRandomness(Randomness &randomness);

/// Reports the error, if any, of a generator that was called at a time in Unix milliseconds. Errors: 22008,
/// 2200H no ULID left in the millisecond, XX000 no randomness.
void CheckGenerated(GeneratorStatus status, std::int64_t milliseconds, const char *what = "type ulid");

} // namespace ulid
