// Decode, then encode, compared with the reference decoder: what is read is written in canonical form, and is the same
// when it is read again. Bytes are mapped to near digits, so that most texts are valid.
#include "reference.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    constexpr std::string_view kCharacters = "0123456789ABCDEFGHJKMNPQRSTVWXYZabcdefghjkmnpqrstvwxyz"
                                             "iIlLoO0011223344556677";
    if (size < ulid::kTextLength)
        return 0;
    char text[ulid::kTextLength];
    for (std::size_t i = 0; i < ulid::kTextLength; ++i)
        text[i] = kCharacters[data[i] % kCharacters.size()];

    const Reference reference = ReferenceDecode({text, sizeof text});
    ulid::Ulid result = ulid::kMinimum;
    Expect(ulid::Decode({text, sizeof text}, result) == reference.status, "the status is the same");
    if (reference.status != ulid::TextStatus::kValid)
        return 0;
    Expect(result.bytes == reference.bytes, "the value is the same");

    char canonical[ulid::kTextLength];
    ulid::Encode(result, canonical);
    for (std::size_t i = 0; i < ulid::kTextLength; ++i)
        Expect(ulid::kAlphabet.find(canonical[i]) == *ReferenceDigit(text[i]),
               "each character is the canonical one of its digit");
    return 0;
}
