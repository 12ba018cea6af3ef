// The texts of UUIDs that are read as ULIDs of the same bytes: every form that the server's uuid
// reads, and nothing else.
#include "../fuzz/reference.hpp"
#include "values.hpp"

namespace ulid {
namespace {

constexpr std::string_view kDigits = "0186cb6525d781da815c7e25a6bfe7db";

/// Where a text breaks; its size plus 1 if it does not.
std::size_t BreaksAt(std::string_view text, Ulid &result) {
    std::size_t place = 0;
    CheckUuid(text);
    return DecodeUuid(text, result, place) ? text.size() + 1 : place;
}

TEST(Uuid, EveryChoiceOfHyphensAndBracesUpToAWrongCharacterOrTheEnd) {
    for (unsigned hyphens = 0; hyphens < 128; ++hyphens) {
        std::string text;
        for (std::size_t group = 0; group < 8; ++group) {
            if (group > 0 && (hyphens >> (group - 1) & 1))
                text += '-';
            text += kDigits.substr(group * 4, 4);
        }
        for (const std::string &form : {text, "{" + text + "}"}) {
            Ulid result = kMaximum;
            EXPECT_EQ(BreaksAt(form, result), form.size() + 1) << form;
            EXPECT_EQ(TextOf(result), "01GV5PA9EQG7D82Q3Y4PKBZSYV") << form;
            for (std::size_t place = 0; place < form.size(); ++place) {
                EXPECT_EQ(BreaksAt(std::string_view{form}.substr(0, place), result), place) << form;
                for (const char wrong : {'g', ' ', '\0', '\xe9'})
                    EXPECT_EQ(BreaksAt(std::string{form}.replace(place, 1, 1, wrong), result), place) << form;
            }
        }
    }
}

TEST(Uuid, AnyCharacterTooManyBreaksIt) {
    for (const std::string &form :
         {std::string{"0186cb65-25d7-81da-815c-7e25a6bfe7db"}, std::string{"{0186cb6525d781da815c7e25a6bfe7db}"}})
        for (std::size_t place = 0; place <= form.size(); ++place)
            for (const char more : {'-', '{', '}', '0', ' '})
                CheckUuid(std::string{form}.insert(place, 1, more));
}

} // namespace
} // namespace ulid
