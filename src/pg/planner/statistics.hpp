// The server's statistics of a column of ulids, as the files that estimate read them.
#pragma once

#include "pg/datum.hpp"

namespace ulid {

/// Whether values of this length are of a ulid's form.
inline bool HasUlidForm(int length, bool by_value) { return length == sizeof(Ulid) && !by_value; }

/// Whether statistics are of values of a ulid's form: what was put in by hand need not be.
inline bool HoldsUlids(const AttStatsSlot &slot) {
    int16 length;
    bool by_value;
    get_typlenbyval(slot.valuetype, &length, &by_value);
    return HasUlidForm(length, by_value);
}

/// The histogram that a slot of at least two ulids is, while the slot lasts.
inline Histogram HistogramOf(const AttStatsSlot &slot) {
    // The values of an array without NULLs lie one behind the other.
    return Histogram{{&DatumGetUlid(slot.values[0]), static_cast<std::size_t>(slot.nvalues)}};
}

} // namespace ulid
