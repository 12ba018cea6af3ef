// The text form and its prefixes, against the reference that the fuzzer uses too. (Published vectors: core/base32.hpp,
// core/prefix.hpp. Order: sql/order.sql. Texts that no ULID starts with: sql/prefix.sql.)
#include "../fuzz/reference.hpp"
#include "values.hpp"

namespace ulid {
namespace {

TEST(Base32, EncodesEveryByteAtEveryPosition) {
    for (const std::uint8_t background : {0x00, 0x5A, 0xFF})
        for (std::size_t position = 0; position < 16; ++position)
            for (int byte = 0; byte < 256; ++byte) {
                Ulid ulid;
                ulid.bytes.fill(background);
                ulid.bytes[position] = static_cast<std::uint8_t>(byte);
                EXPECT_EQ(ReferenceDecode(TextOf(ulid)).bytes, ulid.bytes);
            }
}

TEST(Base32, DecodesEveryCharacterAtEveryPosition) {
    for (const char background : {'0', 'z', '-'})
        for (std::size_t position = 0; position < kTextLength; ++position) {
            int valid = 0, out_of_range = 0;
            for (int character = 0; character < 256; ++character) {
                std::string text(kTextLength, background);
                text[0] = background == 'z' ? '7' : background;
                text[position] = static_cast<char>(character);
                const TextStatus status = CheckText(text);
                valid += status == TextStatus::kValid;
                out_of_range += status == TextStatus::kOutOfRange;
            }
            // 10 digits, 22 letters of two cases, and I, L and O of two cases.
            const int digits = 10 + 2 * 22 + 2 * 3, up_to_seven = 8 + 2 * 3;
            const bool is_bad = background == '-', is_first = position == 0;
            EXPECT_EQ(valid, is_bad ? 0 : is_first ? up_to_seven : digits);
            EXPECT_EQ(out_of_range, !is_bad && is_first ? digits - up_to_seven : 0);
        }
}

TEST(Base32, AMillionRandomValuesComeBack) {
    Random random;
    for (int i = 0; i < 1000000; ++i) {
        const Ulid ulid = random.Any();
        std::string text = TextOf(ulid);
        ASSERT_EQ(UlidOf(text), ulid);
        text[random.Word() % text.size()] = static_cast<char>(random.Word());
        CheckText(text);
    }
}

TEST(Base32, EveryLengthButTwentySixIsWrong) {
    for (std::size_t length = 0; length <= 64; ++length)
        EXPECT_EQ(CheckText(std::string(length, '0')),
                  length == kTextLength ? TextStatus::kValid : TextStatus::kWrongLength);
}

TEST(Prefix, EveryLengthFromNothingToAWholeUlid) {
    Random random;
    for (int i = 0; i < 2000; ++i) {
        const Ulid ulid = random.Any();
        const std::string text = TextOf(ulid);
        for (std::size_t length = 0; length <= kTextLength; ++length) {
            const std::string_view prefix = std::string_view{text}.substr(0, length);
            CheckPrefix(prefix);
            const UlidRange range = UlidsWithPrefix(prefix);
            ASSERT_TRUE(Compare(range.first, ulid) <= 0 && Compare(ulid, range.last) <= 0) << prefix;
        }
    }
}

} // namespace
} // namespace ulid
