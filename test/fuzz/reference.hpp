// A plain decoder, written from the specification and independent of the core: bit by bit, with no table. And what
// holds of every text, for the fuzzer and the unit tests.
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "core/base32.hpp"
#include "core/prefix.hpp"
#include "core/ulid.hpp"
#include "core/uuid.hpp"

inline void Expect(bool holds, const char *what) {
    if (holds)
        return;
    std::fprintf(stderr, "broken: %s\n", what);
    std::abort();
}

/// What the specification says a text is.
struct Reference {
    ulid::TextStatus status;
    std::array<std::uint8_t, 16> bytes;
};

/// The value of a digit: digits, then letters without I, L, O and U; I and L are 1, O is 0.
inline std::optional<unsigned> ReferenceDigit(char character) {
    if (character >= 'a' && character <= 'z')
        character = static_cast<char>(character - 'a' + 'A');
    if (character == 'O')
        return 0;
    if (character == 'I' || character == 'L')
        return 1;
    const std::size_t digit = std::string_view{"0123456789ABCDEFGHJKMNPQRSTVWXYZ"}.find(character);
    return digit == std::string_view::npos ? std::nullopt : std::optional<unsigned>{digit};
}

inline Reference ReferenceDecode(std::string_view text) {
    if (text.size() != 26)
        return {ulid::TextStatus::kWrongLength, {}};
    std::array<unsigned, 26> digits;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        const std::optional<unsigned> digit = ReferenceDigit(text[i]);
        if (!digit)
            return {ulid::TextStatus::kBadCharacter, {}};
        digits[i] = *digit;
    }
    if (digits[0] > 7)
        return {ulid::TextStatus::kOutOfRange, {}};
    // 130 bits, of which the first two are zero.
    Reference result{ulid::TextStatus::kValid, {}};
    for (std::size_t bit = 2; bit < 130; ++bit)
        if (digits[bit / 5] >> (4 - bit % 5) & 1)
            result.bytes[(bit - 2) / 8] |= static_cast<std::uint8_t>(0x80 >> (bit - 2) % 8);
    return result;
}

/// The bytes of a UUID that PostgreSQL's uuid reads: braces or none, then its digits in groups of four.
inline std::optional<std::array<std::uint8_t, 16>> ReferenceDecodeUuid(std::string_view text) {
    if (text.size() >= 2 && text.front() == '{' && text.back() == '}')
        text = text.substr(1, text.size() - 2);
    std::array<std::uint8_t, 16> bytes{};
    for (std::size_t group = 0; group < 8; ++group) {
        if (group > 0 && text.starts_with('-'))
            text.remove_prefix(1);
        if (text.size() < 4)
            return std::nullopt;
        for (std::size_t i = 0; i < 4; ++i) {
            const std::size_t value = std::string_view{"0123456789abcdef0123456789ABCDEF"}.find(text[i]);
            if (value == std::string_view::npos)
                return std::nullopt;
            bytes[group * 2 + i / 2] |= static_cast<std::uint8_t>(value % 16 << (i % 2 ? 0 : 4));
        }
        text.remove_prefix(4);
    }
    return text.empty() ? std::optional{bytes} : std::nullopt;
}

/// The ULIDs with a prefix are those from the prefix filled up with the smallest digits to the prefix filled up with
/// the greatest.
inline void CheckPrefix(std::string_view prefix) {
    const auto is_prefix = [prefix](Reference reference) {
        return prefix.size() <= ulid::kTextLength && reference.status == ulid::TextStatus::kValid;
    };
    std::string first{prefix}, last{prefix};
    while (first.size() < ulid::kTextLength) {
        last += last.empty() ? '7' : 'Z';
        first += '0';
    }
    const Reference minimum = ReferenceDecode(first), maximum = first == last ? minimum : ReferenceDecode(last);
    const ulid::UlidRange range = ulid::UlidsWithPrefix(prefix);
    Expect(range.first.bytes == (is_prefix(minimum) ? minimum.bytes : ulid::kMaximum.bytes) &&
               range.last.bytes == (is_prefix(maximum) ? maximum.bytes : ulid::kMinimum.bytes),
           "a prefix is what the reference reads, or nothing");
}

/// The core reads a text as the specification says, or leaves the ULID alone, and writes it in canonical form.
inline ulid::TextStatus CheckText(std::string_view text) {
    const Reference reference = ReferenceDecode(text);
    ulid::Ulid result = ulid::kMaximum;
    Expect(ulid::Decode(text, result) == reference.status, "Decode() judges as the reference does");
    Expect(result.bytes == (reference.status == ulid::TextStatus::kValid ? reference.bytes : ulid::kMaximum.bytes),
           "Decode() reads what the reference reads, or nothing");
    for (const char character : text)
        Expect(ulid::IsDigit(character) == ReferenceDigit(character).has_value(),
               "IsDigit() judges as the reference does");
    CheckPrefix(text);
    if (reference.status != ulid::TextStatus::kValid)
        return reference.status;
    char canonical[ulid::kTextLength];
    ulid::Encode(result, canonical);
    for (std::size_t i = 0; i < ulid::kTextLength; ++i)
        Expect(ulid::kAlphabet.find(canonical[i]) == *ReferenceDigit(text[i]),
               "each character is the canonical one of its digit");
    return reference.status;
}

/// The core reads as a UUID what the server's uuid does, and says where any other text breaks.
inline void CheckUuid(std::string_view text) {
    const auto reference = ReferenceDecodeUuid(text);
    ulid::Ulid result = ulid::kMaximum;
    std::size_t place = 0, again = 0;
    const bool is_uuid = DecodeUuid(text, result, place);
    Expect(is_uuid == reference.has_value(), "DecodeUuid() judges as the reference does");
    Expect(result.bytes == reference.value_or(ulid::kMaximum.bytes), "DecodeUuid() reads the same value, or none");
    if (is_uuid) {
        Expect(ReferenceDecode(text).status == ulid::TextStatus::kWrongLength, "no text is both");
        return;
    }
    // What comes before is right, whatever comes after; with the next character it is not.
    Expect(place <= text.size(), "it breaks within the text or at its end");
    for (const std::size_t shorter : {place, place + 1}) {
        Expect(DecodeUuid(text.substr(0, shorter), result, again) || again == place,
               "a shorter text breaks at the same place");
    }
}
