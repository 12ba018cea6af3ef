// Prefixes of the text form as ranges of ULIDs: every length, aliases, and texts that are not
// prefixes.
#include "values.hpp"

#include "core/prefix.hpp"

namespace ulid {
namespace {

UlidRange RangeOf(std::string_view prefix) {
    UlidRange range = kNoUlids;
    EXPECT_EQ(DecodePrefix(prefix, range), TextStatus::kValid) << prefix;
    return range;
}

TEST(Prefix, EveryLengthFromNothingToAWholeUlid) {
    Random random;
    for (int i = 0; i < 2000; ++i) {
        const Ulid ulid = random.Any();
        const std::string text = TextOf(ulid);
        for (std::size_t length = 0; length <= kTextLength; ++length) {
            const std::string prefix = text.substr(0, length);
            const UlidRange range = RangeOf(prefix);
            ASSERT_TRUE(Contains(range, ulid)) << prefix;
            ASSERT_TRUE(TextOf(range.first).starts_with(prefix)) << prefix;
            ASSERT_TRUE(TextOf(range.last).starts_with(prefix)) << prefix;
            // What is next to the range begins otherwise.
            if (!(range.first == kLeast)) {
                ASSERT_FALSE(TextOf(range.first.Predecessor()).starts_with(prefix)) << prefix;
            }
            if (!(range.last == kGreatest)) {
                const std::uint64_t low = range.last.Low() + 1;
                const Ulid next = Ulid::FromWords(range.last.High() + (low == 0), low);
                ASSERT_FALSE(TextOf(next).starts_with(prefix)) << prefix;
            }
        }
        EXPECT_EQ(RangeOf(text).first, ulid);
        EXPECT_EQ(RangeOf(text).last, ulid);
    }
}

TEST(Prefix, NothingIsThePrefixOfAll) {
    EXPECT_EQ(RangeOf("").first, kLeast);
    EXPECT_EQ(RangeOf("").last, kGreatest);
}

TEST(Prefix, IsReadAsTheTextIs) {
    const UlidRange range = RangeOf("oLjGfI");
    EXPECT_EQ(TextOf(range.first), "01JGF100000000000000000000");
    EXPECT_EQ(TextOf(range.last), "01JGF1ZZZZZZZZZZZZZZZZZZZZ");
}

TEST(Prefix, WhatIsNoneLeavesTheRangeAlone) {
    const std::pair<std::string, TextStatus> bad[] = {
        {"8", TextStatus::kOutOfRange},
        {"Z", TextStatus::kOutOfRange},
        {"80000000000000000000000000", TextStatus::kOutOfRange},
        {"U", TextStatus::kBadCharacter},
        {"01JGFJ-", TextStatus::kBadCharacter},
        {" ", TextStatus::kBadCharacter},
        {std::string(1, '\0'), TextStatus::kBadCharacter},
        {"\xC3\xA9", TextStatus::kBadCharacter},
        {"01JGFJJZ00XHF7E02JJ03AE4TU", TextStatus::kBadCharacter},
        {"01JGFJJZ00XHF7E02JJ03AE4T70", TextStatus::kWrongLength},
        {std::string(1000, '0'), TextStatus::kWrongLength},
    };
    for (const auto &[prefix, status] : bad) {
        UlidRange range{kGreatest, kLeast};
        EXPECT_EQ(DecodePrefix(prefix, range), status) << prefix;
        EXPECT_EQ(range.first, kGreatest);
        EXPECT_EQ(range.last, kLeast);
    }
}

} // namespace
} // namespace ulid
