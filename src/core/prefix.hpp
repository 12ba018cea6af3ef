// Prefixes of the text form, as ranges of ULIDs.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "base32.hpp"
#include "time_bound.hpp"

namespace ulid {

/// The ULIDs whose text begins with `prefix`, 0 to 26 characters that are read as Decode reads
/// them. Leaves `range` as it was unless the prefix is valid; kWrongLength where it is longer than
/// a ULID, kOutOfRange where no ULID begins so.
constexpr TextStatus DecodePrefix(std::string_view prefix, UlidRange &range) {
    if (prefix.size() > kTextLength)
        return TextStatus::kWrongLength;
    std::array<char, kTextLength> first{}, last{};
    Encode(kLeast, first.data());
    Encode(kGreatest, last.data());
    std::copy(prefix.begin(), prefix.end(), first.begin());
    std::copy(prefix.begin(), prefix.end(), last.begin());
    UlidRange result{};
    const TextStatus status = Decode({first.data(), first.size()}, result.first);
    if (status != TextStatus::kValid)
        return status;
    Decode({last.data(), last.size()}, result.last); // which is as valid as the first
    range = result;
    return status;
}

namespace vectors {

consteval UlidRange ParsePrefix(std::string_view prefix) {
    UlidRange range{};
    if (DecodePrefix(prefix, range) != TextStatus::kValid)
        __builtin_trap(); // which does not compile
    return range;
}

static_assert(ParsePrefix("").first == kLeast && ParsePrefix("").last == kGreatest);
static_assert(ParsePrefix("7").first == Parse("70000000000000000000000000") &&
              ParsePrefix("7").last == kGreatest);
static_assert(ParsePrefix("oljgfj").first == Parse("01JGFJ00000000000000000000") &&
              ParsePrefix("oljgfj").last == Parse("01JGFJZZZZZZZZZZZZZZZZZZZZ"));

} // namespace vectors

} // namespace ulid
