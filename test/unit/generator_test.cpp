// The generators, with a clock and randomness that the tests choose: steps of the clock, and overflow.
#include "values.hpp"

namespace ulid {
namespace {

using enum GeneratorStatus;

constexpr std::int64_t kNow = 1735689600000; // 2025-01-01 00:00:00 UTC
constexpr std::int64_t kLastMillisecond = static_cast<std::int64_t>(kMaxMilliseconds);

Ulid At(std::int64_t milliseconds, std::uint8_t byte) {
    Randomness randomness;
    randomness.fill(byte);
    return Ulid::FromParts(static_cast<std::uint64_t>(milliseconds), randomness);
}

TEST(Generate, TakesTheTimesAUlidCanHoldAndNoOther) {
    for (const std::int64_t time :
         {kFirstTime, std::int64_t{-1}, std::int64_t{0}, kNow, kLastMillisecond, kLastMillisecond + 1, kLastTime}) {
        const GeneratorStatus status = time >= 0 && time <= kLastMillisecond ? kGenerated : kTimeOutOfRange;
        FixedSource source;
        Ulid result = kMaximum;
        EXPECT_EQ(Generate(time, source, result), status) << time;
        EXPECT_EQ(result, status == kGenerated ? At(time, 0x42) : kMaximum) << time;
        EXPECT_EQ(source.calls, status == kGenerated) << time;
        source.works = false;
        result = kMaximum;
        EXPECT_EQ(Generate(time, source, result), status == kGenerated ? kNoRandomness : status);
        EXPECT_EQ(result, kMaximum);
    }
}

// More vectors: sql/generators.sql.
TEST(Next, AddsOneOrTakesALaterTime) {
    const struct {
        const char *previous;
        std::int64_t time;
        GeneratorStatus status;
        const char *next;
    } vectors[] = {
        {"0000004JFG0000000000000001", -1, kGenerated, "0000004JFG0000000000000002"},
        {"0000004JFGZZZZZZZZZZZZZZZZ", 100000, kExhausted, ""},
        // a later millisecond, with randomness of which every byte is 0x42
        {"0000004JFG0000000000000002", 150001, kGenerated, "0000004JFH89144GJ289144GJ2"},
        {"0000004JFGZZZZZZZZZZZZZZZZ", 150001, kGenerated, "0000004JFH89144GJ289144GJ2"},
    };
    for (const auto &[previous, time, status, next] : vectors) {
        FixedSource source;
        Ulid result = kMinimum;
        EXPECT_EQ(Next(UlidOf(previous), time, source, result), status) << previous;
        EXPECT_EQ(result, status == kGenerated ? UlidOf(next) : kMinimum) << previous;
        EXPECT_EQ(source.calls, time == 150001) << "plus 1 draws no randomness";
    }
}

TEST(MonotonicGenerator, GivesTheExpectedUlidsWhateverTheClockDoes) {
    const Ulid first = At(kNow, 1), second = *first.Successor(), third = *second.Successor();
    const Ulid full = At(kNow + 5, 0xFF);
    ExpectCalls<MonotonicGenerator>({
        {"a clock before 1970 at first", -1, 1, true, kTimeOutOfRange, kNone},
        {"no randomness at first", kNow, 1, false, kNoRandomness, kNone},
        {"the first", kNow, 1, true, kGenerated, first},
        {"the same millisecond, without randomness", kNow, 9, false, kGenerated, second},
        {"the clock steps back", kNow - 3600000, 0xFF, true, kGenerated, third},
        {"the clock steps back before 1970", -1, 9, true, kGenerated, *third.Successor()},
        {"no randomness at a later time", kNow + 4, 2, false, kNoRandomness, kNone},
        {"a clock past the end", kLastMillisecond + 1, 2, true, kTimeOutOfRange, kNone},
        {"the state is as before the errors", kNow, 2, true, kGenerated, *third.Successor()->Successor()},
        {"a later millisecond, lower randomness", kNow + 4, 0, true, kGenerated, At(kNow + 4, 0)},
        {"the last of its millisecond", kNow + 5, 0xFF, true, kGenerated, full},
        {"exhausted", kNow + 5, 1, true, kExhausted, kNone},
        {"exhausted, and the clock steps back", kNow, 1, true, kExhausted, kNone},
        {"a later millisecond mends it", kNow + 6, 1, true, kGenerated, At(kNow + 6, 1)},
        {"the end of time", kLastMillisecond, 0xFF, true, kGenerated, kMaximum},
        {"nothing is after the end", kLastMillisecond, 1, true, kExhausted, kNone},
    });
}

TEST(MonotonicGenerator, IsStrictlyIncreasingUnderEveryClock) {
    ExpectAscendingUnderEveryClock<MonotonicGenerator>(
        kNow, [](const Ulid &id, std::int64_t now) { ASSERT_GE(static_cast<std::int64_t>(id.Milliseconds()), now); });
}

TEST(HasSteppedBack, ToleratesASecondMoreThanBefore) {
    const Ulid last = Ulid::Minimum(static_cast<std::uint64_t>(kNow));
    std::int64_t behind = 0;
    EXPECT_FALSE(HasSteppedBack(kNow - 1000, last, behind));
    EXPECT_EQ(behind, 1000);
    EXPECT_FALSE(HasSteppedBack(kNow - 2000, last, behind)) << "a second more than before";
    EXPECT_TRUE(HasSteppedBack(kNow - 3001, last, behind)) << "and a millisecond more than that";
    EXPECT_FALSE(HasSteppedBack(kNow, last, behind));
    EXPECT_TRUE(HasSteppedBack(kNow - 1001, last, behind)) << "again, once the clock had caught up";
}

} // namespace
} // namespace ulid
