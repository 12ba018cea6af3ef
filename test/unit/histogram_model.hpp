// A plain model of the estimates by a histogram, for the unit tests and the fuzzer.
#pragma once

#include <span>

#include "core/histogram.hpp"

namespace ulid {

/// Counts the bounds one by one, and places the value by long division.
inline double ModelSelectivity(std::span<const Ulid> bounds, const Inequality &inequality,
                               const Ulid &value, double equal_part) {
    const bool strict = inequality.greater == inequality.or_equal;
    std::size_t below = 0;
    while (below < bounds.size() &&
           (strict ? Compare(bounds[below], value) < 0 : Compare(bounds[below], value) <= 0))
        ++below;
    double part = below == 0 ? 0 : 1;
    if (below > 0 && below < bounds.size()) {
        long double numerator = 0, denominator = 0;
        for (int i = 0; i < 16; ++i) {
            numerator = numerator * 256 + value.bytes[i] - bounds[below - 1].bytes[i];
            denominator = denominator * 256 + bounds[below].bytes[i] - bounds[below - 1].bytes[i];
        }
        const double fraction =
            denominator > 0 ? static_cast<double>(numerator / denominator) : 0.5;
        part =
            (static_cast<double>(below) - 1 + fraction) / (static_cast<double>(bounds.size()) - 1);
        if (below == 1)
            part += equal_part * (1 - fraction);
        if (strict)
            part -= equal_part;
    }
    return inequality.greater ? 1 - part : part;
}

} // namespace ulid
