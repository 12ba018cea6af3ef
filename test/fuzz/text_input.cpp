// Text input: the core reads any bytes as the specification does, and leaves the ULID alone if they are not one. What
// is read is written in canonical form. The same bytes as a prefix are the ULIDs from the prefix filled up with the
// smallest digits to the prefix filled up with the greatest. The bytes are looked at as they are, and mapped to digits,
// so that many texts are valid.
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

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    Check({reinterpret_cast<const char *>(data), size});

    constexpr std::string_view kCharacters = "0123456789ABCDEFGHJKMNPQRSTVWXYZabcdefghjkmnpqrstvwxyz"
                                             "iIlLoO0011223344556677";
    std::string digits;
    for (std::size_t i = 0; i < size; ++i)
        digits += kCharacters[data[i] % kCharacters.size()];
    Check(std::string_view{digits}.substr(0, ulid::kTextLength));
    return 0;
}
