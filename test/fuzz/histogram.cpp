// Estimates by a histogram of any bounds: the same as a plain model's, between 0 and 1, and growing
// with the value.
#include <algorithm>
#include <cmath>
#include <vector>

#include "../unit/histogram_model.hpp"
#include "reference.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    std::vector<ulid::Ulid> values(std::max<std::size_t>(size / 16, 4));
    for (std::size_t i = 0; i < size; ++i)
        values[i / 16 % values.size()].bytes[i % 16] ^= data[i];
    const ulid::Ulid value = values[0], other = values[1];
    const std::span<ulid::Ulid> bounds{values.begin() + 2, values.end()};
    const auto is_before = [](const ulid::Ulid &a, const ulid::Ulid &b) {
        return Compare(a, b) < 0;
    };

    // Statistics that were put in by hand may be in no order: nothing is promised but numbers.
    for (const bool in_order : {false, true}) {
        if (in_order)
            std::sort(bounds.begin(), bounds.end(), is_before);
        const ulid::Histogram histogram{bounds};
        for (const bool greater : {false, true}) {
            for (const bool or_equal : {false, true}) {
                const ulid::Inequality inequality{greater, or_equal};
                const double part = histogram.Selectivity(inequality, value, 0.01);
                Expect(part >= -0.011 && part <= 1.011, "a part of all");
                if (!in_order)
                    continue;
                Expect(std::abs(part - ModelSelectivity(bounds, inequality, value, 0.01)) < 1e-12,
                       "the plain model says the same");
                const double than = histogram.Selectivity(inequality, other, 0.01);
                // Beyond the first and the last bound the part of an equal value is not counted.
                if (Compare(value, other) <= 0)
                    Expect(greater ? than <= part + 0.011 : part <= than + 0.011, "it is in order");
            }
        }
    }
    const double between = ulid::SelectivityBetween(FractionOfBin(bounds[0], bounds[1], value),
                                                    FractionOfBin(bounds[0], bounds[1], other), 0);
    Expect(between > 0 && between <= 1, "a range is met by a part of all");
    return 0;
}
