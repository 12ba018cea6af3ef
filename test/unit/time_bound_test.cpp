// Bounds of times among ULIDs: their edges, and both ends of the type.
#include "values.hpp"

#include "core/time_bound.hpp"

namespace ulid {
namespace {

constexpr std::int64_t kEnd = static_cast<std::int64_t>(kMaxMilliseconds) * 1000 + 1000;

/// Times at the edges, and near the times of ULIDs.
std::vector<std::int64_t> Times() {
    std::vector<std::int64_t> times;
    for (const std::int64_t edge :
         {kFirstTime + 2, std::int64_t{-1000}, std::int64_t{0}, std::int64_t{1000}, kEnd - 1000, kEnd, kLastTime - 2})
        for (int offset = -2; offset <= 2; ++offset)
            times.push_back(edge + offset);
    Random random;
    for (int i = 0; i < 100000; ++i)
        times.push_back(static_cast<std::int64_t>(random.Word() >> random.Word() % 64));
    return times;
}

/// A ULID's time in Unix microseconds.
std::int64_t TimeOf(const Ulid &ulid) { return static_cast<std::int64_t>(ulid.Milliseconds()) * 1000; }

/// A time rounded down to its millisecond; before 1970, -1.
std::int64_t Rounded(std::int64_t time) { return time < 0 ? -1 : time - time % 1000; }

/// That `first` is the first ULID whose time `comes` picks, and the maximum if there is none.
template <typename Comes> void ExpectFirst(const Ulid &first, Comes comes) {
    EXPECT_TRUE(comes(TimeOf(first)) || first == kMaximum) << TextOf(first);
    EXPECT_TRUE(first == kMinimum || !comes(TimeOf(first.Predecessor()))) << TextOf(first);
}

TEST(TimeBound, LowerIsTheFirstUlidOfTheMillisecondAndUpperTheFirstAfterIt) {
    for (const std::int64_t time : Times()) {
        SCOPED_TRACE(time);
        ExpectFirst(LowerBound(time), [time](std::int64_t of) { return of >= Rounded(time); });
        ExpectFirst(UpperBound(time), [time](std::int64_t of) { return of > Rounded(time); });
    }
}

} // namespace
} // namespace ulid
