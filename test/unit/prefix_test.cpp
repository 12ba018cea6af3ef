// Prefixes of the text form as ranges of ULIDs: every length, and texts that are not prefixes. (Aliases:
// core/prefix.hpp.)
#include "values.hpp"

#include "core/prefix.hpp"

namespace ulid {
namespace {

TEST(Prefix, EveryLengthFromNothingToAWholeUlid) {
    Random random;
    for (int i = 0; i < 2000; ++i) {
        const Ulid ulid = random.Any();
        const std::string text = TextOf(ulid);
        for (std::size_t length = 0; length <= kTextLength; ++length) {
            const std::string prefix = text.substr(0, length);
            const UlidRange range = UlidsWithPrefix(prefix);
            ASSERT_TRUE(Compare(range.first, ulid) <= 0 && Compare(ulid, range.last) <= 0) << prefix;
            ASSERT_TRUE(TextOf(range.first).starts_with(prefix)) << prefix;
            ASSERT_TRUE(TextOf(range.last).starts_with(prefix)) << prefix;
            // What is next to the range begins otherwise.
            const std::uint64_t low = range.last.Low() + 1;
            const Ulid next = Ulid::FromWords(range.last.High() + (low == 0), low);
            ASSERT_TRUE(range.first == kMinimum || !TextOf(range.first.Predecessor()).starts_with(prefix)) << prefix;
            ASSERT_TRUE(range.last == kMaximum || !TextOf(next).starts_with(prefix)) << prefix;
        }
        EXPECT_EQ(UlidsWithPrefix(text).first, ulid);
        EXPECT_EQ(UlidsWithPrefix(text).last, ulid);
    }
}

TEST(Prefix, NoUlidStartsWithWhatIsNotOne) {
    using namespace std::string_literals;
    for (const std::string &prefix :
         {"8"s, "Z"s, "80000000000000000000000000"s, "U"s, "01JGFJ-"s, " "s, "\0"s, "\xC3\xA9"s,
          "01JGFJJZ00XHF7E02JJ03AE4TU"s, "01JGFJJZ00XHF7E02JJ03AE4T70"s, std::string(1000, '0')}) {
        EXPECT_EQ(UlidsWithPrefix(prefix).first, kMaximum) << prefix;
        EXPECT_EQ(UlidsWithPrefix(prefix).last, kMinimum) << prefix;
    }
}

} // namespace
} // namespace ulid
