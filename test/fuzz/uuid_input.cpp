// Text input of a UUID: the core reads what the server's uuid reads, into the same bytes, and
// leaves the ULID alone otherwise. The bytes are looked at as they are, and mapped to what a UUID
// is made of, so that many texts are valid. No text is both a UUID and a ULID.
#include "reference.hpp"

#include <string>

namespace {

void Check(std::string_view text) {
    const auto reference = ReferenceDecodeUuid(text);
    ulid::Ulid result = ulid::kMaximum;
    const std::optional<std::size_t> breaks_at = DecodeUuid(text, result);
    Expect(breaks_at.has_value() == !reference.has_value(), "it is judged as by the reference");
    Expect(result.bytes == reference.value_or(ulid::kMaximum.bytes), "the value is the same, or none");
    if (!breaks_at) {
        Expect(ReferenceDecode(text).status == ulid::TextStatus::kWrongLength, "no text is both");
        return;
    }
    // What comes before is right, whatever comes after; with the next character it is not.
    Expect(*breaks_at <= text.size(), "it breaks within the text or at its end");
    for (const std::size_t shorter : {*breaks_at, *breaks_at + 1}) {
        const auto again = DecodeUuid(text.substr(0, shorter), result);
        Expect(!again || *again == *breaks_at, "a shorter text breaks at the same place");
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    Check({reinterpret_cast<const char *>(data), size});

    // Of each byte what comes next: a digit, rarely a hyphen, a brace, or anything.
    constexpr std::string_view kDigits = "0123456789abcdefABCDEF";
    std::string text;
    for (std::size_t i = 0; i < size; ++i) {
        const bool is_group = text.size() % 5 == 4;
        if (data[i] == 255)
            text += i == 0 ? '{' : '}';
        else if (data[i] == 254 || (is_group && data[i] % 8 != 0))
            text += '-';
        else
            text += kDigits[data[i] % kDigits.size()];
    }
    Check(text);
    return 0;
}
