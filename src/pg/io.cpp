// The type's text and binary forms.
#include "core/base32.hpp"
#include "core/uuid.hpp"
#include "pg/postgres.hpp"

extern "C" {
#include "libpq/pqformat.h"
#include "mb/pg_wchar.h"
}

namespace ulid {

namespace {

bool LooksLikeBytes(const char *text) {
    return text[0] == '\\' && text[1] == 'x' && std::strlen(text) == 2 + 2 * sizeof(Ulid) &&
           std::strspn(text + 2, "0123456789abcdefABCDEF") == 2 * sizeof(Ulid);
}

/// A date, and whatever characters a time of day and a zone have.
bool LooksLikeTime(const char *text) {
    constexpr char kTime[] = "0123456789-:.+ TZ";
    constexpr char kTimeAndZone[] = "0123456789-:.+ /_abcdefghijklmnopqrstuvwxyz"
                                    "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    if (std::strspn(text, "0123456789") != 4 || text[4] != '-' || !std::strchr(text + 5, '-'))
        return false;
    const bool has_day = std::strspn(text + 5, "0123456789") == 2 && text[7] == '-' &&
                         std::strspn(text + 8, "0123456789") == 2;
    return std::strspn(text, has_day ? kTimeAndZone : kTime) == std::strlen(text);
}

/// The beginning of a ULID, perhaps followed by the wildcard of LIKE. Shorter text is no evidence,
/// and longer text is probably a whole ULID that lost a character.
bool LooksLikePrefix(const char *text) {
    constexpr std::size_t kFewest = 4, kMost = 20;
    std::size_t digits = 0;
    while (IsDigit(text[digits]))
        ++digits;
    return digits >= kFewest && digits <= kMost &&
           std::strspn(text + digits, "%") == std::strlen(text + digits);
}

/// Suggests the cast or the operator that was probably meant.
void HintIntended(const char *text) {
    if (LooksLikeBytes(text))
        errhint("Bytes need a cast: '%s'::bytea::ulid.", text);
    else if (LooksLikeTime(text))
        errhint("To compare with a time, cast it: '%s'::timestamptz. "
                "As a ULID, for example for a partition bound, write ulid_min('%s').",
                text, text);
    else if (LooksLikePrefix(text))
        errhint("To find ULIDs by their beginning, use the operator ^@: id ^@ '%.*s'.",
                static_cast<int>(std::strcspn(text, "%")), text);
}

/// If a text looks like a UUID up to here, it was meant as one: a date has a hyphen earlier.
constexpr std::size_t kBeginOfUuid = 8;

/// Says which rule the text broke, and where. `as_uuid`: how many leading characters fit a UUID.
void DetailBrokenRule(const char *text, std::size_t as_uuid) {
    const int length = pg_mbstrlen(text);
    constexpr int kExpected = static_cast<int>(kTextLength);
    if (length == 0) {
        errdetail("The text is empty; a ULID has exactly %d characters.", kExpected);
    } else if (length == kExpected) {
        int position = 1;
        for (; IsDigit(*text); ++text)
            ++position;
        errdetail("Character \"%.*s\" at position %d is not a Crockford Base32 digit.", pg_mblen(text), text,
                  position);
    } else if (as_uuid >= kBeginOfUuid) {
        errdetail("A ULID has exactly %d characters, this text %d; as a UUID it breaks at character %d.",
                  kExpected, length, static_cast<int>(as_uuid) + 1);
    } else {
        errdetail("A ULID has exactly %d characters; this text has %d.", kExpected, length);
    }
}

} // namespace

extern "C" {

/// Text to ulid: a ULID or a UUID. Errors (soft on 16+): 22P02 bad text, 22003 above the maximum.
PG_FUNCTION_INFO_V1(ulid_in);
Datum ulid_in(PG_FUNCTION_ARGS) {
    const auto *const text = Arg<const char *>(fcinfo, 0);
    Ulid result;
    const TextStatus status = Decode(text, result);
    if (likely(status == TextStatus::kValid))
        return Return(result);
    if (status == TextStatus::kOutOfRange)
        ereturn(fcinfo->context, (Datum)0, errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
                errmsg("value \"%s\" is out of range for type %s", text, "ulid"),
                errdetail("The largest ULID is 7ZZZZZZZZZZZZZZZZZZZZZZZZZ."));
    const auto as_uuid = DecodeUuid(text, result);
    if (!as_uuid)
        return Return(result);
    ereturn(fcinfo->context, (Datum)0, errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
            errmsg("invalid input syntax for type %s: \"%s\"", "ulid", text),
            (DetailBrokenRule(text, *as_uuid), 0), (HintIntended(text), 0));
}

/// ulid to its canonical text, 26 characters in upper case.
PG_FUNCTION_INFO_V1(ulid_out);
Datum ulid_out(PG_FUNCTION_ARGS) {
    auto *const text = static_cast<char *>(palloc(kTextLength + 1));
    Encode(Arg<const Ulid &>(fcinfo, 0), text);
    text[kTextLength] = '\0';
    PG_RETURN_CSTRING(text);
}

/// 16 bytes of a message to ulid. Errors: 08P01 fewer bytes, 22P03 more.
PG_FUNCTION_INFO_V1(ulid_recv);
Datum ulid_recv(PG_FUNCTION_ARGS) {
    const char *const bytes = pq_getmsgbytes(Arg<StringInfo>(fcinfo, 0), sizeof(Ulid));
    return Return(*reinterpret_cast<const Ulid *>(bytes));
}

/// ulid to 16 bytes in network order, as a bytea.
PG_FUNCTION_INFO_V1(ulid_send);
Datum ulid_send(PG_FUNCTION_ARGS) {
    return Return(std::span<const std::uint8_t>{Arg<const Ulid &>(fcinfo, 0).bytes});
}

/// Whether a text is a ULID. False for a UUID, although ulid_in accepts it.
PG_FUNCTION_INFO_V1(ulid_is_valid);
Datum ulid_is_valid(PG_FUNCTION_ARGS) {
    Ulid result;
    return Return(Decode(Bytes(Arg<const varlena *>(fcinfo, 0)), result) == TextStatus::kValid);
}

} // extern "C"

} // namespace ulid
