// The GiST operator class, and the distance in time by which it can order.
//
// An index key is the minimum and the maximum ULID below it. On a leaf page, both are the row's
// ulid. Strategies have the numbers of contrib/btree_gist.
#include "pg/postgres.hpp"

extern "C" {
#include "access/gist.h"
#include "access/stratnum.h"
}

#include <algorithm>

#include "core/base32.hpp"

namespace ulid {

namespace {

/// The type ulid_gist_key: 32 bytes, aligned to 1. A pointer to it is a pointer to `lower`, so a
/// leaf key can be read as a ulid.
struct Key {
    Ulid lower, upper;
};
static_assert(sizeof(Key) == 32 && alignof(Key) == 1 && offsetof(Key, lower) == 0);

constexpr StrategyNumber kNotEqualStrategy = 6;

const Key &KeyOf(const GISTENTRY &entry) { return *reinterpret_cast<const Key *>(DatumGetPointer(entry.key)); }

void Extend(Key &key, const Key &other) {
    if (Compare(other.lower, key.lower) < 0)
        key.lower = other.lower;
    if (Compare(other.upper, key.upper) > 0)
        key.upper = other.upper;
}

/// Whether rows below a key of an inner page may satisfy the condition.
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

/// One of the keys of a page that is being split.
struct SplitItem {
    const Key *key;
    OffsetNumber offset;
};

/// Assigns items to one side of a split: their offsets, their number, and their common key. There is room for all items
/// of the split: in a multicolumn index the server may move some here from the other side (placeOne in gistsplit.c).
void FillSide(int room, const SplitItem *begin, const SplitItem *end, OffsetNumber *&offsets, int &count, Datum &key) {
    offsets = static_cast<OffsetNumber *>(palloc(static_cast<std::size_t>(room) * sizeof(OffsetNumber)));
    count = 0;
    Key all = *begin->key;
    for (const SplitItem *item = begin; item != end; ++item) {
        Extend(all, *item->key);
        offsets[count++] = item->offset;
    }
    key = PointerGetDatum(New(all));
}

/// The distance between two times, in milliseconds.
std::uint64_t Apart(std::uint64_t a, std::uint64_t b) { return a < b ? b - a : a - b; }

} // namespace

extern "C" {

/// Refuses all input, because only the index makes keys.
PG_FUNCTION_INFO_V1(ulid_gist_key_in);
Datum ulid_gist_key_in([[maybe_unused]] PG_FUNCTION_ARGS) {
    ereturn(fcinfo->context, (Datum)0, errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
            errmsg("cannot accept a value of type %s", "ulid_gist_key"));
}

/// The minimum and the maximum ULID, for inspecting an index.
PG_FUNCTION_INFO_V1(ulid_gist_key_out);
Datum ulid_gist_key_out(PG_FUNCTION_ARGS) {
    const Key &key = Arg<const Key &>(fcinfo, 0);
    auto *const text = static_cast<char *>(palloc(2 * kTextLength + 2));
    Encode(key.lower, text);
    text[kTextLength] = ',';
    Encode(key.upper, text + kTextLength + 1);
    text[2 * kTextLength + 1] = '\0';
    PG_RETURN_CSTRING(text);
}

/// GiST support function 1: whether an entry may satisfy the condition; on a leaf, whether it does.
/// The other side of the operator is a ulid or a uuid, which have the same bytes.
PG_FUNCTION_INFO_V1(ulid_gist_consistent);
Datum ulid_gist_consistent(PG_FUNCTION_ARGS) {
    *Arg<bool *>(fcinfo, 4) = false; // no need to check the row again
    // On a leaf the minimum is the maximum, so MayContain is exact.
    return ToDatum(MayContain(KeyOf(Arg<const GISTENTRY &>(fcinfo, 0)), Arg<StrategyNumber>(fcinfo, 2),
                              Arg<const Ulid &>(fcinfo, 1)));
}

/// GiST support function 2: the union of several keys.
PG_FUNCTION_INFO_V1(ulid_gist_union);
Datum ulid_gist_union(PG_FUNCTION_ARGS) {
    const auto &entries = Arg<const GistEntryVector &>(fcinfo, 0);
    Key all = KeyOf(entries.vector[0]);
    for (int i = 1; i < entries.n; ++i)
        Extend(all, KeyOf(entries.vector[i]));
    *Arg<int *>(fcinfo, 1) = sizeof(Key);
    return PointerGetDatum(New(all));
}

/// GiST support function 3: makes the key for a row's ulid.
PG_FUNCTION_INFO_V1(ulid_gist_compress);
Datum ulid_gist_compress(PG_FUNCTION_ARGS) {
    const auto &entry = Arg<const GISTENTRY &>(fcinfo, 0);
    if (!entry.leafkey)
        return PointerGetDatum(&entry);
    const auto &ulid = *reinterpret_cast<const Ulid *>(DatumGetPointer(entry.key));
    GISTENTRY *const result = New(entry);
    result->key = PointerGetDatum(New<Key>({ulid, ulid}));
    return PointerGetDatum(result);
}

/// GiST support function 5: how much an entry must grow to take another, up to 2^64.
PG_FUNCTION_INFO_V1(ulid_gist_penalty);
Datum ulid_gist_penalty(PG_FUNCTION_ARGS) {
    const Key &key = KeyOf(Arg<const GISTENTRY &>(fcinfo, 0));
    const Key &added = KeyOf(Arg<const GISTENTRY &>(fcinfo, 1));
    double growth = 0;
    if (Compare(added.lower, key.lower) < 0)
        growth += Distance(added.lower, key.lower);
    if (Compare(key.upper, added.upper) < 0)
        growth += Distance(key.upper, added.upper);
    auto *const penalty = Arg<float *>(fcinfo, 2);
    *penalty = static_cast<float>(growth * 0x1p-64); // a float cannot hold 2^128
    return PointerGetDatum(penalty);
}

/// GiST support function 6: splits a page into a lower and an upper half. If the entry being added
/// (the last one) is the maximum, nine tenths go to the left, as in a btree, so that keys in time
/// order leave full pages behind. This does not apply when an index is built from sorted rows, which
/// splits several pages at once.
PG_FUNCTION_INFO_V1(ulid_gist_picksplit);
Datum ulid_gist_picksplit(PG_FUNCTION_ARGS) {
    const auto &entries = Arg<const GistEntryVector &>(fcinfo, 0);
    auto *const split = Arg<GIST_SPLITVEC *>(fcinfo, 1);
    const int last = entries.n - 1; // the first is at FirstOffsetNumber, 1
    auto *const items = static_cast<SplitItem *>(palloc(static_cast<std::size_t>(last) * sizeof(SplitItem)));
    for (int i = 1; i <= last; ++i)
        items[i - 1] = {&KeyOf(entries.vector[i]), static_cast<OffsetNumber>(i)};
    SplitItem *const end = items + last;
    std::sort(items, end, [](const SplitItem &a, const SplitItem &b) {
        const int order = Compare(a.key->lower, b.key->lower);
        return order != 0 ? order < 0 : Compare(a.key->upper, b.key->upper) < 0;
    });
    const Page page = entries.vector[1].page;
    const bool is_insertion = page && last <= static_cast<int>(PageGetMaxOffsetNumber(page)) + 2;
    const bool is_last_maximum = end[-1].offset == last;
    const int left = is_insertion && is_last_maximum ? last * 9 / 10 : last / 2;
    FillSide(last, items, items + left, split->spl_left, split->spl_nleft, split->spl_ldatum);
    FillSide(last, items + left, end, split->spl_right, split->spl_nright, split->spl_rdatum);
    return PointerGetDatum(split);
}

/// GiST support function 7: whether two keys are the same.
PG_FUNCTION_INFO_V1(ulid_gist_same);
Datum ulid_gist_same(PG_FUNCTION_ARGS) {
    const Key &a = Arg<const Key &>(fcinfo, 0), &b = Arg<const Key &>(fcinfo, 1);
    auto *const same = Arg<bool *>(fcinfo, 2);
    *same = a.lower == b.lower && a.upper == b.upper;
    return PointerGetDatum(same);
}

/// GiST support function 8: the smallest possible distance in time of a row below an entry, in
/// milliseconds. A double holds all such distances exactly.
PG_FUNCTION_INFO_V1(ulid_gist_distance);
Datum ulid_gist_distance(PG_FUNCTION_ARGS) {
    const Key &key = KeyOf(Arg<const GISTENTRY &>(fcinfo, 0));
    const std::uint64_t time = Arg<const Ulid &>(fcinfo, 1).Milliseconds();
    *Arg<bool *>(fcinfo, 4) = false; // no need to compute it again
    const std::uint64_t nearest = std::clamp(time, key.lower.Milliseconds(), key.upper.Milliseconds());
    return ToDatum(static_cast<double>(Apart(time, nearest)));
}

/// GiST support function 9: the ulid of a key on a leaf, for index-only scans.
PG_FUNCTION_INFO_V1(ulid_gist_fetch);
Datum ulid_gist_fetch(PG_FUNCTION_ARGS) { return Arg<Datum>(fcinfo, 0); }

/// GiST support function 12: the strategy number of a comparison. Servers of version 18 and later ask for it for
/// temporal keys.
PG_FUNCTION_INFO_V1(ulid_gist_translate_cmptype);
Datum ulid_gist_translate_cmptype(PG_FUNCTION_ARGS) {
    static_assert(COMPARE_LT == BTLessStrategyNumber && COMPARE_GT == BTGreaterStrategyNumber &&
                  COMPARE_NE == kNotEqualStrategy);
    const auto comparison = Arg<std::int32_t>(fcinfo, 0);
    PG_RETURN_UINT16(comparison >= COMPARE_LT && comparison <= COMPARE_NE ? comparison : InvalidStrategy);
}

/// ulid <-> ulid: the time between two, in days and hours as `timestamptz - timestamptz` gives it,
/// but never negative.
PG_FUNCTION_INFO_V1(ulid_distance);
Datum ulid_distance(PG_FUNCTION_ARGS) {
    const std::uint64_t milliseconds =
        Apart(Arg<const Ulid &>(fcinfo, 0).Milliseconds(), Arg<const Ulid &>(fcinfo, 1).Milliseconds());
    constexpr std::uint64_t kDay = USECS_PER_DAY / 1000;
    return PointerGetDatum(New<Interval>({
        .time = static_cast<TimeOffset>(milliseconds % kDay * 1000),
        .day = static_cast<std::int32_t>(milliseconds / kDay),
        .month = 0,
    }));
}

} // extern "C"

} // namespace ulid
