// Comparison, sort support, hashing, min and max, and a support function of BRIN minmax-multi.
#include "pg/postgres.hpp"

extern "C" {
#include "common/hashfn.h"
#include "lib/hyperloglog.h"
#include "utils/sortsupport.h"
}

namespace ulid {

namespace {

int CompareArguments(FunctionCallInfo fcinfo) {
    return Compare(Arg<const Ulid &>(fcinfo, 0), Arg<const Ulid &>(fcinfo, 1));
}

const Ulid &ToUlid(Datum datum) { return *reinterpret_cast<const Ulid *>(DatumGetPointer(datum)); }

int CompareDatums(Datum x, Datum y, SortSupport) { return Compare(ToUlid(x), ToUlid(y)); }

/// What a sort knows about its abbreviated keys.
struct SortState {
    std::int64_t input_count;
    bool is_decided;
    hyperLogLogState distinct_keys;
};

/// Abbreviates a ULID to the Datum that the server's sort compares first.
Datum AbbreviateDatum(Datum original, SortSupport ssup) {
    auto &state = *static_cast<SortState *>(ssup->ssup_extra);
    const std::uint64_t key = AbbreviatedKey(ToUlid(original));
    if (!state.is_decided) {
        ++state.input_count;
        addHyperLogLog(&state.distinct_keys, DatumGetUInt32(hash_uint32(Fold(key))));
    }
    // A 32-bit Datum holds the most significant half.
    return static_cast<Datum>(key >> (64 - 8 * sizeof(Datum)));
}

/// Whether to give up abbreviation.
bool ShouldAbortAbbreviation(int, SortSupport ssup) {
    auto &state = *static_cast<SortState *>(ssup->ssup_extra);
    if (state.is_decided)
        return false;
    const Abbreviation decision = Decide(state.input_count, estimateHyperLogLog(&state.distinct_keys));
    state.is_decided = decision == Abbreviation::kKeep;
    return decision == Abbreviation::kAbort;
}

} // namespace

extern "C" {

PG_FUNCTION_INFO_V1(ulid_lt);
Datum ulid_lt(PG_FUNCTION_ARGS) { return ToDatum(CompareArguments(fcinfo) < 0); }

PG_FUNCTION_INFO_V1(ulid_le);
Datum ulid_le(PG_FUNCTION_ARGS) { return ToDatum(CompareArguments(fcinfo) <= 0); }

PG_FUNCTION_INFO_V1(ulid_eq);
Datum ulid_eq(PG_FUNCTION_ARGS) { return ToDatum(Arg<const Ulid &>(fcinfo, 0) == Arg<const Ulid &>(fcinfo, 1)); }

PG_FUNCTION_INFO_V1(ulid_ge);
Datum ulid_ge(PG_FUNCTION_ARGS) { return ToDatum(CompareArguments(fcinfo) >= 0); }

PG_FUNCTION_INFO_V1(ulid_gt);
Datum ulid_gt(PG_FUNCTION_ARGS) { return ToDatum(CompareArguments(fcinfo) > 0); }

PG_FUNCTION_INFO_V1(ulid_ne);
Datum ulid_ne(PG_FUNCTION_ARGS) { return ToDatum(!(Arg<const Ulid &>(fcinfo, 0) == Arg<const Ulid &>(fcinfo, 1))); }

/// btree support function 1: three-way comparison.
PG_FUNCTION_INFO_V1(ulid_cmp);
Datum ulid_cmp(PG_FUNCTION_ARGS) { return ToDatum(CompareArguments(fcinfo)); }

/// btree support function 2: sort support, with abbreviated keys if the sort wants them.
PG_FUNCTION_INFO_V1(ulid_sortsupport);
Datum ulid_sortsupport(PG_FUNCTION_ARGS) {
    auto *const ssup = Arg<SortSupport>(fcinfo, 0);
    ssup->comparator = CompareDatums;
    ssup->ssup_extra = nullptr;
    if (ssup->abbreviate) {
        const MemoryContext old_context = MemoryContextSwitchTo(ssup->ssup_cxt);
        SortState *const state = New<SortState>({0, false, {}});
        initHyperLogLog(&state->distinct_keys, 10);
        MemoryContextSwitchTo(old_context);
        ssup->ssup_extra = state;
        ssup->comparator = ssup_datum_unsigned_cmp;
        ssup->abbrev_converter = AbbreviateDatum;
        ssup->abbrev_abort = ShouldAbortAbbreviation;
        ssup->abbrev_full_comparator = CompareDatums;
    }
    PG_RETURN_VOID();
}

/// hash support function 1. The same value as the server's uuid_hash gives for the same bytes.
PG_FUNCTION_INFO_V1(ulid_hash);
Datum ulid_hash(PG_FUNCTION_ARGS) {
    const Ulid &ulid = Arg<const Ulid &>(fcinfo, 0);
    return hash_any(ulid.bytes.data(), static_cast<int>(ulid.bytes.size()));
}

/// hash support function 2. The same value as the server's uuid_hash_extended gives.
PG_FUNCTION_INFO_V1(ulid_hash_extended);
Datum ulid_hash_extended(PG_FUNCTION_ARGS) {
    const Ulid &ulid = Arg<const Ulid &>(fcinfo, 0);
    return hash_any_extended(ulid.bytes.data(), static_cast<int>(ulid.bytes.size()),
                             static_cast<uint64>(Arg<std::int64_t>(fcinfo, 1)));
}

/// The smaller of two, for min(ulid).
PG_FUNCTION_INFO_V1(ulid_smaller);
Datum ulid_smaller(PG_FUNCTION_ARGS) { return Arg<Datum>(fcinfo, CompareArguments(fcinfo) <= 0 ? 0 : 1); }

/// The larger of two, for max(ulid).
PG_FUNCTION_INFO_V1(ulid_larger);
Datum ulid_larger(PG_FUNCTION_ARGS) { return Arg<Datum>(fcinfo, CompareArguments(fcinfo) >= 0 ? 0 : 1); }

/// BRIN minmax-multi support function 11: the distance between two ULIDs, as a count of values.
PG_FUNCTION_INFO_V1(ulid_brin_minmax_multi_distance);
Datum ulid_brin_minmax_multi_distance(PG_FUNCTION_ARGS) {
    return ToDatum(Distance(Arg<const Ulid &>(fcinfo, 0), Arg<const Ulid &>(fcinfo, 1)));
}

} // extern "C"

} // namespace ulid
