// What a histogram of ULIDs says of a comparison with one: the arithmetic of the server's
// ineq_histogram_selectivity (selfuncs.c), with a value placed within its bin as the 128-bit number
// that it is.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "ulid.hpp"

namespace ulid {

/// How far `value` lies on the way from `low` to `high`, 0 to 1; one half if the two are equal.
constexpr double FractionOfBin(const Ulid &low, const Ulid &high, const Ulid &value) {
    if (Compare(low, high) >= 0)
        return 0.5;
    if (Compare(value, low) <= 0)
        return 0;
    if (Compare(value, high) >= 0)
        return 1;
    return Distance(low, value) / Distance(low, high);
}

/// A comparison x < value, x <= value, x > value or x >= value.
struct Inequality {
    bool greater, or_equal;

    /// Whether a bound that is equal to the value counts as one below it.
    constexpr bool CountsEqual() const { return greater != or_equal; }
};
static_assert(kMayBeJumpedOver<Inequality>);

/// The bounds of bins that hold equally many values each.
class Histogram {
  public:
    /// `bounds`: in order, at least two. They must outlive the histogram.
    constexpr explicit Histogram(std::span<const Ulid> bounds)
        : bounds_{bounds}, first_{bounds.front()}, last_{bounds.back()} {}

    /// Whether the first, or the last, bound matters to a comparison.
    constexpr bool NeedsFirst(const Inequality &inequality, const Ulid &value) const {
        return bounds_.size() == 2 || !IsBelow(inequality, bounds_[1], value);
    }
    constexpr bool NeedsLast(const Inequality &inequality, const Ulid &value) const {
        return bounds_.size() == 2 || IsBelow(inequality, bounds_[bounds_.size() - 2], value);
    }

    /// Puts the least, or the greatest, value that there is now in the place of what it was.
    constexpr void SetFirst(const Ulid &value) { first_ = value; }
    constexpr void SetLast(const Ulid &value) { last_ = value; }

    /// The selectivity of a comparison among the values; a little below 0 or above 1 at times.
    /// `of_one_value` is that of an equality.
    constexpr double Selectivity(const Inequality &inequality, const Ulid &value,
                                 double of_one_value) const {
        const std::size_t bin = CountBelow(inequality, value);
        double below = bin == 0 ? 0 : 1;
        if (bin != 0 && bin != bounds_.size()) {
            const double fraction = FractionOfBin(Bound(bin - 1), Bound(bin), value);
            below = (static_cast<double>(bin - 1) + fraction) / BinCount();
            // Each bound is the last value of its bin, but the first bound is the first one's
            // first.
            if (bin == 1)
                below += of_one_value * (1 - fraction);
            if (!inequality.CountsEqual())
                below -= of_one_value;
        }
        return inequality.greater ? 1 - below : below;
    }

    constexpr double BinCount() const { return static_cast<double>(bounds_.size() - 1); }

  private:
    static constexpr bool IsBelow(const Inequality &inequality, const Ulid &bound,
                                  const Ulid &value) {
        const int order = Compare(bound, value);
        return order < 0 || (order == 0 && inequality.CountsEqual());
    }

    constexpr const Ulid &Bound(std::size_t index) const {
        return index == 0 ? first_ : index == bounds_.size() - 1 ? last_ : bounds_[index];
    }

    /// The number of bounds below the value.
    constexpr std::size_t CountBelow(const Inequality &inequality, const Ulid &value) const {
        std::size_t begin = 0, end = bounds_.size();
        while (begin < end) {
            const std::size_t middle = begin + (end - begin) / 2;
            if (IsBelow(inequality, Bound(middle), value))
                begin = middle + 1;
            else
                end = middle;
        }
        return begin;
    }

    std::span<const Ulid> bounds_;
    Ulid first_, last_;
};
static_assert(kMayBeJumpedOver<Histogram>);

/// The selectivity of a lower and an upper bound together, by that of each, as the server's
/// clauselist_selectivity (clausesel.c) has it. NULLs, of a part `null_fraction`, meet neither.
constexpr double SelectivityBetween(double lower, double upper, double null_fraction) {
    constexpr double kDefault = 0.3333333333333333; // DEFAULT_INEQ_SEL: nothing is known
    constexpr double kDefaultBetween = 0.005;       // DEFAULT_RANGE_INEQ_SEL
    if (lower == kDefault || upper == kDefault)
        return kDefaultBetween;
    const double between = lower + upper - 1 + null_fraction;
    if (between > 0)
        return between;
    return between < -0.01 ? kDefaultBetween : 1e-10;
}

} // namespace ulid
