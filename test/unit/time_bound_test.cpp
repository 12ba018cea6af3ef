// Bounds of times and of ranges of times among ULIDs: their edges, and both ends of the type.
#include "values.hpp"

#include "core/time_bound.hpp"

namespace ulid {
namespace {

constexpr std::int64_t kFirst = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kEnd = static_cast<std::int64_t>(kMaxMilliseconds) * 1000 + 1000;

/// Times at the edges, and near the times of ULIDs.
std::vector<std::int64_t> Times() {
    std::vector<std::int64_t> times;
    for (const std::int64_t edge : {kFirst + 2, std::int64_t{-1000}, std::int64_t{0},
                                    std::int64_t{1000}, kEnd - 1000, kEnd, kLast - 2})
        for (int offset = -2; offset <= 2; ++offset)
            times.push_back(edge + offset);
    Random random;
    for (int i = 0; i < 100000; ++i)
        times.push_back(static_cast<std::int64_t>(random.Word() >> random.Word() % 64));
    return times;
}

/// A ULID's time in Unix microseconds.
std::int64_t TimeOf(const Ulid &ulid) {
    return static_cast<std::int64_t>(ulid.Milliseconds()) * 1000;
}

std::optional<Ulid> Previous(const Ulid &ulid) {
    if (ulid == kLeast)
        return std::nullopt;
    return Ulid::FromWords(ulid.High() - (ulid.Low() == 0), ulid.Low() - 1);
}

/// That `first` is the least ULID whose time is one of those that `comes` picks.
template <typename Comes> void ExpectFirst(const std::optional<Ulid> &first, Comes comes) {
    if (!first) {
        EXPECT_FALSE(comes(TimeOf(kGreatest)));
        return;
    }
    EXPECT_TRUE(comes(TimeOf(*first))) << TextOf(*first);
    if (const std::optional<Ulid> previous = Previous(*first)) {
        EXPECT_FALSE(comes(TimeOf(*previous))) << TextOf(*first);
    }
}

TEST(TimeBound, FirstNotBeforeIsTheLeastUlidWhoseTimeIsNotBefore) {
    for (const std::int64_t time : Times()) {
        SCOPED_TRACE(time);
        ExpectFirst(FirstNotBefore(time), [time](std::int64_t of) { return of >= time; });
    }
}

TEST(TimeBound, FirstAfterIsTheLeastUlidWhoseTimeIsAfter) {
    for (const std::int64_t time : Times()) {
        SCOPED_TRACE(time);
        ExpectFirst(FirstAfter(time), [time](std::int64_t of) { return of > time; });
    }
}

TEST(TimeBound, TheLastsAreJustBelowTheFirsts) {
    for (const std::int64_t time : Times()) {
        SCOPED_TRACE(time);
        const auto expect = [](const std::optional<Ulid> &last, const std::optional<Ulid> &first) {
            EXPECT_EQ(last, first ? Previous(*first) : std::optional{kGreatest});
        };
        expect(LastBefore(time), FirstNotBefore(time));
        expect(LastNotAfter(time), FirstAfter(time));
    }
}

TEST(TimeBound, BoundsSaturateAtTheGreatestUlidPastTheEnd) {
    EXPECT_EQ(LowerBound(kEnd - 1000), Ulid::Least(kMaxMilliseconds));
    for (const std::int64_t time : {kEnd - 999, kEnd, kLast})
        EXPECT_EQ(LowerBound(time), kGreatest);
    for (const std::int64_t time : {kEnd - 1000, kEnd, kLast})
        EXPECT_EQ(UpperBound(time), kGreatest);
    for (const std::int64_t time : {kFirst, std::int64_t{-1}})
        EXPECT_EQ(UpperBound(time), kLeast);
}

TEST(TimeBound, ARangeHoldsTheUlidsThatItsEndsAgreeOn) {
    std::vector<std::optional<std::int64_t>> ends{std::nullopt};
    for (const std::int64_t edge : {std::int64_t{0}, std::int64_t{5000}, kEnd - 1000, kLast - 2})
        for (const int offset : {-1, 0, 1, 2})
            ends.push_back(edge + offset);
    std::vector<Ulid> ulids = Edges();
    for (const std::uint64_t milliseconds : {0, 1, 4, 5, 6})
        for (const Ulid &ulid : {Ulid::Least(milliseconds), Ulid::Greatest(milliseconds)})
            ulids.push_back(ulid);
    for (const auto &lower : ends)
        for (const auto &upper : ends)
            for (const bool lower_inclusive : {false, true})
                for (const bool upper_inclusive : {false, true}) {
                    const UlidRange range =
                        UlidsBetween({lower, lower_inclusive}, {upper, upper_inclusive});
                    for (const Ulid &ulid : ulids) {
                        const bool after =
                            !lower || Compare(ulid, lower_inclusive ? LowerBound(*lower)
                                                                    : UpperBound(*lower)) >= 0;
                        const bool before =
                            !upper || Compare(ulid, upper_inclusive ? UpperBound(*upper)
                                                                    : LowerBound(*upper)) < 0;
                        EXPECT_EQ(Compare(range.first, ulid) <= 0 && Compare(ulid, range.last) <= 0,
                                  after && before)
                            << TextOf(ulid) << ' ' << lower.value_or(-1) << ' '
                            << upper.value_or(-1);
                    }
                }
}

} // namespace
} // namespace ulid
