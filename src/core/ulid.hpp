// The ULID value: 48 bits of Unix time in milliseconds, then 80 bits of randomness, both most
// significant byte first (https://github.com/ulid/spec). No PostgreSQL header.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>

namespace ulid {

inline constexpr std::size_t kRandomnessBytes = 10;

/// The largest time a ULID can hold, in Unix milliseconds: 10889-08-02 05:31:50.655 UTC.
inline constexpr std::uint64_t kMaxMilliseconds = (std::uint64_t{1} << 48) - 1;

using Randomness = std::array<std::uint8_t, kRandomnessBytes>;

/// Reads 8 bytes, most significant first.
constexpr std::uint64_t LoadBigEndian(const std::uint8_t *bytes) {
    if (std::is_constant_evaluated()) {
        std::uint64_t value = 0;
        for (int i = 0; i < 8; ++i)
            value = value << 8 | bytes[i];
        return value;
    }
    std::uint64_t value;
    std::memcpy(&value, bytes, sizeof value);
    return std::endian::native == std::endian::little ? __builtin_bswap64(value) : value;
}

/// Writes 8 bytes, most significant first.
constexpr void StoreBigEndian(std::uint64_t value, std::uint8_t *bytes) {
    if (std::is_constant_evaluated()) {
        for (int i = 7; i >= 0; --i, value >>= 8)
            bytes[i] = static_cast<std::uint8_t>(value);
        return;
    }
    if (std::endian::native == std::endian::little)
        value = __builtin_bswap64(value);
    std::memcpy(bytes, &value, sizeof value);
}

/// A ULID as it is stored, sent and compared: 16 bytes in network order, aligned to 1.
struct Ulid {
    std::array<std::uint8_t, 16> bytes;

    /// The ULID whose first 64 bits are `high` and whose last 64 bits are `low`.
    static constexpr Ulid FromWords(std::uint64_t high, std::uint64_t low) {
        Ulid result{};
        StoreBigEndian(high, result.bytes.data());
        StoreBigEndian(low, result.bytes.data() + 8);
        return result;
    }

    /// The ULID of a time in Unix milliseconds, 0 to kMaxMilliseconds, and a randomness.
    static constexpr Ulid FromParts(std::uint64_t milliseconds, const Randomness &randomness) {
        // Compilers write an array of 10 bytes as 8 and 2, so read it in the same way. A read that
        // spans both writes would have to wait for them.
        const std::uint64_t first = LoadBigEndian(randomness.data());
        const std::uint64_t last = std::uint64_t{randomness[8]} << 8 | randomness[9];
        return FromWords(milliseconds << 16 | first >> 48, first << 16 | last);
    }

    /// The minimum ULID of a millisecond, 0 to kMaxMilliseconds.
    static constexpr Ulid Minimum(std::uint64_t milliseconds) { return FromWords(milliseconds << 16, 0); }

    /// The maximum ULID of a millisecond, 0 to kMaxMilliseconds.
    static constexpr Ulid Maximum(std::uint64_t milliseconds) {
        return FromWords(milliseconds << 16 | 0xFFFF, std::numeric_limits<std::uint64_t>::max());
    }

    constexpr std::uint64_t High() const { return LoadBigEndian(bytes.data()); }
    constexpr std::uint64_t Low() const { return LoadBigEndian(bytes.data() + 8); }

    /// The time, in Unix milliseconds.
    constexpr std::uint64_t Milliseconds() const { return High() >> 16; }

    constexpr std::span<const std::uint8_t, kRandomnessBytes> RandomnessBytes() const {
        return std::span<const std::uint8_t, kRandomnessBytes>{bytes.data() + 6, kRandomnessBytes};
    }

    /// Minus 1, across milliseconds. Do not call it on the minimum.
    constexpr Ulid Predecessor() const {
        const std::uint64_t high = High(), low = Low();
        return FromWords(high - (low == 0), low - 1);
    }

