// What generators are made of: the one place that reads the clock, the one that draws randomness,
// and the one that reports their errors.
#pragma once

#include "shell/datum.hpp"

namespace ulid {

/// The clock: Unix milliseconds. Not now(), which stands still for a transaction.
std::int64_t ReadClock();

/// Draws randomness from the pool of this process; false where there is none to be had.
bool DrawRandomness(Randomness &randomness);

/// Fails with the SQLSTATE of a generator's error.
[[noreturn]] void ReportNotGenerated(GeneratorStatus status, std::int64_t milliseconds);

/// Returns if a ULID of that time was generated; fails with the SQLSTATE of the error otherwise.
inline void CheckGenerated(GeneratorStatus status, std::int64_t milliseconds) {
    if (unlikely(status != GeneratorStatus::kGenerated))
        ReportNotGenerated(status, milliseconds);
}

/// On servers that give shared memory only at their start, asks for it there.
void RequestSharedMemory();

} // namespace ulid
