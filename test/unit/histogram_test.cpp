// Estimates by a histogram: at its edges, and compared with a plain model.
#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "histogram_model.hpp"

namespace ulid {
namespace {

constexpr Inequality kLess{false, false}, kLessEqual{false, true}, kGreaterEqual{true, true},
    kGreater{true, false};
constexpr Inequality kInequalities[] = {kLess, kLessEqual, kGreaterEqual, kGreater};

Ulid At(std::uint64_t milliseconds) { return Ulid::Least(milliseconds); }

TEST(FractionOfBin, IsByTheWhole128Bits) {
    EXPECT_EQ(FractionOfBin(At(0), At(4), At(1)), 0.25);
    EXPECT_EQ(FractionOfBin(At(7), At(8), Ulid::FromWords(7 << 16 | 0x8000, 0)), 0.5);
    // Within 64 bits, across a carry, and across all of 128 bits.
    EXPECT_EQ(
        FractionOfBin(Ulid::FromWords(1, 100), Ulid::FromWords(1, 500), Ulid::FromWords(1, 200)),
        0.25);
    EXPECT_EQ(FractionOfBin(Ulid::FromWords(1, ~std::uint64_t{0}), Ulid::FromWords(2, 3),
                            Ulid::FromWords(2, 0)),
              0.25);
    EXPECT_EQ(FractionOfBin(kLeast, kGreatest, Ulid::FromWords(std::uint64_t{1} << 63, 0)), 0.5);
    EXPECT_EQ(FractionOfBin(kLeast, kGreatest, kGreatest), 1);
}

TEST(FractionOfBin, StaysWithinTheBin) {
    EXPECT_EQ(FractionOfBin(At(5), At(9), At(4)), 0);
    EXPECT_EQ(FractionOfBin(At(5), At(9), At(5)), 0);
    EXPECT_EQ(FractionOfBin(At(5), At(9), At(9)), 1);
    EXPECT_EQ(FractionOfBin(At(5), At(9), At(10)), 1);
    // No bin: statistics may be in no order.
    EXPECT_EQ(FractionOfBin(At(5), At(5), At(5)), 0.5);
    EXPECT_EQ(FractionOfBin(At(9), At(5), At(7)), 0.5);
}

TEST(Histogram, TellsThePartBelowAndAbove) {
    const Ulid bounds[] = {At(0), At(100), At(1100)};
    const Histogram histogram{bounds};
    EXPECT_DOUBLE_EQ(histogram.Selectivity(kLess, At(600), 0), 0.75);
    EXPECT_DOUBLE_EQ(histogram.Selectivity(kLessEqual, At(600), 0.01), 0.75);
    EXPECT_DOUBLE_EQ(histogram.Selectivity(kLess, At(600), 0.01), 0.74);
    EXPECT_DOUBLE_EQ(histogram.Selectivity(kGreaterEqual, At(600), 0.01), 0.26);
    EXPECT_DOUBLE_EQ(histogram.Selectivity(kGreater, At(600), 0.01), 0.25);
    EXPECT_EQ(histogram.Selectivity(kLess, At(0), 0.01), 0);
    EXPECT_EQ(histogram.Selectivity(kGreater, At(1100), 0.01), 0);
    EXPECT_EQ(histogram.Selectivity(kLess, At(2000), 0.01), 1);
    EXPECT_DOUBLE_EQ(histogram.Selectivity(kLessEqual, At(0), 0.01), 0.01);
}

TEST(Histogram, TakesEndsThatAreMoreRecent) {
    const Ulid bounds[] = {At(100), At(200), At(300)};
    Histogram histogram{bounds};
    EXPECT_EQ(histogram.Selectivity(kGreater, At(300), 0), 0);
    EXPECT_TRUE(histogram.NeedsLast(kGreater, At(300)));
    EXPECT_FALSE(histogram.NeedsFirst(kGreater, At(300)));
    histogram.SetLast(At(400));
    EXPECT_DOUBLE_EQ(histogram.Selectivity(kGreater, At(300), 0), 0.25);
    EXPECT_TRUE(histogram.NeedsFirst(kLess, At(50)));
    histogram.SetFirst(At(0));
    EXPECT_DOUBLE_EQ(histogram.Selectivity(kLess, At(50), 0), 0.125);
    // Of two bounds both matter.
    const Histogram two{std::span{bounds, 2}};
    EXPECT_TRUE(two.NeedsFirst(kLess, At(1000)) && two.NeedsLast(kLess, At(1)));
    // Emptied from the end: the last value is before where it was the bound before.
    histogram.SetLast(At(150));
    EXPECT_EQ(histogram.Selectivity(kGreater, At(250), 0), 0);
}

TEST(SelectivityBetween, IsTheServers) {
    EXPECT_DOUBLE_EQ(SelectivityBetween(0.7, 0.5, 0), 0.2);
    EXPECT_DOUBLE_EQ(SelectivityBetween(0.6, 0.4, 0.1), 0.1);
    EXPECT_EQ(SelectivityBetween(0.3333333333333333, 0.9, 0), 0.005);
    EXPECT_EQ(SelectivityBetween(0.9, 0.3333333333333333, 0), 0.005);
    EXPECT_EQ(SelectivityBetween(0.2, 0.2, 0), 0.005);
    EXPECT_EQ(SelectivityBetween(0.5, 0.5, 0), 1e-10);
    EXPECT_EQ(SelectivityBetween(0.5, 0.495, 0), 1e-10);
}

TEST(Histogram, AgreesWithAPlainModel) {
    std::mt19937_64 random{11};
    for (int round = 0; round < 2000; ++round) {
        std::vector<Ulid> bounds(2 + random() % 20);
        // Anywhere, within a few milliseconds, and within a few values of one millisecond.
        const std::uint64_t high = round % 3 == 0   ? ~std::uint64_t{0}
                                   : round % 3 == 1 ? 0x3FFFF
                                                    : 0;
        const std::uint64_t low = round % 3 == 2 ? 0xFF : ~std::uint64_t{0};
        const auto draw = [&] { return Ulid::FromWords(random() & high, random() & low); };
        std::generate(bounds.begin(), bounds.end(), draw);
        std::sort(bounds.begin(), bounds.end(),
                  [](const Ulid &a, const Ulid &b) { return Compare(a, b) < 0; });
        const Histogram histogram{bounds};
        for (int i = 0; i < 20; ++i) {
            const Ulid value = i % 4 == 0 ? bounds[random() % bounds.size()] : draw();
            for (const Inequality &inequality : kInequalities)
                EXPECT_NEAR(histogram.Selectivity(inequality, value, 0.001),
                            ModelSelectivity(bounds, inequality, value, 0.001), 1e-12);
        }
    }
}

} // namespace
} // namespace ulid
