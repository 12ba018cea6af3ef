// Values that the unit tests share.
#pragma once

#include <algorithm>
#include <cstdint>
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

} // namespace ulid
