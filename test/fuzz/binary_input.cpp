// Binary receive: any 16 bytes are a ULID, whose parts, text, order and successor are right. The
// bytes that follow choose a second ULID, a time and a randomness.
#include <algorithm>

#include "reference.hpp"

namespace {

ulid::Ulid Take(const std::uint8_t *&data, std::size_t &size) {
    ulid::Ulid result{};
    const std::size_t length = std::min(size, result.bytes.size());
    std::copy_n(data, length, result.bytes.begin());
    data += length;
    size -= length;
    return result;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const ulid::Ulid a = Take(data, size), b = Take(data, size), c = Take(data, size);

    std::uint64_t milliseconds = 0;
    for (int i = 0; i < 6; ++i)
        milliseconds = milliseconds * 256 + a.bytes[i];
    Expect(a.Milliseconds() == milliseconds, "the time is the first 6 bytes");
    ulid::Randomness randomness;
    std::copy(a.RandomnessBytes().begin(), a.RandomnessBytes().end(), randomness.begin());
    Expect(ulid::Ulid::FromParts(milliseconds, randomness) == a, "the parts make the whole");
    Expect(Compare(ulid::Ulid::Minimum(milliseconds), a) <= 0 && Compare(a, ulid::Ulid::Maximum(milliseconds)) <= 0,
           "it lies in its millisecond");

    char text[ulid::kTextLength];
    ulid::Encode(a, text);
    Expect(ReferenceDecode({text, sizeof text}).bytes == a.bytes, "the text is read back");

    const int order = (a.bytes > b.bytes) - (a.bytes < b.bytes);
    const int compared = Compare(a, b);
    Expect((compared > 0) - (compared < 0) == order, "the order is that of the bytes");
    Expect((a == b) == (order == 0), "equal bytes are equal");
    const double apart = order < 0 ? Distance(a, b) : Distance(b, a);
    Expect(apart >= 0 && (apart > 0) == (order != 0), "what differs is apart");
    const std::uint64_t a_key = AbbreviatedKey(a), b_key = AbbreviatedKey(b);
    Expect(a_key == b_key || (a_key < b_key) == (order < 0), "abbreviated keys agree with it");

    const std::optional<ulid::Ulid> successor = a.Successor();
    Expect(successor.has_value() == !(a == ulid::Ulid::Maximum(milliseconds)),
           "only the last of a millisecond has no successor");
    if (successor) {
        ulid::Ulid carried = a;
        for (std::size_t i = carried.bytes.size(); i-- > 0 && ++carried.bytes[i] == 0;)
            ;
        Expect(*successor == carried, "the successor is the bytes plus 1");
    }

    // The generator's step, at the time and with the randomness of b and c.
    const auto now = static_cast<std::int64_t>(b.High());
    const auto source = [&c](ulid::Randomness &drawn) {
        std::copy_n(c.bytes.begin(), drawn.size(), drawn.begin());
        return c.bytes[15] % 8 != 0;
    };
    ulid::Ulid next = ulid::kMinimum;
    const ulid::GeneratorStatus status = ulid::Next(a, now, source, next);
    Expect(status == ulid::GeneratorStatus::kGenerated ? Compare(a, next) < 0 : next == ulid::kMinimum,
           "a step goes up or fails");
    return 0;
}
