// The one place that maps a time to a bound among ULIDs. Times are Unix microseconds, any 64-bit
// value; a ULID's time is its millisecond, exactly.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "ulid.hpp"

namespace ulid {

/// The least ULID whose time is not before `microseconds`; none past the last millisecond.
constexpr std::optional<Ulid> FirstNotBefore(std::int64_t microseconds) {
    if (microseconds <= 0)
        return kLeast;
    const std::uint64_t milliseconds = static_cast<std::uint64_t>(microseconds - 1) / 1000 + 1;
    if (milliseconds > kMaxMilliseconds)
        return std::nullopt;
    return Ulid::Least(milliseconds);
}

/// The least ULID whose time is after `microseconds`; none past the last millisecond.
constexpr std::optional<Ulid> FirstAfter(std::int64_t microseconds) {
    if (microseconds < 0)
        return kLeast;
    const std::uint64_t milliseconds = static_cast<std::uint64_t>(microseconds) / 1000 + 1;
    if (milliseconds > kMaxMilliseconds)
        return std::nullopt;
    return Ulid::Least(milliseconds);
}

/// The greatest ULID less than `bound`, a result of FirstNotBefore or FirstAfter; none before the
/// least ULID. If there is no bound, every ULID lies before it.
constexpr std::optional<Ulid> LastBelow(const std::optional<Ulid> &bound) {
    if (!bound)
        return kGreatest;
    const std::uint64_t milliseconds = bound->Milliseconds();
    if (milliseconds == 0)
        return std::nullopt;
    return Ulid::Greatest(milliseconds - 1);
}

/// The greatest ULID whose time is before `microseconds`; none where that is 1970 or earlier.
constexpr std::optional<Ulid> LastBefore(std::int64_t microseconds) {
    return LastBelow(FirstNotBefore(microseconds));
}

/// The greatest ULID whose time is not after `microseconds`; none before 1970.
constexpr std::optional<Ulid> LastNotAfter(std::int64_t microseconds) {
    return LastBelow(FirstAfter(microseconds));
}

/// FirstNotBefore where ULIDs and times are one order: the greatest ULID lies after every time.
constexpr Ulid LowerBound(std::int64_t microseconds) {
    return FirstNotBefore(microseconds).value_or(kGreatest);
}

/// FirstAfter in the same order.
constexpr Ulid UpperBound(std::int64_t microseconds) {
    return FirstAfter(microseconds).value_or(kGreatest);
}

/// The ULIDs from `first` to `last`, both included; none where `last` is less than `first`.
struct UlidRange {
    Ulid first, last;
};
static_assert(kMayBeJumpedOver<UlidRange>);

inline constexpr UlidRange kAllUlids{kLeast, kGreatest};
inline constexpr UlidRange kNoUlids{kGreatest, kLeast};

constexpr bool Contains(const UlidRange &range, const Ulid &ulid) {
    return Compare(range.first, ulid) <= 0 && Compare(ulid, range.last) <= 0;
}

/// One end of a range of times. Without a time it is unbounded.
struct TimeEnd {
    std::optional<std::int64_t> microseconds;
    bool inclusive;
};
static_assert(kMayBeJumpedOver<TimeEnd>);

/// The ULIDs between two ends, compared as LowerBound and UpperBound do; kNoUlids where there are
/// none.
constexpr UlidRange UlidsBetween(const TimeEnd &lower, const TimeEnd &upper) {
    UlidRange range = kAllUlids;
    if (lower.microseconds)
        range.first =
            lower.inclusive ? LowerBound(*lower.microseconds) : UpperBound(*lower.microseconds);
    if (upper.microseconds) {
        const Ulid end =
            upper.inclusive ? UpperBound(*upper.microseconds) : LowerBound(*upper.microseconds);
        if (end == kLeast)
            return kNoUlids;
        range.last = end.Predecessor();
    }
    return Compare(range.last, range.first) < 0 ? kNoUlids : range;
}

namespace vectors {

inline constexpr std::int64_t kFirstTime = std::numeric_limits<std::int64_t>::min();
inline constexpr std::int64_t kLastTime = std::numeric_limits<std::int64_t>::max();
inline constexpr std::int64_t kLastMillisecondStart =
    static_cast<std::int64_t>(kMaxMilliseconds) * 1000;

static_assert(*FirstNotBefore(5000) == Ulid::Least(5) && *FirstAfter(5000) == Ulid::Least(6));
static_assert(*FirstNotBefore(5001) == Ulid::Least(6) && *FirstAfter(5999) == Ulid::Least(6));
static_assert(*FirstNotBefore(0) == kLeast && *FirstAfter(0) == Ulid::Least(1));
static_assert(*FirstNotBefore(-1) == kLeast && *FirstAfter(-1) == kLeast);
static_assert(*FirstNotBefore(kFirstTime) == kLeast && *FirstAfter(kFirstTime) == kLeast);
static_assert(*FirstNotBefore(kLastMillisecondStart) == Ulid::Least(kMaxMilliseconds));
static_assert(!FirstNotBefore(kLastMillisecondStart + 1) && !FirstAfter(kLastMillisecondStart));
static_assert(!FirstNotBefore(kLastTime) && !FirstAfter(kLastTime));
static_assert(*LastBefore(5000) == Ulid::Greatest(4) && *LastNotAfter(5000) == Ulid::Greatest(5));
static_assert(!LastBefore(0) && *LastNotAfter(0) == Ulid::Greatest(0) && !LastNotAfter(-1));
static_assert(*LastBefore(kLastTime) == kGreatest);
static_assert(UlidsBetween({0, true}, {0, true}).last == Ulid::Greatest(0));
static_assert(UlidsBetween({1, true}, {2, true}).first == kGreatest);

} // namespace vectors

} // namespace ulid
