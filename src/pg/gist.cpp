// The GiST operator class, and the distance in time that it can order by.
//
// A key of the index is the least and the greatest ULID below it; on a leaf both are the row's own.
// Strategies have the numbers that contrib's btree_gist gives them.
#include "pg/datum.hpp"

namespace ulid {

namespace {

/// The type ulid_gist_key: 32 bytes, aligned to 1. A pointer to it is a pointer to `lower`, so that
/// the key of a leaf is a ulid as it stands.
struct Key {
    Ulid lower, upper;
};
static_assert(kMayBeJumpedOver<Key>);

static_assert(sizeof(Key) == 32 && alignof(Key) == 1 && offsetof(Key, lower) == 0);

constexpr StrategyNumber kNotEqualStrategy = 6;

const Key &DatumGetKey(Datum datum) {
    return *reinterpret_cast<const Key *>(DatumGetPointer(datum));
}

Datum CopyKey(const Key &key) {
    auto *const copy = static_cast<Key *>(palloc(sizeof(Key)));
    *copy = key;
    return PointerGetDatum(copy);
}

GISTENTRY &GetEntryArgument(FunctionCallInfo fcinfo, int index) {
    return *reinterpret_cast<GISTENTRY *>(PG_GETARG_POINTER(index));
}

void Extend(Key &key, const Key &other) {
    if (Compare(other.lower, key.lower) < 0)
        key.lower = other.lower;
    if (Compare(other.upper, key.upper) > 0)
        key.upper = other.upper;
}

/// Whether rows below a key of an inner page may be what is looked for.
bool MayContain(const Key &key, StrategyNumber strategy, const Ulid &query) {
    switch (strategy) {
    case BTLessStrategyNumber:
        return Compare(key.lower, query) < 0;
    case BTLessEqualStrategyNumber:
        return Compare(key.lower, query) <= 0;
    case BTEqualStrategyNumber:
        return Compare(key.lower, query) <= 0 && Compare(query, key.upper) <= 0;
    case BTGreaterEqualStrategyNumber:
        return Compare(key.upper, query) >= 0;
    case BTGreaterStrategyNumber:
        return Compare(key.upper, query) > 0;
    case kNotEqualStrategy:
        return !(key.lower == query && key.upper == query);
    default:
        elog(ERROR, "unrecognized strategy number: %d", strategy);
    }
    pg_unreachable();
}

/// One of the keys that a page is split into.
struct SplitItem {
    const Key *key;
    OffsetNumber offset;
};
static_assert(kMayBeJumpedOver<SplitItem>);

/// Gives items to one side of a split: where they are, how many, and the key of all.
void FillSide(const SplitItem *begin, const SplitItem *end, OffsetNumber *&offsets, int &count,
              Datum &key) {
    offsets = static_cast<OffsetNumber *>(
        palloc(static_cast<std::size_t>(end - begin) * sizeof(OffsetNumber)));
    count = 0;
    Key all = *begin->key;
    for (const SplitItem *item = begin; item != end; ++item) {
        Extend(all, *item->key);
        offsets[count++] = item->offset;
    }
    key = CopyKey(all);
}

/// How far apart two times are, in milliseconds.
std::uint64_t Apart(std::uint64_t a, std::uint64_t b) { return a < b ? b - a : a - b; }

} // namespace

extern "C" {

/// Refuses: a key is made by the index alone.
PG_FUNCTION_INFO_V1(ulid_gist_key_in);
Datum ulid_gist_key_in(PG_FUNCTION_ARGS) {
    ereturn(fcinfo->context, (Datum)0, errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
            errmsg("cannot accept a value of type %s", "ulid_gist_key"));
}

/// The least and the greatest ULID, for who inspects an index.
PG_FUNCTION_INFO_V1(ulid_gist_key_out);
Datum ulid_gist_key_out(PG_FUNCTION_ARGS) {
    const Key &key = DatumGetKey(PG_GETARG_DATUM(0));
    auto *const text = static_cast<char *>(palloc(2 * kTextLength + 2));
    Encode(key.lower, text);
    text[kTextLength] = ',';
    Encode(key.upper, text + kTextLength + 1);
    text[2 * kTextLength + 1] = '\0';
    PG_RETURN_CSTRING(text);
}

/// GiST support function 1: whether an entry may be what is looked for; on a leaf, whether it is.
/// The other side of the operator is a ulid or a uuid, which have the same bytes.
PG_FUNCTION_INFO_V1(ulid_gist_consistent);
Datum ulid_gist_consistent(PG_FUNCTION_ARGS) {
    *reinterpret_cast<bool *>(PG_GETARG_POINTER(4)) = false; // no need to check the row again
    // Where the least and the greatest are the same, what may be is.
    PG_RETURN_BOOL(MayContain(DatumGetKey(GetEntryArgument(fcinfo, 0).key), PG_GETARG_UINT16(2),
                              GetUlidArgument(fcinfo, 1)));
}

/// GiST support function 2: the key of several.
PG_FUNCTION_INFO_V1(ulid_gist_union);
Datum ulid_gist_union(PG_FUNCTION_ARGS) {
    const auto &entries = *reinterpret_cast<const GistEntryVector *>(PG_GETARG_POINTER(0));
    Key all = DatumGetKey(entries.vector[0].key);
    for (int i = 1; i < entries.n; ++i)
        Extend(all, DatumGetKey(entries.vector[i].key));
    *reinterpret_cast<int *>(PG_GETARG_POINTER(1)) = sizeof(Key);
    return CopyKey(all);
}

/// GiST support function 3: the key of a row.
PG_FUNCTION_INFO_V1(ulid_gist_compress);
Datum ulid_gist_compress(PG_FUNCTION_ARGS) {
    GISTENTRY *const entry = &GetEntryArgument(fcinfo, 0);
    if (!entry->leafkey)
        PG_RETURN_POINTER(entry);
    auto *const result = static_cast<GISTENTRY *>(palloc(sizeof(GISTENTRY)));
    const Ulid &ulid = DatumGetUlid(entry->key);
    gistentryinit(*result, CopyKey({ulid, ulid}), entry->rel, entry->page, entry->offset, false);
    PG_RETURN_POINTER(result);
}

/// GiST support function 5: how much an entry must grow to take another, up to 2^64.
PG_FUNCTION_INFO_V1(ulid_gist_penalty);
Datum ulid_gist_penalty(PG_FUNCTION_ARGS) {
    const Key &key = DatumGetKey(GetEntryArgument(fcinfo, 0).key);
    const Key &added = DatumGetKey(GetEntryArgument(fcinfo, 1).key);
    double growth = 0;
    if (Compare(added.lower, key.lower) < 0)
        growth += Distance(added.lower, key.lower);
    if (Compare(key.upper, added.upper) < 0)
        growth += Distance(key.upper, added.upper);
    auto *const penalty = reinterpret_cast<float *>(PG_GETARG_POINTER(2));
    *penalty = static_cast<float>(growth * 0x1p-64); // 2^128 is past the range of a float
    PG_RETURN_POINTER(penalty);
}

/// GiST support function 6: splits a page into its lesser and its greater half. Where the entry
/// that is being added, the last, is the greatest, nine tenths go to the left, as btree does it:
/// keys that come in the order of time leave full pages behind. Not where an index is built from
/// sorted rows, which splits several pages at once.
PG_FUNCTION_INFO_V1(ulid_gist_picksplit);
Datum ulid_gist_picksplit(PG_FUNCTION_ARGS) {
    const auto &entries = *reinterpret_cast<const GistEntryVector *>(PG_GETARG_POINTER(0));
    auto *const split = reinterpret_cast<GIST_SPLITVEC *>(PG_GETARG_POINTER(1));
    const int last = entries.n - 1; // the first is at FirstOffsetNumber, 1
    auto *const items =
        static_cast<SplitItem *>(palloc(static_cast<std::size_t>(last) * sizeof(SplitItem)));
    for (int i = 1; i <= last; ++i)
        items[i - 1] = {&DatumGetKey(entries.vector[i].key), static_cast<OffsetNumber>(i)};
    SplitItem *const end = items + last;
    std::sort(items, end, [](const SplitItem &a, const SplitItem &b) {
        const int order = Compare(a.key->lower, b.key->lower);
        return order != 0 ? order < 0 : Compare(a.key->upper, b.key->upper) < 0;
    });
    const Page page = entries.vector[1].page;
    const bool is_insertion = page && last <= static_cast<int>(PageGetMaxOffsetNumber(page)) + 2;
    const bool is_last_greatest = end[-1].offset == last;
    const int left = is_insertion && is_last_greatest ? last * 9 / 10 : last / 2;
    FillSide(items, items + left, split->spl_left, split->spl_nleft, split->spl_ldatum);
    FillSide(items + left, end, split->spl_right, split->spl_nright, split->spl_rdatum);
    PG_RETURN_POINTER(split);
}

/// GiST support function 7: whether two keys are the same.
PG_FUNCTION_INFO_V1(ulid_gist_same);
Datum ulid_gist_same(PG_FUNCTION_ARGS) {
    const Key &a = DatumGetKey(PG_GETARG_DATUM(0)), &b = DatumGetKey(PG_GETARG_DATUM(1));
    auto *const same = reinterpret_cast<bool *>(PG_GETARG_POINTER(2));
    *same = a.lower == b.lower && a.upper == b.upper;
    PG_RETURN_POINTER(same);
}

/// GiST support function 8: how far in time the nearest row below an entry may be, in milliseconds,
/// of which a double holds every number that there is.
PG_FUNCTION_INFO_V1(ulid_gist_distance);
Datum ulid_gist_distance(PG_FUNCTION_ARGS) {
    const Key &key = DatumGetKey(GetEntryArgument(fcinfo, 0).key);
    const std::uint64_t time = GetUlidArgument(fcinfo, 1).Milliseconds();
    *reinterpret_cast<bool *>(PG_GETARG_POINTER(4)) = false; // no need to compute it again
    const std::uint64_t nearest =
        std::clamp(time, key.lower.Milliseconds(), key.upper.Milliseconds());
    PG_RETURN_FLOAT8(static_cast<double>(Apart(time, nearest)));
}

/// GiST support function 9: the ulid of a key on a leaf, for index-only scans.
PG_FUNCTION_INFO_V1(ulid_gist_fetch);
Datum ulid_gist_fetch(PG_FUNCTION_ARGS) { PG_RETURN_POINTER(&GetEntryArgument(fcinfo, 0)); }

#ifdef ULID_HAS_COMPARE_TYPE

/// GiST support function 12: the strategy of a comparison that the server asks for, as it does for
/// temporal keys.
PG_FUNCTION_INFO_V1(ulid_gist_translate_cmptype);
Datum ulid_gist_translate_cmptype(PG_FUNCTION_ARGS) {
    switch (PG_GETARG_INT32(0)) {
    case COMPARE_LT:
        PG_RETURN_UINT16(BTLessStrategyNumber);
    case COMPARE_LE:
        PG_RETURN_UINT16(BTLessEqualStrategyNumber);
    case COMPARE_EQ:
        PG_RETURN_UINT16(BTEqualStrategyNumber);
    case COMPARE_GE:
        PG_RETURN_UINT16(BTGreaterEqualStrategyNumber);
    case COMPARE_GT:
        PG_RETURN_UINT16(BTGreaterStrategyNumber);
    case COMPARE_NE:
        PG_RETURN_UINT16(kNotEqualStrategy);
    default:
        PG_RETURN_UINT16(InvalidStrategy);
    }
}

#endif

/// ulid <-> ulid: the time between two, in days and hours as `timestamptz - timestamptz` gives it,
/// but never negative.
PG_FUNCTION_INFO_V1(ulid_distance);
Datum ulid_distance(PG_FUNCTION_ARGS) {
    const std::uint64_t milliseconds =
        Apart(GetUlidArgument(fcinfo, 0).Milliseconds(), GetUlidArgument(fcinfo, 1).Milliseconds());
    constexpr std::uint64_t kDay = USECS_PER_DAY / 1000;
    auto *const interval = static_cast<Interval *>(palloc(sizeof(Interval)));
    interval->time = static_cast<TimeOffset>(milliseconds % kDay * 1000);
    interval->day = static_cast<std::int32_t>(milliseconds / kDay);
    interval->month = 0;
    return PointerGetDatum(interval);
}

} // extern "C"

} // namespace ulid
