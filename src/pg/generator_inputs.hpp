// The inputs of the generators: the one place that reads the clock, the one that draws randomness,
// and the one that reports their errors.
#pragma once

#include "pg/datum.hpp"

namespace ulid {

/// The clock: Unix milliseconds. Not now(), which stands still for a transaction.
/// In line, as a call would be a good part of what gen_ulid() adds to the clock.
inline std::int64_t ReadClock() {
    timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1000000;
}

/// Draws randomness from the pool of this process; false if the source fails.
bool DrawRandomness(Randomness &randomness);

/// Fails with the SQLSTATE of a generator's error.
[[noreturn]] void ReportNotGenerated(GeneratorStatus status, std::int64_t milliseconds);

/// Returns if a ULID of that time was generated; fails with the SQLSTATE of the error otherwise.
inline void CheckGenerated(GeneratorStatus status, std::int64_t milliseconds) {
    if (unlikely(status != GeneratorStatus::kGenerated))
        ReportNotGenerated(status, milliseconds);
}

} // namespace ulid
