// UUIDv7s, with a clock and randomness that the tests choose: steps of the clock, overflow, a clock that stands.
#include "values.hpp"

#include "core/uuidv7.hpp"

namespace ulid {
namespace {

using enum GeneratorStatus;

constexpr std::int64_t kNowInTicks = std::int64_t{1735689600000} << 12; // 2025-01-01 00:00:00 UTC, in ticks

constexpr std::uint64_t Repeated(std::uint8_t byte) { return byte * std::uint64_t{0x0101010101010101}; }

Ulid Fresh(std::int64_t ticks, std::uint8_t byte) { return Uuidv7(ticks, Repeated(byte) >> 2); }

/// The same tick, after a step that is made of one byte.
Ulid After(const Ulid &previous, std::uint8_t byte) {
    return Ulid::FromWords(previous.High(), previous.Low() + (Repeated(byte) >> 8) + 1);
}

bool IsUuidv7(const Ulid &ulid) { return (ulid.bytes[6] & 0xF0) == 0x70 && (ulid.bytes[8] & 0xC0) == 0x80; }

std::int64_t TicksOf(const Ulid &ulid) {
    return static_cast<std::int64_t>(ulid.Milliseconds() << 12 | (ulid.High() & 0xFFF));
}

TEST(Uuidv7, TicksAreEqualPartsOfAMillisecond) {
    for (const std::int64_t first : {0, 1000000, 499000000, 999000000})
        for (std::int64_t nanoseconds = first; nanoseconds < first + 1000000; ++nanoseconds) {
            const std::int64_t ticks = Ticks(7, nanoseconds) - 7 * 4096000;
            ASSERT_TRUE(ticks * 1000000 <= nanoseconds * 4096 && nanoseconds * 4096 < (ticks + 1) * 1000000)
                << nanoseconds;
        }
    EXPECT_EQ(Ticks(-1, 999999999), -1);
    EXPECT_EQ(Ticks(static_cast<std::int64_t>(kMaxMilliseconds / 1000), 655999999), kMaxTicks);
}

TEST(Uuidv7, HasTheTimeItWasMadeForAndNoOther) {
    Ulid untouched = kMinimum;
    for (const std::int64_t ticks : {kFirstTime, std::int64_t{-1}, kMaxTicks + 1, kLastTime})
        EXPECT_EQ(GenerateUuidv7(ticks, FixedSource{1}, untouched), kTimeOutOfRange) << ticks;
    EXPECT_EQ(untouched, kMinimum);
    for (const std::int64_t ticks : {std::int64_t{0}, std::int64_t{4095}, std::int64_t{4096}, kNowInTicks, kMaxTicks})
        for (const std::uint8_t byte : {0x00, 0x5A, 0xFF}) {
            Ulid result = kMinimum;
            EXPECT_EQ(GenerateUuidv7(ticks, FixedSource{byte, false}, result), kNoRandomness);
            EXPECT_EQ(result, kMinimum);
            EXPECT_EQ(GenerateUuidv7(ticks, FixedSource{byte}, result), kGenerated);
            EXPECT_EQ(result, Fresh(ticks, byte));
            EXPECT_TRUE(IsUuidv7(result));
            EXPECT_EQ(TicksOf(result), ticks);
        }
}

TEST(Uuidv7Generator, GivesTheExpectedUuidsWhateverTheClockDoes) {
    const Ulid first = Fresh(kNowInTicks, 1), second = After(first, 0), third = After(second, 2);
    const Ulid full = Fresh(kNowInTicks + 8, 0xFF); // the last tail of its tick
    ExpectCalls<Uuidv7Generator>({
        {"a clock before 1970 at first", -1, 1, true, kTimeOutOfRange, kNone},
        {"no randomness at first", kNowInTicks, 1, false, kNoRandomness, kNone},
        {"the first", kNowInTicks, 1, true, kGenerated, first},
        {"the same tick: the smallest step", kNowInTicks, 0, true, kGenerated, second},
        {"no randomness for a step", kNowInTicks, 9, false, kNoRandomness, kNone},
        {"the clock steps back", kNowInTicks - 4096, 2, true, kGenerated, third},
        {"the clock steps back before 1970", -1, 3, true, kGenerated, After(third, 3)},
        {"no randomness at a later time", kNowInTicks + 4, 2, false, kNoRandomness, kNone},
        {"a clock past the end", kMaxTicks + 1, 2, true, kTimeOutOfRange, kNone},
        {"the state is as before the errors", kNowInTicks, 4, true, kGenerated, After(After(third, 3), 4)},
        {"a later tick, lower randomness", kNowInTicks + 4, 0, true, kGenerated, Fresh(kNowInTicks + 4, 0)},
        {"the last tail of a tick", kNowInTicks + 8, 0xFF, true, kGenerated, full},
        {"no randomness for the next tick", kNowInTicks + 8, 7, false, kNoRandomness, kNone},
        {"overflow: the next tick", kNowInTicks + 8, 7, true, kGenerated, Fresh(kNowInTicks + 9, 7)},
        {"the clock is in that tick now", kNowInTicks + 9, 8, true, kGenerated, After(Fresh(kNowInTicks + 9, 7), 8)},
        {"the end of a millisecond", kNowInTicks + 4095, 0xFF, true, kGenerated, Fresh(kNowInTicks + 4095, 0xFF)},
        {"overflow: the next millisecond", kNowInTicks + 4095, 5, true, kGenerated, Fresh(kNowInTicks + 4096, 5)},
        {"the end of time", kMaxTicks, 0xFF, true, kGenerated, Fresh(kMaxTicks, 0xFF)},
        {"nothing is after the end", kMaxTicks, 1, true, kTimeOutOfRange, kNone},
    });
}

TEST(Uuidv7Generator, IsStrictlyIncreasingUnderEveryClock) {
    ExpectAscendingUnderEveryClock<Uuidv7Generator>(kNowInTicks, [](const Ulid &id, std::int64_t now) {
        ASSERT_GE(TicksOf(id), now);
        ASSERT_TRUE(IsUuidv7(id));
    });
}

TEST(Uuidv7Generator, RunsAheadOfARunningClockByAtMostFourTicks) {
    ExpectAscending<Uuidv7Generator>(500000, kNowInTicks, kClocks[2].time,
                                     [](const Ulid &id, std::int64_t now) { ASSERT_LE(TicksOf(id), now + 4); });
}

} // namespace
} // namespace ulid
