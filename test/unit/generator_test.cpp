// The generators, with a clock and randomness that the tests choose: steps of the clock, and overflow.
#include "values.hpp"

namespace ulid {
namespace {

using enum GeneratorStatus;

constexpr std::int64_t kNow = 1735689600000; // 2025-01-01 00:00:00 UTC
constexpr std::int64_t kEnd = static_cast<std::int64_t>(kMaxMilliseconds);

Ulid At(std::int64_t milliseconds, std::uint8_t byte) {
    Randomness randomness;
    randomness.fill(byte);
    return Ulid::FromParts(static_cast<std::uint64_t>(milliseconds), randomness);
}

constexpr struct {
    std::int64_t time;
    GeneratorStatus status;
} kTimes[] = {
    {std::numeric_limits<std::int64_t>::min(), kTimeOutOfRange},
    {-1, kTimeOutOfRange},
    {0, kGenerated},
    {kNow, kGenerated},
    {kEnd, kGenerated},
    {kEnd + 1, kTimeOutOfRange},
    {std::numeric_limits<std::int64_t>::max(), kTimeOutOfRange},
};

TEST(Generate, TakesTheTimesAUlidCanHoldAndNoOther) {
    for (const auto &[time, status] : kTimes) {
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

TEST(Next, HoldsThePublishedVectors) {
    const struct {
        const char *previous;
        std::int64_t time;
        GeneratorStatus status;
        const char *next;
    } vectors[] = {
        {"01BX5ZZKBKACTAV9WEVGEMMVRZ", 0, kGenerated, "01BX5ZZKBKACTAV9WEVGEMMVS0"},
        {"01BX5ZZKBKZZZZZZZZZZZZZZZZ", 0, kExhausted, ""},
        {"7ZZZZZZZZZZZZZZZZZZZZZZZZZ", kEnd, kExhausted, ""},
        {"7ZZZZZZZZZZZZZZZZZZZZZZZZZ", kEnd + 1, kTimeOutOfRange, ""},
        {"0000004JFG0000000000000000", 150000, kGenerated, "0000004JFG0000000000000001"},
        {"0000004JFG0000000000000001", 100000, kGenerated, "0000004JFG0000000000000002"},
        {"0000004JFG0000000000000001", -1, kGenerated, "0000004JFG0000000000000002"},
        {"0000004JFGZZZZZZZZZZZZZZZZ", 150000, kExhausted, ""},
        {"0000004JFGZZZZZZZZZZZZZZZZ", 100000, kExhausted, ""},
        // 16 characters of randomness 0x42 in every byte
        {"0000004JFG0000000000000002", 150001, kGenerated, "0000004JFH8910J8891490J28S"},
        {"0000004JFGZZZZZZZZZZZZZZZZ", 150001, kGenerated, "0000004JFH8910J8891490J28S"},
    };
    for (const auto &vector : vectors) {
        FixedSource source;
        Ulid result = kMinimum;
        const Ulid previous = UlidOf(vector.previous);
        EXPECT_EQ(Next(previous, vector.time, source, result), vector.status) << vector.previous;
        if (vector.status != kGenerated) {
            EXPECT_EQ(result, kMinimum) << vector.previous;
            continue;
        }
        const bool is_later = vector.time > static_cast<std::int64_t>(previous.Milliseconds());
        EXPECT_EQ(result, is_later ? At(vector.time, 0x42) : UlidOf(vector.next));
        EXPECT_EQ(source.calls, is_later) << "plus 1 draws no randomness";
    }
}

TEST(Next, IsGreaterOrFails) {
    Random random;
    for (int i = 0; i < 100000; ++i) {
        const Ulid previous = random.Any();
        const auto now = static_cast<std::int64_t>(random.Word()) >> random.Word() % 64;
        Ulid result = kMinimum;
        const GeneratorStatus status = Next(previous, now, FixedSource{0x42, random.Word() % 8 != 0}, result);
        ASSERT_TRUE(status == kGenerated ? Compare(previous, result) < 0 : result == kMinimum) << TextOf(previous);
    }
}

TEST(MonotonicGenerator, GivesTheExpectedUlidsWhateverTheClockDoes) {
    const Ulid first = At(kNow, 1), second = *first.Successor(), third = *second.Successor();
    const Ulid full = At(kNow + 5, 0xFF);
    ExpectSteps<MonotonicGenerator>({
        {"a clock before 1970 at first", -1, 1, true, kTimeOutOfRange, kNone},
        {"a clock past the end at first", kEnd + 1, 1, true, kTimeOutOfRange, kNone},
        {"no randomness at first", kNow, 1, false, kNoRandomness, kNone},
        {"the first", kNow, 1, true, kGenerated, first},
        {"the same millisecond, without randomness", kNow, 9, false, kGenerated, second},
        {"the clock steps back", kNow - 3600000, 0xFF, true, kGenerated, third},
        {"the clock steps back before 1970", -1, 9, true, kGenerated, *third.Successor()},
        {"no randomness at a later time", kNow + 4, 2, false, kNoRandomness, kNone},
        {"a clock past the end", kEnd + 1, 2, true, kTimeOutOfRange, kNone},
        {"the state is as before the errors", kNow, 2, true, kGenerated, *third.Successor()->Successor()},
        {"a later millisecond, lower randomness", kNow + 4, 0, true, kGenerated, At(kNow + 4, 0)},
        {"the last of its millisecond", kNow + 5, 0xFF, true, kGenerated, full},
        {"exhausted", kNow + 5, 1, true, kExhausted, kNone},
        {"exhausted, and the clock steps back", kNow, 1, true, kExhausted, kNone},
        {"exhausted still", kNow + 5, 1, true, kExhausted, kNone},
        {"a later millisecond mends it", kNow + 6, 1, true, kGenerated, At(kNow + 6, 1)},
        {"the end of time", kEnd, 0xFF, true, kGenerated, kMaximum},
        {"nothing is after the end", kEnd, 1, true, kExhausted, kNone},
    });
}

TEST(MonotonicGenerator, IsStrictlyIncreasingUnderEveryClock) {
    for (const auto &clock : kClocks) {
        SCOPED_TRACE(clock.what);
        ExpectAscending<MonotonicGenerator>(100000, kNow, clock.time, [](const Ulid &id, std::int64_t now) {
            ASSERT_GE(static_cast<std::int64_t>(id.Milliseconds()), now);
        });
    }
}

} // namespace
} // namespace ulid
