// UUIDv7s, with a clock and randomness that the tests choose: steps of the clock, overflow, a clock that stands.
#include "values.hpp"

#include "core/uuidv7.hpp"

namespace ulid {
namespace {

using enum GeneratorStatus;

constexpr std::int64_t kNow = std::int64_t{1735689600000} << 12; // 2025-01-01 00:00:00 UTC, in ticks

constexpr std::uint64_t Repeated(std::uint8_t byte) { return byte * std::uint64_t{0x0101010101010101}; }

Ulid Fresh(std::int64_t ticks, std::uint8_t byte) { return Uuidv7(ticks, Repeated(byte) >> 2); }

/// The same tick, after a step that is made of one byte.
Ulid Step(const Ulid &previous, std::uint8_t byte) {
    return Ulid::FromWords(previous.High(), previous.Low() + (Repeated(byte) >> 8) + 1);
}

bool IsUuidv7(const Ulid &ulid) { return (ulid.bytes[6] & 0xF0) == 0x70 && (ulid.bytes[8] & 0xC0) == 0x80; }

std::int64_t TicksOf(const Ulid &ulid) {
    return static_cast<std::int64_t>(ulid.Milliseconds() << 12 | (ulid.High() & 0xFFF));
}

TEST(Uuidv7, TicksAreEqualPartsOfAMillisecond) {
    for (std::int64_t nanoseconds = 0; nanoseconds < 1000000; ++nanoseconds) {
        const std::int64_t ticks = Ticks(7, nanoseconds) - (7 << 12);
        ASSERT_TRUE(ticks * 1000000 <= nanoseconds * 4096 && nanoseconds * 4096 < (ticks + 1) * 1000000) << nanoseconds;
    }
    EXPECT_EQ(Ticks(-1, 999999), -1);
    EXPECT_EQ(Ticks(static_cast<std::int64_t>(kMaxMilliseconds), 999999), kMaxTicks);
}

TEST(Uuidv7, HasTheTimeItWasMadeForAndNoOther) {
    for (const std::int64_t ticks : {std::int64_t{-1}, kMaxTicks + 1, std::numeric_limits<std::int64_t>::min(),
                                     std::numeric_limits<std::int64_t>::max()}) {
        Ulid result = kMinimum;
        EXPECT_EQ(GenerateUuidv7(ticks, FixedSource{1}, result), kTimeOutOfRange) << ticks;
        EXPECT_EQ(result, kMinimum);
    }
    for (const std::int64_t ticks : {std::int64_t{0}, std::int64_t{4095}, std::int64_t{4096}, kNow, kMaxTicks})
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
    const Ulid none{}, first = Fresh(kNow, 1), second = Step(first, 0), third = Step(second, 2);
    const Ulid full = Fresh(kNow + 8, 0xFF); // the last tail of its tick
    const struct {
        const char *what;
        std::int64_t clock;
        std::uint8_t byte;
        bool source_works;
        GeneratorStatus status;
        Ulid result;
    } steps[] = {
        {"a clock before 1970 at first", -1, 1, true, kTimeOutOfRange, none},
        {"a clock past the end at first", kMaxTicks + 1, 1, true, kTimeOutOfRange, none},
        {"no randomness at first", kNow, 1, false, kNoRandomness, none},
        {"the first", kNow, 1, true, kGenerated, first},
        {"the same tick: the smallest step", kNow, 0, true, kGenerated, second},
        {"no randomness for a step", kNow, 9, false, kNoRandomness, none},
        {"the clock steps back", kNow - 4096, 2, true, kGenerated, third},
        {"the clock steps back before 1970", -1, 3, true, kGenerated, Step(third, 3)},
        {"no randomness at a later time", kNow + 4, 2, false, kNoRandomness, none},
        {"a clock past the end", kMaxTicks + 1, 2, true, kTimeOutOfRange, none},
        {"the state is as before the errors", kNow, 4, true, kGenerated, Step(Step(third, 3), 4)},
        {"a later tick, lower randomness", kNow + 4, 0, true, kGenerated, Fresh(kNow + 4, 0)},
        {"the last tail of a tick", kNow + 8, 0xFF, true, kGenerated, full},
        {"no randomness for the next tick", kNow + 8, 7, false, kNoRandomness, none},
        {"overflow: the next tick", kNow + 8, 7, true, kGenerated, Fresh(kNow + 9, 7)},
        {"the clock is in that tick now", kNow + 9, 8, true, kGenerated, Step(Fresh(kNow + 9, 7), 8)},
        {"the end of a millisecond", kNow + 4095, 0xFF, true, kGenerated, Fresh(kNow + 4095, 0xFF)},
        {"overflow: the next millisecond", kNow + 4095, 5, true, kGenerated, Fresh(kNow + 4096, 5)},
        {"the end of time", kMaxTicks, 0xFF, true, kGenerated, Fresh(kMaxTicks, 0xFF)},
        {"nothing is after the end", kMaxTicks, 1, true, kTimeOutOfRange, none},
    };
    Uuidv7Generator generator;
    for (const auto &step : steps) {
        Ulid result = none;
        EXPECT_EQ(generator.Generate([&] { return step.clock; }, FixedSource{step.byte, step.source_works}, result),
                  step.status)
            << step.what;
        EXPECT_EQ(result, step.result) << step.what;
    }
}

/// Generates UUIDv7s at the times of a clock; the ticks of the last one.
template <typename ClockAt> std::int64_t ExpectAscending(int count, ClockAt clock_at) {
    Random random;
    Uuidv7Generator generator;
    Ulid last = kMinimum, result{};
    for (int i = 0; i < count; ++i) {
        const std::int64_t now = clock_at(i, random);
        EXPECT_EQ(generator.Generate([now] { return now; }, random, result), kGenerated);
        EXPECT_GT(Compare(result, last), 0);
        EXPECT_GE(TicksOf(result), now);
        EXPECT_TRUE(IsUuidv7(result));
        last = result;
    }
    return TicksOf(last);
}

TEST(Uuidv7Generator, IsStrictlyIncreasingUnderARandomClock) {
    ExpectAscending(500000, [](int i, Random &random) {
        return kNow + i / 100 + static_cast<std::int64_t>(random.Word() % 41) - 20;
    });
}

TEST(Uuidv7Generator, RunsAheadOfAStandingClockByFourNanosecondsAnId) {
    const std::int64_t ahead = ExpectAscending(200000, [](int, Random &) { return kNow; }) - kNow;
    EXPECT_GT(ahead, 2800);
    EXPECT_LT(ahead, 3400); // 0.83 ms
}

TEST(Uuidv7Generator, RunsAheadOfARunningClockByAtMostOneTick) {
    const std::int64_t end = ExpectAscending(500000, [](int i, Random &) { return kNow + i / 8; });
    EXPECT_LE(end, kNow + 499999 / 8 + 1);
}

} // namespace
} // namespace ulid
