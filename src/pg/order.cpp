// Comparison, sort support, hashing, min and max.
#include "pg/datum.hpp"

namespace ulid {

namespace {

int CompareArguments(FunctionCallInfo fcinfo) {
    return Compare(GetUlidArgument(fcinfo, 0), GetUlidArgument(fcinfo, 1));
}

int CompareDatums(Datum x, Datum y, SortSupport) {
    return Compare(DatumGetUlid(x), DatumGetUlid(y));
}

/// What sorting knows of its abbreviated keys.
struct Abbreviation {
    std::int64_t input_count;
    bool estimating;
    hyperLogLogState distinct_keys;
};
static_assert(kMayBeJumpedOver<Abbreviation>);

/// Abbreviates a ULID to the Datum that the server's sort compares first.
Datum AbbreviateDatum(Datum original, SortSupport ssup) {
    auto &abbreviation = *static_cast<Abbreviation *>(ssup->ssup_extra);
    const std::uint64_t key = AbbreviatedKey(DatumGetUlid(original));
    if (abbreviation.estimating) {
        ++abbreviation.input_count;
        addHyperLogLog(&abbreviation.distinct_keys,
                       DatumGetUInt32(hash_uint32(static_cast<uint32>(key ^ key >> 32))));
    }
    // A 32-bit Datum holds the most significant half.
    return static_cast<Datum>(key >> (64 - 8 * sizeof(Datum)));
}

/// Whether to give abbreviation up: ULIDs counted up within a few milliseconds share their key.
/// The bounds are measured: with 1000 ULIDs a key, ties have eaten up what abbreviation saves;
/// below 100 it always pays, and the first rows show few keys of many.
bool ShouldAbortAbbreviation(int tuple_count, SortSupport ssup) {
    auto &abbreviation = *static_cast<Abbreviation *>(ssup->ssup_extra);
    if (tuple_count < 10000 || abbreviation.input_count < 10000 || !abbreviation.estimating)
        return false;
    const double keys = estimateHyperLogLog(&abbreviation.distinct_keys);
    abbreviation.estimating = keys < 5000.0;
    return keys < std::max(500.0, static_cast<double>(abbreviation.input_count) / 1000.0);
}

#ifdef ULID_HAS_SKIP_SUPPORT

/// The ULID before, across milliseconds.
Datum Decrement(Relation, Datum existing, bool *overflow) {
    *overflow = DatumGetUlid(existing) == kLeast;
    return *overflow ? Datum{0} : CopyUlid(DatumGetUlid(existing).Predecessor());
}

/// The ULID after, across milliseconds.
Datum Increment(Relation, Datum existing, bool *overflow) {
    const std::uint64_t high = DatumGetUlid(existing).High(),
                        low = DatumGetUlid(existing).Low() + 1;
    *overflow = DatumGetUlid(existing) == kGreatest;
    return *overflow ? Datum{0} : CopyUlid(Ulid::FromWords(high + (low == 0), low));
}

#endif

} // namespace

extern "C" {

PG_FUNCTION_INFO_V1(ulid_lt);
Datum ulid_lt(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(CompareArguments(fcinfo) < 0); }

PG_FUNCTION_INFO_V1(ulid_le);
Datum ulid_le(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(CompareArguments(fcinfo) <= 0); }

PG_FUNCTION_INFO_V1(ulid_eq);
Datum ulid_eq(PG_FUNCTION_ARGS) {
    PG_RETURN_BOOL(GetUlidArgument(fcinfo, 0) == GetUlidArgument(fcinfo, 1));
}

PG_FUNCTION_INFO_V1(ulid_ge);
Datum ulid_ge(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(CompareArguments(fcinfo) >= 0); }

PG_FUNCTION_INFO_V1(ulid_gt);
Datum ulid_gt(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(CompareArguments(fcinfo) > 0); }

PG_FUNCTION_INFO_V1(ulid_ne);
Datum ulid_ne(PG_FUNCTION_ARGS) {
    PG_RETURN_BOOL(!(GetUlidArgument(fcinfo, 0) == GetUlidArgument(fcinfo, 1)));
}

/// btree support function 1: three-way comparison.
PG_FUNCTION_INFO_V1(ulid_cmp);
Datum ulid_cmp(PG_FUNCTION_ARGS) { PG_RETURN_INT32(CompareArguments(fcinfo)); }

/// btree support function 2: sort support, with abbreviated keys where the sort wants them.
PG_FUNCTION_INFO_V1(ulid_sortsupport);
Datum ulid_sortsupport(PG_FUNCTION_ARGS) {
    auto *const ssup = reinterpret_cast<SortSupport>(PG_GETARG_POINTER(0));
    ssup->comparator = CompareDatums;
    ssup->ssup_extra = nullptr;
    if (ssup->abbreviate) {
        auto *const abbreviation =
            static_cast<Abbreviation *>(MemoryContextAlloc(ssup->ssup_cxt, sizeof(Abbreviation)));
        abbreviation->input_count = 0;
        abbreviation->estimating = true;
        const MemoryContext old_context = MemoryContextSwitchTo(ssup->ssup_cxt);
        initHyperLogLog(&abbreviation->distinct_keys, 10);
        MemoryContextSwitchTo(old_context);
        ssup->ssup_extra = abbreviation;
        ssup->comparator = ssup_datum_unsigned_cmp;
        ssup->abbrev_converter = AbbreviateDatum;
        ssup->abbrev_abort = ShouldAbortAbbreviation;
        ssup->abbrev_full_comparator = CompareDatums;
    }
    PG_RETURN_VOID();
}

#ifdef ULID_HAS_SKIP_SUPPORT

/// btree support function 6: the values that a skip scan tries next.
PG_FUNCTION_INFO_V1(ulid_skipsupport);
Datum ulid_skipsupport(PG_FUNCTION_ARGS) {
    auto *const support = reinterpret_cast<SkipSupport>(PG_GETARG_POINTER(0));
    support->low_elem = CopyUlid(kLeast);
    support->high_elem = CopyUlid(kGreatest);
    support->decrement = Decrement;
    support->increment = Increment;
    PG_RETURN_VOID();
}

#endif

/// hash support function 1. The same value as the server's uuid_hash gives for the same bytes.
PG_FUNCTION_INFO_V1(ulid_hash);
Datum ulid_hash(PG_FUNCTION_ARGS) {
    const Ulid &ulid = GetUlidArgument(fcinfo, 0);
    return hash_any(ulid.bytes.data(), static_cast<int>(ulid.bytes.size()));
}

/// hash support function 2. The same value as the server's uuid_hash_extended gives.
PG_FUNCTION_INFO_V1(ulid_hash_extended);
Datum ulid_hash_extended(PG_FUNCTION_ARGS) {
    const Ulid &ulid = GetUlidArgument(fcinfo, 0);
    return hash_any_extended(ulid.bytes.data(), static_cast<int>(ulid.bytes.size()),
                             static_cast<uint64>(PG_GETARG_INT64(1)));
}

/// The lesser of two, for min(ulid).
PG_FUNCTION_INFO_V1(ulid_smaller);
Datum ulid_smaller(PG_FUNCTION_ARGS) {
    return PG_GETARG_DATUM(CompareArguments(fcinfo) <= 0 ? 0 : 1);
}

/// The greater of two, for max(ulid).
PG_FUNCTION_INFO_V1(ulid_larger);
Datum ulid_larger(PG_FUNCTION_ARGS) {
    return PG_GETARG_DATUM(CompareArguments(fcinfo) >= 0 ? 0 : 1);
}

} // extern "C"

} // namespace ulid
