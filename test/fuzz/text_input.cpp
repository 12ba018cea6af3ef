// Text input: the core reads any bytes as the specification does, and leaves the ULID alone where it
// reads none.
#include "reference.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::string_view text{reinterpret_cast<const char *>(data), size};
    const Reference reference = ReferenceDecode(text);

    ulid::Ulid result = ulid::kGreatest;
    Expect(ulid::Decode(text, result) == reference.status, "Decode() judges as the reference does");
    Expect(result.bytes == (reference.status == ulid::TextStatus::kValid ? reference.bytes
                                                                         : ulid::kGreatest.bytes),
           "Decode() reads what the reference reads, or nothing");
    if (size == ulid::kTextLength) {
        ulid::Ulid plain = ulid::kGreatest;
        Expect(ulid::plain::Decode(text.data(), plain) == reference.status && plain == result,
               "the plain codec agrees");
    }
    for (const char character : text)
        Expect(ulid::IsDigit(character) == ReferenceDigit(character).has_value(),
               "IsDigit() judges as the reference does");
    return 0;
}
