// Text input: the core reads any bytes as the specification does, and leaves the ULID alone if
// they are not one. The same bytes as a prefix are the ULIDs from the prefix filled up with the
// least digits to the prefix filled up with the greatest.
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

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::string_view text{reinterpret_cast<const char *>(data), size};
    const Reference reference = ReferenceDecode(text);

    ulid::Ulid result = ulid::kMaximum;
    Expect(ulid::Decode(text, result) == reference.status, "Decode() judges as the reference does");
    Expect(result.bytes == (reference.status == ulid::TextStatus::kValid ? reference.bytes : ulid::kMaximum.bytes),
           "Decode() reads what the reference reads, or nothing");
    for (const char character : text)
        Expect(ulid::IsDigit(character) == ReferenceDigit(character).has_value(),
               "IsDigit() judges as the reference does");
    CheckPrefix(text);
    return 0;
}
