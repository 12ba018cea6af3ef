// Text input: the core reads any bytes as the specification of ULIDs and the server's uuid do, and leaves the ULID
// alone if they are neither. What is read is written in canonical form. The same bytes as a prefix are the ULIDs from
// the prefix filled up with the smallest digits to the prefix filled up with the greatest. The bytes are looked at as
// they are, and mapped to the characters of a ULID and of a UUID, so that many texts are valid.
#include "reference.hpp"

#include <string>

#include "core/prefix.hpp"

namespace {

void CheckPrefix(std::string_view prefix) {
    const auto is_prefix = [prefix](Reference reference) {
        return prefix.size() <= ulid::kTextLength && reference.status == ulid::TextStatus::kValid;
    };
    std::string first{prefix}, last{prefix};
    while (first.size() < ulid::kTextLength) {
        last += last.empty() ? '7' : 'Z';
        first += '0';
    }
    const Reference minimum = ReferenceDecode(first), maximum = ReferenceDecode(last);
    const ulid::UlidRange range = ulid::UlidsWithPrefix(prefix);
    Expect(range.first.bytes == (is_prefix(minimum) ? minimum.bytes : ulid::kMaximum.bytes) &&
               range.last.bytes == (is_prefix(maximum) ? maximum.bytes : ulid::kMinimum.bytes),
           "a prefix is what the reference reads, or nothing");
}

void Check(std::string_view text) {
    const Reference reference = ReferenceDecode(text);
    ulid::Ulid result = ulid::kMaximum;
    Expect(ulid::Decode(text, result) == reference.status, "Decode() judges as the reference does");
    Expect(result.bytes == (reference.status == ulid::TextStatus::kValid ? reference.bytes : ulid::kMaximum.bytes),
           "Decode() reads what the reference reads, or nothing");
    for (const char character : text)
        Expect(ulid::IsDigit(character) == ReferenceDigit(character).has_value(),
               "IsDigit() judges as the reference does");
    CheckPrefix(text);
    if (reference.status != ulid::TextStatus::kValid)
        return;
    char canonical[ulid::kTextLength];
    ulid::Encode(result, canonical);
    for (std::size_t i = 0; i < ulid::kTextLength; ++i)
        Expect(ulid::kAlphabet.find(canonical[i]) == *ReferenceDigit(text[i]),
               "each character is the canonical one of its digit");
}

void CheckUuid(std::string_view text) {
    const auto reference = ReferenceDecodeUuid(text);
    ulid::Ulid result = ulid::kMaximum;
    std::size_t place = 0, again = 0;
    const bool is_uuid = DecodeUuid(text, result, place);
    Expect(is_uuid == reference.has_value(), "DecodeUuid() judges as the reference does");
    Expect(result.bytes == reference.value_or(ulid::kMaximum.bytes), "DecodeUuid() reads the same value, or none");
    if (is_uuid) {
        Expect(ReferenceDecode(text).status == ulid::TextStatus::kWrongLength, "no text is both");
        return;
    }
    // What comes before is right, whatever comes after; with the next character it is not.
    Expect(place <= text.size(), "it breaks within the text or at its end");
    for (const std::size_t shorter : {place, place + 1}) {
        Expect(DecodeUuid(text.substr(0, shorter), result, again) || again == place,
               "a shorter text breaks at the same place");
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::string_view bytes{reinterpret_cast<const char *>(data), size};
    Check(bytes);
    CheckUuid(bytes);

    constexpr std::string_view kCharacters = "0123456789ABCDEFGHJKMNPQRSTVWXYZabcdefghjkmnpqrstvwxyz"
                                             "iIlLoO0011223344556677";
    // Of a UUID what comes next: a digit, rarely a hyphen, a brace, or anything.
    constexpr std::string_view kDigits = "0123456789abcdefABCDEF";
    std::string digits, uuid;
    for (std::size_t i = 0; i < size; ++i) {
        digits += kCharacters[data[i] % kCharacters.size()];
        if (data[i] == 255)
            uuid += i == 0 ? '{' : '}';
        else if (data[i] == 254 || (uuid.size() % 5 == 4 && data[i] % 8 != 0))
            uuid += '-';
        else
            uuid += kDigits[data[i] % kDigits.size()];
    }
    Check(std::string_view{digits}.substr(0, ulid::kTextLength));
    CheckUuid(uuid);
    return 0;
}
