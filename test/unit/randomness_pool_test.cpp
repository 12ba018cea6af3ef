// The pool of randomness: each byte is handed out once and wiped, also when the source fails.
#include "values.hpp"

namespace ulid {
namespace {

/// Fills blocks with 1, 2, 3 and so on, never 0, and counts how often it was asked.
struct CountingSource {
    std::uint8_t next = 0;
    int calls = 0;
    bool fails = false;

    bool operator()(std::span<std::uint8_t> block) {
        ++calls;
        for (std::uint8_t &byte : block)
            byte = fails ? 0xEE : next = static_cast<std::uint8_t>(next % 200 + 1);
        return !fails;
    }
};

template <typename Pool> std::size_t BytesLeft(const Pool &pool) {
    return pool.Block().size() - static_cast<std::size_t>(std::ranges::count(pool.Block(), std::uint8_t{0}));
}

/// Draws from a pool of that many bytes, of which each block holds so many draws of ten, and a rest that is not used.
template <std::size_t kBytes> void ExpectEachByteOnce() {
    RandomnessPool<kBytes> pool;
    CountingSource source;
    constexpr int kDraws = kBytes / 10;
    EXPECT_EQ(BytesLeft(pool), 0u);
    for (int draw = 0; draw < 1000; ++draw) {
        Randomness randomness;
        ASSERT_TRUE(pool.Draw(randomness, source));
        for (int i = 0; i < 10; ++i) {
            const int drawn = draw / kDraws * static_cast<int>(kBytes) + draw % kDraws * 10 + i;
            ASSERT_EQ(randomness[static_cast<std::size_t>(i)], drawn % 200 + 1);
        }
        ASSERT_EQ(source.calls, draw / kDraws + 1);
        ASSERT_EQ(BytesLeft(pool), kBytes - 10u * static_cast<unsigned>(draw % kDraws + 1));
    }
}

TEST(RandomnessPool, HandsEachByteOutOnceAndWipesIt) {
    ExpectEachByteOnce<40>();
    ExpectEachByteOnce<25>(); // no multiple of a draw: the block is not overrun
}

TEST(RandomnessPool, AFailingSourceGivesNothingAndTheNextDrawWorks) {
    RandomnessPool<20> pool;
    CountingSource source;
    Randomness randomness;
    for (int draw = 0; draw < 12; ++draw) { // Two fail, two work, and so on.
        source.fails = draw % 4 < 2;
        randomness.fill(0);
        EXPECT_EQ(pool.Draw(randomness, source), !source.fails);
        EXPECT_EQ(std::ranges::count(randomness, std::uint8_t{0xEE}), 0);
        EXPECT_EQ(randomness == Randomness{}, source.fails);
        EXPECT_EQ(BytesLeft(pool), draw % 4 == 2 ? 10u : 0u);
    }
    EXPECT_EQ(source.calls, 3 * (2 + 1));
}

TEST(RandomnessPool, DiscardWipesWhatWasNotHandedOutAndDrawsAnew) {
    RandomnessPool<40> pool;
    CountingSource source;
    Randomness randomness;
    ASSERT_TRUE(pool.Draw(randomness, source));
    EXPECT_EQ(BytesLeft(pool), 30u);
    pool.Discard();
    EXPECT_EQ(BytesLeft(pool), 0u);
    ASSERT_TRUE(pool.Draw(randomness, source));
    EXPECT_EQ(source.calls, 2);
    EXPECT_EQ(randomness[0], 41);
}

} // namespace
} // namespace ulid
