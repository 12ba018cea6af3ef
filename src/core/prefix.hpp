// Prefixes of the text form, as ranges of ULIDs.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "base32.hpp"
#include "time_bound.hpp"

namespace ulid {

/// The ULIDs whose text begins with `prefix`, which is read as Decode reads text; kNoUlids if there
/// are none.
constexpr UlidRange UlidsWithPrefix(std::string_view prefix) {
    if (prefix.size() > kTextLength)
        return kNoUlids;
    std::array<char, kTextLength> first{}, last{};
    Encode(kMinimum, first.data());
    Encode(kMaximum, last.data());
    std::copy(prefix.begin(), prefix.end(), first.begin());
    std::copy(prefix.begin(), prefix.end(), last.begin());
    UlidRange range{};
    const bool is_valid = Decode({first.data(), first.size()}, range.first) == TextStatus::kValid &&
                          Decode({last.data(), last.size()}, range.last) == TextStatus::kValid;
    return is_valid ? range : kNoUlids;
}

namespace vectors {

static_assert(UlidsWithPrefix("").first == kMinimum && UlidsWithPrefix("").last == kMaximum);
static_assert(UlidsWithPrefix("7").first == Parse("70000000000000000000000000"));
static_assert(UlidsWithPrefix("7").last == kMaximum);
static_assert(UlidsWithPrefix("oljgfj").first == Parse("01JGFJ00000000000000000000"));
static_assert(UlidsWithPrefix("oljgfj").last == Parse("01JGFJZZZZZZZZZZZZZZZZZZZZ"));
static_assert(UlidsWithPrefix("8").last == kMinimum && UlidsWithPrefix("U").last == kMinimum);

} // namespace vectors

} // namespace ulid
