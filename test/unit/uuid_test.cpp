// The texts of UUIDs that are read as ULIDs of the same bytes: every form that the server's uuid
// reads, and nothing else.
#include "values.hpp"

#include "core/uuid.hpp"

namespace ulid {
namespace {

constexpr std::string_view kDigits = "0186cb6525d781da815c7e25a6bfe7db";

TEST(Uuid, EveryChoiceOfHyphensAndBraces) {
    for (unsigned hyphens = 0; hyphens < 128; ++hyphens) {
        std::string text;
        for (std::size_t group = 0; group < 8; ++group) {
            if (group > 0 && (hyphens >> (group - 1) & 1))
                text += '-';
            text += kDigits.substr(group * 4, 4);
        }
        for (const std::string &form : {text, "{" + text + "}"}) {
            Ulid result = kMaximum;
            std::size_t place = 0;
            EXPECT_TRUE(DecodeUuid(form, result, place)) << form;
            EXPECT_EQ(TextOf(result), "01GV5PA9EQG7D82Q3Y4PKBZSYV") << form;
        }
    }
}

/// Where a text breaks; its size plus 1 if it does not.
std::size_t BreaksAt(std::string_view text, Ulid &result) {
    std::size_t place = 0;
    return DecodeUuid(text, result, place) ? text.size() + 1 : place;
}

TEST(Uuid, BreaksAtTheFirstWrongCharacterAndAtTheEnd) {
    const std::string canonical = "0186cb65-25d7-81da-815c-7e25a6bfe7db";
    for (std::size_t place = 0; place < canonical.size(); ++place) {
        for (const char wrong : {'g', ' ', '}', '\0', '\xe9'}) {
            std::string text = canonical;
            text[place] = wrong;
            Ulid result = kMaximum;
            EXPECT_EQ(BreaksAt(text, result), place) << text;
            EXPECT_EQ(BreaksAt("{" + text + "}", result), place + 1) << text;
            EXPECT_EQ(result, kMaximum);
        }
        Ulid result = kMaximum;
        EXPECT_EQ(BreaksAt(canonical.substr(0, place), result), place);
        EXPECT_EQ(BreaksAt("{" + canonical.substr(0, place), result), place + 1);
    }
}

TEST(Uuid, BreaksWhereItEndsTooSoonOrGoesOn) {
    const std::pair<std::string, std::size_t> bad[] = {
        {"-0186cb6525d781da815c7e25a6bfe7db", 0},    {"01-86cb6525d781da815c7e25a6bfe7db", 2},
        {"0186--cb6525d781da815c7e25a6bfe7db", 5},   {"0186cb6525d781da815c7e25a6bfe7d", 31},
        {"0186cb6525d781da815c7e25a6bfe7db-", 32},   {"0186cb6525d781da815c7e25a6bfe7db0", 32},
        {"0186cb6525d781da815c7e25a6bfe7db}", 32},   {"{0186cb6525d781da815c7e25a6bfe7db", 33},
        {"{0186cb6525d781da815c7e25a6bfe7db} ", 34}, {"{{0186cb6525d781da815c7e25a6bfe7db}}", 1},
    };
    for (const auto &[text, place] : bad) {
        Ulid result = kMaximum;
        EXPECT_EQ(BreaksAt(text, result), place) << text;
        EXPECT_EQ(result, kMaximum) << text;
    }
}

} // namespace
} // namespace ulid
