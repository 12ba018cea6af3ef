// The value: its bytes, its parts, its order and its abbreviated key.
#include "values.hpp"

namespace ulid {
namespace {

int Sign(int value) { return (value > 0) - (value < 0); }

/// What comparison promises: the order of the bytes, which the abbreviated key and the distance never contradict.
void ExpectByteOrder(const Ulid &a, const Ulid &b) {
    const int order = Sign(std::memcmp(a.bytes.data(), b.bytes.data(), a.bytes.size()));
    ASSERT_EQ(Sign(Compare(a, b)), order) << TextOf(a) << ' ' << TextOf(b);
    ASSERT_EQ(a == b, order == 0) << TextOf(a) << ' ' << TextOf(b);
    const std::uint64_t a_key = AbbreviatedKey(a), b_key = AbbreviatedKey(b);
    ASSERT_TRUE(a_key == b_key || (a_key < b_key && order < 0) || (a_key > b_key && order > 0))
        << TextOf(a) << ' ' << TextOf(b);
    ASSERT_TRUE(order != 0 || a_key == b_key) << TextOf(a);
    const double apart = order < 0 ? Distance(a, b) : Distance(b, a);
    ASSERT_TRUE(apart >= 0 && (apart > 0) == (order != 0)) << TextOf(a) << ' ' << TextOf(b);
}

TEST(UlidValue, ThePartsMakeTheWholeInTheBoundsOfItsMillisecondAndTheSuccessorIsOneMore) {
    Random random;
    std::vector<Ulid> ulids = Edges();
    for (int i = 0; i < 100000; ++i)
        ulids.push_back(random.Any());
    for (const Ulid &ulid : ulids) {
        const std::optional<Ulid> successor = ulid.Successor();
        const std::uint64_t time = ulid.Milliseconds();
        Randomness randomness;
        std::ranges::copy(ulid.RandomnessBytes(), randomness.begin());
        ASSERT_EQ(Ulid::FromParts(time, randomness), ulid);
        const Ulid minimum = Ulid::Minimum(time), maximum = Ulid::Maximum(time);
        ASSERT_TRUE(Compare(minimum, ulid) <= 0 && Compare(ulid, maximum) <= 0);
        ASSERT_TRUE(minimum.Milliseconds() == time && maximum.Milliseconds() == time);
        ASSERT_TRUE(time == 0 || Compare(Ulid::Maximum(time - 1), minimum) < 0);
        ASSERT_EQ(successor.has_value(), !(ulid == Ulid::Maximum(time)));
        if (!successor)
            continue;
        // Adding a byte at a time.
        Ulid sum = ulid;
        std::size_t i = sum.bytes.size();
        while (++sum.bytes[--i] == 0)
            ;
        ASSERT_EQ(*successor, sum);
        ASSERT_EQ(successor->Milliseconds(), time);
    }
}

TEST(UlidValue, ComparesByBytesAndTheAbbreviatedKeyNeverContradicts) {
    const std::vector<Ulid> edges = Edges();
    for (const Ulid &a : edges)
        for (const Ulid &b : edges)
            ExpectByteOrder(a, b);
    Random random;
    for (int i = 0; i < 1000000; ++i) {
        Ulid a = random.Any();
        if (i % 2) // before the year 2109
            a.bytes[0] &= 3;
        ExpectByteOrder(a, random.Near(a));
    }
}

TEST(UlidValue, TheAbbreviatedKeyHoldsThe63BitsAfterTheLeadingZerosBefore2109) {
    // 1970, 2024 and 2109, whose last millisecond is 2^42 - 1. The last bit it holds is bit 59 of the low word.
    for (const std::uint64_t high : std::initializer_list<std::uint64_t>{0, 0x018F000000000000, 0x03FFFFFFFFFFFFFF}) {
        constexpr std::uint64_t kLastBit = std::uint64_t{1} << 59;
        const std::uint64_t key = AbbreviatedKey(Ulid::FromWords(high, 0));
        EXPECT_LT(key, AbbreviatedKey(Ulid::FromWords(high, kLastBit)));
        EXPECT_EQ(key, AbbreviatedKey(Ulid::FromWords(high, kLastBit - 1)));
    }
    const std::uint64_t later = AbbreviatedKey(Ulid::FromWords(0x0400000000000000, 0));
    EXPECT_EQ(later, AbbreviatedKey(Ulid::FromWords(0x0400000000000001, 0)));
    EXPECT_LT(AbbreviatedKey(Ulid::FromWords(0x03FFFFFFFFFFFFFF, ~std::uint64_t{0})), later);
}

TEST(UlidValue, TheAbbreviatedKeyHoldsTheFirst63BitsOfRandomUuids) {
    constexpr std::uint64_t kHigh = 0xF47AC10B58CC4370;
    const std::uint64_t key = AbbreviatedKey(Ulid::FromWords(kHigh, 0));
    EXPECT_LT(key, AbbreviatedKey(Ulid::FromWords(kHigh + 2, 0)));
    EXPECT_EQ(key, AbbreviatedKey(Ulid::FromWords(kHigh + 1, 0)));
}

TEST(Abbreviation, IsDecidedAfter10000UlidsByTheNumberOfDistinctKeys) {
    constexpr Abbreviation kUndecided = Abbreviation::kUndecided, kKeep = Abbreviation::kKeep,
                           kAbort = Abbreviation::kAbort;
    const struct {
        std::int64_t count;
        double keys;
        Abbreviation decision;
    } kCases[] = {
        {9999, 1, kUndecided},     {10000, 1, kAbort},      {10000, 499, kAbort},      {10000, 500, kUndecided},
        {10000, 4999, kUndecided}, {10000, 5000, kKeep},    {500000, 500, kUndecided}, {501000, 500, kAbort},
        {5000000, 5000, kKeep},    {5001000, 5000, kAbort},
    };
    for (const auto &[count, keys, decision] : kCases)
        EXPECT_EQ(Decide(count, keys), decision) << count << ", " << keys;
}

TEST(Abbreviation, BothHalvesOfAKeyTellItFromOthers) {
    EXPECT_NE(Fold(std::uint64_t{1} << 32), Fold(std::uint64_t{2} << 32));
    EXPECT_NE(Fold(1), Fold(2));
}

} // namespace
} // namespace ulid
