// Text input: any bytes as they are, and mapped to the characters of a ULID and of a UUID, so that many texts are
// valid.
#include "reference.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::string_view bytes{reinterpret_cast<const char *>(data), size};
    CheckText(bytes);
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
    CheckText(std::string_view{digits}.substr(0, ulid::kTextLength));
    CheckUuid(uuid);
    return 0;
}
