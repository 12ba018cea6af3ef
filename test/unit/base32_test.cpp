// The text form, against the reference that the fuzzer uses too. (Published vectors: core/base32.hpp.)
#include "../fuzz/reference.hpp"
#include "values.hpp"

namespace ulid {
namespace {

/// Expects that Decode says of a text what the reference says, and gives the same value.
TextStatus DecodeBothWays(std::string_view text) {
    const Ulid untouched = Ulid::FromWords(0x0123456789ABCDEF, 0xFEDCBA9876543210);
    Ulid ulid = untouched;
    const TextStatus status = Decode(text, ulid);
    const Reference reference = ReferenceDecode(text);
    EXPECT_EQ(status, reference.status) << text;
    EXPECT_EQ(ulid.bytes, status == TextStatus::kValid ? reference.bytes : untouched.bytes) << text;
    return status;
}

/// Expects that the reference reads what Encode writes.
void EncodeBothWays(const Ulid &ulid) {
    const std::string text = TextOf(ulid);
    EXPECT_EQ(ReferenceDecode(text).bytes, ulid.bytes) << text;
    EXPECT_EQ(text.find_first_not_of(kAlphabet), std::string::npos) << text;
}

TEST(Base32, EncodesEveryByteAtEveryPosition) {
    for (const std::uint8_t background : {0x00, 0x5A, 0xFF})
        for (std::size_t position = 0; position < 16; ++position)
            for (int byte = 0; byte < 256; ++byte) {
                Ulid ulid;
                ulid.bytes.fill(background);
                ulid.bytes[position] = static_cast<std::uint8_t>(byte);
                EncodeBothWays(ulid);
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
                const TextStatus status = DecodeBothWays(text);
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
        EncodeBothWays(ulid);
        ASSERT_EQ(DecodeBothWays(text), TextStatus::kValid);
        ASSERT_EQ(UlidOf(text), ulid);
        for (char &character : text)
            character = static_cast<char>(std::tolower(character));
        ASSERT_EQ(UlidOf(text), ulid);
        text[random.Word() % text.size()] = static_cast<char>(random.Word());
        DecodeBothWays(text);
    }
}

TEST(Base32, EveryLengthButTwentySixIsWrong) {
    for (std::size_t length = 0; length <= 64; ++length) {
        Ulid ulid = kMaximum;
        const bool is_right = length == kTextLength;
        EXPECT_EQ(Decode(std::string(length, '0'), ulid), is_right ? TextStatus::kValid : TextStatus::kWrongLength);
        EXPECT_EQ(ulid, is_right ? kMinimum : kMaximum);
    }
}

TEST(Base32, TextsSortAsTheirUlids) {
    Random random;
    for (int i = 0; i < 100000; ++i) {
        const Ulid a = random.Any(), b = random.Near(a);
        ASSERT_EQ(TextOf(a) < TextOf(b), Compare(a, b) < 0) << TextOf(a) << ' ' << TextOf(b);
    }
}

} // namespace
} // namespace ulid
