// Values that the unit tests share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "core/base32.hpp"
#include "core/generator.hpp"
#include "core/ulid.hpp"

namespace ulid {

inline std::string TextOf(const Ulid &ulid) {
    std::string text(kTextLength, '?');
    Encode(ulid, text.data());
    return text;
}

/// The ULID of a text, which must be valid.
inline Ulid UlidOf(std::string_view text) {
    Ulid ulid{};
    EXPECT_EQ(Decode(text, ulid), TextStatus::kValid) << text;
    return ulid;
}

/// How a failed expectation prints a ULID.
inline void PrintTo(const Ulid &ulid, std::ostream *stream) { *stream << TextOf(ulid); }

/// A source of ULIDs and other values, the same in every run.
class Random {
  public:
    std::uint64_t Word() { return engine_(); }
    Ulid Any() { return Ulid::FromWords(Word(), Word()); }

    /// As a source of the generators' randomness.
    bool operator()(Randomness &randomness) {
        std::ranges::generate(randomness, [this] { return static_cast<std::uint8_t>(Word()); });
        return true;
    }

    /// A ULID that shares a prefix of random length with another.
    Ulid Near(const Ulid &other) {
        Ulid ulid = Any();
        const std::size_t shared = Word() % (ulid.bytes.size() + 1);
        std::copy_n(other.bytes.begin(), shared, ulid.bytes.begin());
        return ulid;
    }

  private:
    std::mt19937_64 engine_{20250101};
};

/// A source of randomness of one fixed byte, that may fail, and counts how often it was asked.
struct FixedSource {
    std::uint8_t byte = 0x42;
    bool works = true;
    int calls = 0;

    bool operator()(Randomness &randomness) {
        ++calls;
        randomness.fill(byte);
        return works;
    }
};

/// ULIDs at the edges of the value, of its words and of the abbreviated key.
inline std::vector<Ulid> Edges() {
    constexpr std::uint64_t kOne = 1;
    const std::uint64_t words[] = {0,          1,          0xFFFF,           0x10000, (kOne << 58) - 1,
                                   kOne << 58, kOne << 63, (kOne << 58) + 1, ~kOne,   ~std::uint64_t{0}};
    std::vector<Ulid> edges;
    for (const std::uint64_t high : words)
        for (const std::uint64_t low : words)
            edges.push_back(Ulid::FromWords(high, low));
    return edges;
}

inline constexpr std::int64_t kFirstTime = std::numeric_limits<std::int64_t>::min();
inline constexpr std::int64_t kLastTime = std::numeric_limits<std::int64_t>::max();

/// One call of a generator, and what it gives: kNone if it fails.
struct Call {
    const char *what;
    std::int64_t clock;
    std::uint8_t byte; ///< of which the randomness consists
    bool source_works;
    GeneratorStatus status;
    Ulid result;
};

inline constexpr Ulid kNone{};

template <typename Generator> void ExpectCalls(std::initializer_list<Call> calls) {
    Generator generator;
    for (const Call &call : calls) {
        Ulid result = kNone;
        EXPECT_EQ(generator.Generate(call.clock, FixedSource{call.byte, call.source_works}, result), call.status)
            << call.what;
        EXPECT_EQ(result, call.result) << call.what;
    }
}

/// Clocks, in the unit of a generator since some time: what they say for the i-th id.
inline constexpr struct {
    const char *what;
    std::int64_t (*time)(std::int64_t i, Random &random);
} kClocks[] = {
    {"stands", [](std::int64_t, Random &) { return std::int64_t{0}; }},
    {"runs in each id", [](std::int64_t i, Random &) { return i; }},
    {"runs in every eighth id", [](std::int64_t i, Random &) { return i / 8; }},
    {"jumps by days", [](std::int64_t i, Random &) { return i * 86400000; }},
    {"runs, and jitters",
     [](std::int64_t i, Random &random) { return i / 100 + static_cast<std::int64_t>(random.Word() % 41) - 20; }},
    {"steps back by an hour now and then", [](std::int64_t i, Random &) { return i - i / 10000 % 2 * 3600000; }},
    {"runs backwards", [](std::int64_t i, Random &) { return -i; }},
    {"says any time of some days",
     [](std::int64_t, Random &random) { return static_cast<std::int64_t>(random.Word() >> 32); }},
};

/// Generates ids at the times of a clock, each greater than the one before. Calls `check` with each id and the time.
template <typename Generator, typename Clock, typename Check>
void ExpectAscending(int count, std::int64_t start, Clock clock, Check check) {
    Random random;
    Generator generator;
    Ulid last = kMinimum, result{};
    for (int i = 0; i < count; ++i) {
        const std::int64_t now = start + clock(i, random);
        ASSERT_EQ(generator.Generate(now, random, result), GeneratorStatus::kGenerated);
        ASSERT_GT(Compare(result, last), 0);
        check(result, now);
        last = result;
    }
}

template <typename Generator, typename Check> void ExpectAscendingUnderEveryClock(std::int64_t start, Check check) {
    for (const auto &clock : kClocks) {
        SCOPED_TRACE(clock.what);
        ExpectAscending<Generator>(100000, start, clock.time, check);
    }
}

} // namespace ulid
