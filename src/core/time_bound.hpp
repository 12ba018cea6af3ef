// Maps times to bounds among ULIDs. Times are Unix microseconds, any 64-bit value. A ULID holds milliseconds,
// so a time stands for its millisecond.
#pragma once

#include <cstdint>
#include <limits>

#include "ulid.hpp"

namespace ulid {

/// The first ULID of the millisecond of a time. Saturates: the minimum for a time before 1970, the maximum
/// past the last millisecond.
constexpr Ulid LowerBound(std::int64_t microseconds) {
    if (microseconds < 0)
        return kMinimum;
    const std::uint64_t milliseconds = static_cast<std::uint64_t>(microseconds) / 1000;
    return milliseconds > kMaxMilliseconds ? kMaximum : Ulid::Minimum(milliseconds);
}

/// The first ULID after the millisecond of a time. Saturates as LowerBound does.
constexpr Ulid UpperBound(std::int64_t microseconds) {
    constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
    if (microseconds < 0)
        return kMinimum;
    return LowerBound(microseconds > kLast - 1000 ? kLast : microseconds + 1000);
}

/// The ULIDs from `first` to `last`, both included; none if `last` is less than `first`.
struct UlidRange {
    Ulid first, last;
};

inline constexpr UlidRange kNoUlids{kMaximum, kMinimum};

namespace vectors {

inline constexpr std::int64_t kLastMillisecondStart = static_cast<std::int64_t>(kMaxMilliseconds) * 1000;

static_assert(LowerBound(5000) == Ulid::Minimum(5) && UpperBound(5000) == Ulid::Minimum(6));
static_assert(LowerBound(5001) == Ulid::Minimum(5) && UpperBound(5999) == Ulid::Minimum(6));
static_assert(LowerBound(0) == kMinimum && UpperBound(0) == Ulid::Minimum(1));
static_assert(LowerBound(-1) == kMinimum && UpperBound(-1) == kMinimum);
static_assert(LowerBound(std::numeric_limits<std::int64_t>::min()) == kMinimum);
static_assert(UpperBound(std::numeric_limits<std::int64_t>::min()) == kMinimum);
static_assert(LowerBound(kLastMillisecondStart) == Ulid::Minimum(kMaxMilliseconds));
static_assert(LowerBound(kLastMillisecondStart + 1000) == kMaximum);
static_assert(UpperBound(kLastMillisecondStart) == kMaximum);
static_assert(LowerBound(std::numeric_limits<std::int64_t>::max()) == kMaximum);
static_assert(UpperBound(std::numeric_limits<std::int64_t>::max()) == kMaximum);
static_assert(UpperBound(std::numeric_limits<std::int64_t>::max() - 999) == kMaximum); // plus 1000 would overflow

} // namespace vectors

} // namespace ulid
