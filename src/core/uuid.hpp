// The text forms of a UUID that PostgreSQL's uuid reads (src/backend/utils/adt/uuid.c): 32
// hexadecimal digits in any case, a hyphen or none after each group of four but the last, and
// braces around it or none. The shortest has 32 characters, so none is a ULID's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ulid.hpp"

namespace ulid {

namespace detail {

/// The value, 0 to 15, of a hexadecimal digit; else -1.
constexpr int HexDigitValue(char character) {
    if (character >= '0' && character <= '9')
        return character - '0';
    if (character >= 'a' && character <= 'f')
        return character - 'a' + 10;
    if (character >= 'A' && character <= 'F')
        return character - 'A' + 10;
    return -1;
}

} // namespace detail

inline constexpr std::size_t kUuidDigits = 32;

/// Reads a UUID's text; false if it is invalid. Then `ulid` is unchanged, and `place` is the number of characters
/// before the first one that is wrong or missing.
constexpr bool DecodeUuid(std::string_view text, Ulid &ulid, std::size_t &place) {
    const bool has_braces = text.starts_with('{');
    place = has_braces ? 1 : 0;
    std::uint64_t high = 0, low = 0;
    for (std::size_t digit = 0; digit < kUuidDigits; ++digit) {
        if (digit > 0 && digit % 4 == 0 && place < text.size() && text[place] == '-')
            ++place;
        const int value = place < text.size() ? detail::HexDigitValue(text[place]) : -1;
        if (value < 0)
            return false;
        high = high << 4 | low >> 60;
        low = low << 4 | static_cast<std::uint64_t>(value);
        ++place;
    }
    if (has_braces) {
        if (place == text.size() || text[place] != '}')
            return false;
        ++place;
    }
    if (place != text.size())
        return false;
    ulid = Ulid::FromWords(high, low);
    return true;
}

namespace vectors {

consteval Ulid ParseUuid(std::string_view text) {
    Ulid ulid{};
    std::size_t place = 0;
    if (!DecodeUuid(text, ulid, place))
        __builtin_trap(); // cannot be evaluated at compile time
    return ulid;
}

static_assert(ParseUuid("01563e3a-b5d3-d676-4c61-efb99302bd5b") ==
              Ulid::FromWords(0x01563e3ab5d3d676, 0x4c61efb99302bd5b));
static_assert(ParseUuid("{0156-3E3A-B5D3-D676-4C61-EFB9-9302-BD5B}") == ParseUuid("01563e3ab5d3d6764c61efb99302bd5b"));

} // namespace vectors

} // namespace ulid
