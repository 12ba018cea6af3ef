// Crockford Base32 for ULIDs (https://www.crockford.com/base32.html, https://github.com/ulid/spec):
// 26 characters of 5 bits, of which the two highest bits are always zero.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ulid.hpp"

namespace ulid {

inline constexpr std::size_t kTextLength = 26;

inline constexpr std::string_view kAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// The value of no character.
inline constexpr std::uint8_t kNoDigit = 0xFF;

/// The value, 0 to 31, of each character: any case, I and L read as 1, O as 0; else kNoDigit.
inline constexpr std::array<std::uint8_t, 256> kDigitValues = [] {
    std::array<std::uint8_t, 256> values{};
    values.fill(kNoDigit);
    const auto set = [&values](char character, std::uint8_t value) {
        values[static_cast<std::uint8_t>(character)] = value;
        if (character >= 'A')
            values[static_cast<std::uint8_t>(character - 'A' + 'a')] = value;
    };
    for (std::size_t i = 0; i < kAlphabet.size(); ++i)
        set(kAlphabet[i], static_cast<std::uint8_t>(i));
    set('I', 1);
    set('L', 1);
    set('O', 0);
    return values;
}();

enum class TextStatus {
    kValid,
    kWrongLength,  ///< not 26 bytes
    kBadCharacter, ///< a character outside the alphabet
    kOutOfRange,   ///< well formed, above 7ZZZZZZZZZZZZZZZZZZZZZZZZZ
};

/// The plain codec, a digit at a time over two words: the one that runs at compile time, and the
/// reference that the fast one is tested against.
namespace plain {

constexpr void Encode(const Ulid &ulid, char *text) {
    std::uint64_t high = ulid.High(), low = ulid.Low();
    for (std::size_t i = kTextLength; i-- > 0;) {
        text[i] = kAlphabet[static_cast<std::size_t>(low & 31)];
        low = high << 59 | low >> 5;
        high >>= 5;
    }
}

/// Decodes exactly 26 characters; leaves `ulid` as it was unless they are valid.
constexpr TextStatus Decode(const char *text, Ulid &ulid) {
    std::uint64_t high = 0, low = 0;
    for (std::size_t i = 0; i < kTextLength; ++i) {
        const std::uint8_t digit = kDigitValues[static_cast<std::uint8_t>(text[i])];
        if (digit == kNoDigit)
            return TextStatus::kBadCharacter;
        high = high << 5 | low >> 59;
        low = low << 5 | digit;
    }
    if (kDigitValues[static_cast<std::uint8_t>(text[0])] > 7)
        return TextStatus::kOutOfRange;
    ulid = Ulid::FromWords(high, low);
    return TextStatus::kValid;
}

} // namespace plain

namespace detail {

/// Spreads the low 40 bits of `bits` over 8 bytes of 5 bits each, most significant first.
constexpr std::uint64_t SpreadDigits(std::uint64_t bits) {
    bits = (bits & 0xFFFFF00000) << 12 | (bits & 0x00000FFFFF);
    bits = (bits & 0x000FFC00000FFC00) << 6 | (bits & 0x000003FF000003FF);
    return (bits & 0x03E003E003E003E0) << 3 | (bits & 0x001F001F001F001F);
}

/// Turns 8 bytes of digit values, 0 to 31, into their characters. The alphabet is five runs of
/// consecutive ASCII characters; each compare moves the digits of the later runs over a gap.
constexpr std::uint64_t DigitsToCharacters(std::uint64_t digits) {
    constexpr std::uint64_t kEach = 0x0101010101010101;
    const auto at_least = [digits](std::uint64_t bound) {
        return (digits + (128 - bound) * kEach) >> 7 & kEach;
    };
    return digits + '0' * kEach + at_least(10) * ('A' - '9' - 1) + at_least(18) + at_least(20) +
           at_least(22) + at_least(27);
}

/// The 40 bits of 8 characters; ORs every digit value into `seen`, so that any bad one shows.
inline std::uint64_t GatherDigits(const char *text, std::uint8_t &seen) {
    std::uint64_t bits = 0;
    for (int i = 0; i < 8; ++i) {
        const std::uint8_t digit = kDigitValues[static_cast<std::uint8_t>(text[i])];
        seen |= digit;
        bits = bits << 5 | (digit & 31);
    }
    return bits;
}

} // namespace detail

/// Writes the 26 characters of the canonical, upper case text form; no terminating NUL.
constexpr void Encode(const Ulid &ulid, char *text) {
    if (std::is_constant_evaluated())
        return plain::Encode(ulid, text);
    // 26 characters are 2 for the first byte, then 8 for every 5 bytes.
    const std::uint64_t high = ulid.High(), low = ulid.Low();
    const std::uint64_t groups[] = {high >> 16, high << 24 | low >> 40, low};
    text[0] = kAlphabet[high >> 61];
    text[1] = kAlphabet[high >> 56 & 31];
    for (int i = 0; i < 3; ++i) {
        std::array<std::uint8_t, 8> characters;
        StoreBigEndian(detail::DigitsToCharacters(
                           detail::SpreadDigits(groups[i] & 0xFFFFFFFFFF)),
                       characters.data());
        std::memcpy(text + 2 + 8 * i, characters.data(), characters.size());
    }
}

/// Reads a text form; leaves `ulid` as it was unless the text is valid.
constexpr TextStatus Decode(std::string_view text, Ulid &ulid) {
    if (text.size() != kTextLength)
        return TextStatus::kWrongLength;
    if (std::is_constant_evaluated())
        return plain::Decode(text.data(), ulid);
    const std::uint8_t first = kDigitValues[static_cast<std::uint8_t>(text[0])];
    const std::uint8_t second = kDigitValues[static_cast<std::uint8_t>(text[1])];
    std::uint8_t seen = first | second;
    const std::uint64_t a = detail::GatherDigits(text.data() + 2, seen);
    const std::uint64_t b = detail::GatherDigits(text.data() + 10, seen);
    const std::uint64_t c = detail::GatherDigits(text.data() + 18, seen);
    if (seen > 31)
        return TextStatus::kBadCharacter;
    if (first > 7)
        return TextStatus::kOutOfRange;
    ulid = Ulid::FromWords((std::uint64_t{first} << 5 | second) << 56 | a << 16 | b >> 24,
                           b << 40 | c);
    return TextStatus::kValid;
}

/// Whether a character, a byte of the text, is a digit that Decode reads.
constexpr bool IsDigit(char character) {
    return kDigitValues[static_cast<std::uint8_t>(character)] != kNoDigit;
}

/// Published facts, proved at compile time.
namespace vectors {

consteval Ulid Parse(std::string_view text) {
    Ulid ulid{};
    if (Decode(text, ulid) != TextStatus::kValid)
        __builtin_trap(); // which does not compile
    return ulid;
}

consteval TextStatus StatusOf(std::string_view text) {
    Ulid ulid{};
    return Decode(text, ulid);
}

static_assert(Parse("01JGFJJZ00XHF7E02JJ03AE4T7").Milliseconds() == 1735689600000);
static_assert(Parse("01ARYZ6S410000000000000000").Milliseconds() == 1469918176385);
static_assert(Parse("01GV5PA9EQG7D82Q3Y4PKBZSYV") ==
              Ulid::FromWords(0x0186cb6525d781da, 0x815c7e25a6bfe7db));
static_assert(*Parse("01BX5ZZKBKACTAV9WEVGEMMVRZ").Successor() ==
              Parse("01BX5ZZKBKACTAV9WEVGEMMVS0"));
static_assert(!Parse("01BX5ZZKBKZZZZZZZZZZZZZZZZ").Successor());
static_assert(Parse("7ZZZZZZZZZZZZZZZZZZZZZZZZZ") == kGreatest);
static_assert(StatusOf("80000000000000000000000000") == TextStatus::kOutOfRange);
static_assert(Parse("0000004JFG0000000000000000").Milliseconds() == 150000);
static_assert(Parse("O1ARZ3NDEKTSV4RRFFQ69G5FAV") == Parse("01ARZ3NDEKTSV4RRFFQ69G5FAV"));
static_assert(Parse("0Larz3ndektsv4rrffq69g5fav") == Parse("01ARZ3NDEKTSV4RRFFQ69G5FAV"));
static_assert(Parse("oiarz3ndektsv4rrffq69g5fav") == Parse("01ARZ3NDEKTSV4RRFFQ69G5FAV"));
static_assert(StatusOf("01ARZ3NDEKTSV4RRFFQ69G5FAU") == TextStatus::kBadCharacter);
static_assert(StatusOf("01ARZ3NDEKTSV4RRFFQ69G5FA") == TextStatus::kWrongLength);
static_assert(StatusOf("") == TextStatus::kWrongLength);

} // namespace vectors

} // namespace ulid