    /// Plus 1; none if that would reach the next millisecond.
    constexpr std::optional<Ulid> Successor() const {
        const std::uint64_t high = High(), low = Low() + 1;
        if (low != 0)
            return FromWords(high, low);
        if ((high & 0xFFFF) == 0xFFFF)
            return std::nullopt;
        return FromWords(high + 1, 0);
    }
};

static_assert(sizeof(Ulid) == 16 && alignof(Ulid) == 1);

inline constexpr Ulid kMinimum = Ulid::Minimum(0);
inline constexpr Ulid kMaximum = Ulid::Maximum(kMaxMilliseconds);

/// Negative, zero or positive as `a` is before, equal to or after `b`.
constexpr int Compare(const Ulid &a, const Ulid &b) {
    const std::uint64_t a_high = a.High(), b_high = b.High();
    if (a_high != b_high)
        return a_high < b_high ? -1 : 1;
    const std::uint64_t a_low = a.Low(), b_low = b.Low();
    // Do not write `(a > b) - (a < b)`: if it is inlined and compared with 0, GCC 11 to 13 for
    // aarch64 compare the words as signed.
    return a_low < b_low ? -1 : a_low > b_low;
}

constexpr bool operator==(const Ulid &a, const Ulid &b) { return ((a.High() ^ b.High()) | (a.Low() ^ b.Low())) == 0; }

/// The distance from `from` to `to`, which must not be less, as 128-bit numbers. Never 0 if they
/// differ.
constexpr double Distance(const Ulid &from, const Ulid &to) {
    const std::uint64_t low = to.Low() - from.Low();
    const std::uint64_t high = to.High() - from.High() - (to.Low() < from.Low());
    return static_cast<double>(high) * 0x1p64 + static_cast<double>(low);
}

/// A 64-bit key whose order never contradicts the order of ULIDs. The first bit is 0 for times before
/// the year 2109, whose six leading bits are zero. The key then has the 63 bits after those six. For
/// later times, such as those of random UUIDs, it has the first 63 bits.
constexpr std::uint64_t AbbreviatedKey(const Ulid &ulid) {
    constexpr std::uint64_t kLater = std::uint64_t{1} << 63;
    const std::uint64_t high = ulid.High();
    return high >> 58 == 0 ? high << 5 | ulid.Low() >> 59 : kLater | high >> 1;
}

/// What to count distinct abbreviated keys by.
constexpr std::uint32_t Fold(std::uint64_t key) { return static_cast<std::uint32_t>(key ^ key >> 32); }

/// What a sort should do about abbreviated keys.
enum class Abbreviation { kUndecided, kKeep, kAbort };

/// Decides after the sort has abbreviated `count` ULIDs to so many distinct keys. ULIDs that were counted up within a
/// few milliseconds share a key. Measured: with 1000 ULIDs per key, breaking ties costs as much as abbreviation saves.
/// Fewer than 500 keys are never enough, because among the first 10,000 ULIDs they say little about those to come.
constexpr Abbreviation Decide(std::int64_t count, double keys) {
    if (count < 10000)
        return Abbreviation::kUndecided;
    if (keys < 500 || keys < static_cast<double>(count) / 1000)
        return Abbreviation::kAbort;
    return keys < 5000 ? Abbreviation::kUndecided : Abbreviation::kKeep;
}

static_assert(Ulid::Minimum(150000).Milliseconds() == 150000);
static_assert(kMaximum.Milliseconds() == kMaxMilliseconds && !kMaximum.Successor());
static_assert(*Ulid::FromWords(7, std::numeric_limits<std::uint64_t>::max()).Successor() == Ulid::FromWords(8, 0));
static_assert(Compare(Ulid::Maximum(1), Ulid::Minimum(2)) < 0 && Compare(kMinimum, kMinimum) == 0);
static_assert(Distance(Ulid::Maximum(1), Ulid::Minimum(2)) == 1 &&
              Distance(Ulid::Minimum(1), Ulid::Minimum(2)) == 0x1p80);

} // namespace ulid
