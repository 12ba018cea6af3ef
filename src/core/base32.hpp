// Crockford Base32 for ULIDs (https://www.crockford.com/base32.html, https://github.com/ulid/spec):
// 26 characters of 5 bits, of which the two highest bits are always zero.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

#include "ulid.hpp"

namespace ulid {

inline constexpr std::size_t kTextLength = 26;

inline constexpr std::string_view kAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// The value of characters that are not digits.
inline constexpr std::uint8_t kNoDigit = 0xFF;

/// The value, 0 to 31, of each character: any case, I and L read as 1, O as 0; else kNoDigit.
inline constexpr std::array<std::uint8_t, 256> kDigitValues = []() {
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

namespace detail {

/// The characters of two digits, by their 10 bits.
inline constexpr std::array<std::array<char, 2>, 1024> kDigitPairs = []() {
    std::array<std::array<char, 2>, 1024> pairs{};
    for (std::size_t i = 0; i < pairs.size(); ++i)
        pairs[i] = {kAlphabet[i >> 5], kAlphabet[i & 31]};
    return pairs;
}();

/// Set in the values below for characters that are not digits.
inline constexpr std::uint32_t kNoDigitBit = std::uint32_t{1} << 31;

/// The values of each character as the first to the fourth of four digits, 20 bits.
inline constexpr std::array<std::array<std::uint32_t, 256>, 4> kShiftedDigitValues = []() {
    std::array<std::array<std::uint32_t, 256>, 4> values{};
    for (std::size_t place = 0; place < 4; ++place)
        for (std::size_t i = 0; i < 256; ++i)
            values[place][i] =
                kDigitValues[i] == kNoDigit ? kNoDigitBit : std::uint32_t{kDigitValues[i]} << 5 * (3 - place);
    return values;
}();

/// Writes the two characters of the low 10 bits.
constexpr void EncodePair(std::uint64_t bits, char *text) {
    const std::array<char, 2> &pair = kDigitPairs[bits & 1023];
    if (std::is_constant_evaluated()) {
        text[0] = pair[0];
        text[1] = pair[1];
    } else {
        std::memcpy(text, pair.data(), pair.size()); // one load and one store
    }
}

/// The value of a character in its place, first to fourth, among four.
constexpr std::uint32_t DigitAt(std::size_t place, char character) {
    return kShiftedDigitValues[place][static_cast<std::uint8_t>(character)];
}

/// The 10 bits of two characters; with kNoDigitBit if one is not a digit.
constexpr std::uint32_t DecodePair(const char *text) { return DigitAt(2, text[0]) | DigitAt(3, text[1]); }

/// The 20 bits of four characters; with kNoDigitBit if one is not a digit.
constexpr std::uint32_t DecodeQuad(const char *text) {
    return DigitAt(0, text[0]) | DigitAt(1, text[1]) | DigitAt(2, text[2]) | DigitAt(3, text[3]);
}

} // namespace detail

/// Writes the 26 characters of the canonical, upper case text form; no terminating NUL.
constexpr void Encode(const Ulid &ulid, char *text) {
    const std::uint64_t high = ulid.High(), low = ulid.Low();
    // Each pair of characters is 10 bits; the first begins two bits above the value.
    detail::EncodePair(high >> 56, text);
    detail::EncodePair(high >> 46, text + 2);
    detail::EncodePair(high >> 36, text + 4);
    detail::EncodePair(high >> 26, text + 6);
    detail::EncodePair(high >> 16, text + 8);
    detail::EncodePair(high >> 6, text + 10);
    detail::EncodePair(high << 4 | low >> 60, text + 12);
    detail::EncodePair(low >> 50, text + 14);
    detail::EncodePair(low >> 40, text + 16);
    detail::EncodePair(low >> 30, text + 18);
    detail::EncodePair(low >> 20, text + 20);
    detail::EncodePair(low >> 10, text + 22);
    detail::EncodePair(low, text + 24);
}

/// Reads a text form. Does not change `ulid` if the text is invalid.
constexpr TextStatus Decode(std::string_view text, Ulid &ulid) {
    if (text.size() != kTextLength)
        return TextStatus::kWrongLength;
    const char *const characters = text.data();
    // 2 characters of 10 bits, then 6 times 4 of 20.
    const std::uint32_t first = detail::DecodePair(characters);
    const std::uint32_t a = detail::DecodeQuad(characters + 2);
    const std::uint32_t b = detail::DecodeQuad(characters + 6);
    const std::uint32_t c = detail::DecodeQuad(characters + 10);
    const std::uint32_t d = detail::DecodeQuad(characters + 14);
    const std::uint32_t e = detail::DecodeQuad(characters + 18);
    const std::uint32_t f = detail::DecodeQuad(characters + 22);
    if ((first | a | b | c | d | e | f) & detail::kNoDigitBit)
        return TextStatus::kBadCharacter;
    if (first > 255)
        return TextStatus::kOutOfRange;
    const auto bits = [](std::uint32_t value) { return std::uint64_t{value}; };
    ulid = Ulid::FromWords(bits(first) << 56 | bits(a) << 36 | bits(b) << 16 | bits(c) >> 4,
                           bits(c) << 60 | bits(d) << 40 | bits(e) << 20 | bits(f));
    return TextStatus::kValid;
}

/// Whether a character, a byte of the text, is a digit that Decode reads.
constexpr bool IsDigit(char character) { return kDigitValues[static_cast<std::uint8_t>(character)] != kNoDigit; }

namespace vectors {

consteval Ulid Parse(std::string_view text) {
    Ulid ulid{};
    if (Decode(text, ulid) != TextStatus::kValid)
        __builtin_trap(); // cannot be evaluated at compile time
    return ulid;
}

consteval TextStatus StatusOf(std::string_view text) {
    Ulid ulid{};
    return Decode(text, ulid);
}

consteval bool Writes(const Ulid &ulid, std::string_view text) {
    std::array<char, kTextLength> written{};
    Encode(ulid, written.data());
    return std::string_view(written.data(), written.size()) == text;
}

static_assert(Parse("01JGFJJZ00XHF7E02JJ03AE4T7").Milliseconds() == 1735689600000);
static_assert(Parse("01ARYZ6S410000000000000000").Milliseconds() == 1469918176385);
static_assert(Parse("01GV5PA9EQG7D82Q3Y4PKBZSYV") == Ulid::FromWords(0x0186cb6525d781da, 0x815c7e25a6bfe7db));
static_assert(Writes(Ulid::FromWords(0x0186cb6525d781da, 0x815c7e25a6bfe7db), "01GV5PA9EQG7D82Q3Y4PKBZSYV"));
static_assert(*Parse("01BX5ZZKBKACTAV9WEVGEMMVRZ").Successor() == Parse("01BX5ZZKBKACTAV9WEVGEMMVS0"));
static_assert(!Parse("01BX5ZZKBKZZZZZZZZZZZZZZZZ").Successor());
static_assert(Parse("7ZZZZZZZZZZZZZZZZZZZZZZZZZ") == kMaximum && Writes(kMaximum, "7ZZZZZZZZZZZZZZZZZZZZZZZZZ"));
static_assert(Parse("0000004JFG0000000000000000").Milliseconds() == 150000);
static_assert(Parse("oOOOOO00000000000000IiLl01") == Parse("00000000000000000000111101"));
static_assert(StatusOf("80000000000000000000000000") == TextStatus::kOutOfRange);
static_assert(StatusOf("01ARZ3NDEKTSV4RRFFQ69G5FAU") == TextStatus::kBadCharacter);
static_assert(StatusOf("01ARZ3NDEKTSV4RRFFQ69G5FA") == TextStatus::kWrongLength);

} // namespace vectors

} // namespace ulid
