// The type's text form. (The binary form: order.cpp.)
#include "pg/postgres.hpp"

extern "C" {
#include "mb/pg_wchar.h"
}

#include <algorithm>

#include "core/base32.hpp"
#include "core/uuid.hpp"

namespace ulid {

namespace {

std::size_t CountDigits(std::string_view text) {
    return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), IsDigit) - text.begin());
}

constexpr char kDecimals[] = "0123456789";

/// A word for a time, or a date in ISO 8601, perhaps followed by a time of day.
bool LooksLikeTime(const char *text) {
    for (const char *const word : {"now", "today", "yesterday", "tomorrow", "epoch", "infinity", "-infinity"})
        if (pg_strcasecmp(text, word) == 0)
            return true;
    const std::size_t digits = std::strspn(text, kDecimals);
    return (digits == 8 && std::strchr("T ", text[8])) || // strchr also finds the end
           (digits == 4 && text[4] == '-' && std::strspn(text + 5, kDecimals) == 2 && text[7] == '-' &&
            std::strspn(text + 8, kDecimals) == 2);
}

/// Suggests the cast or the operator that was probably meant.
void HintIntended(const char *text) {
    const std::string_view view = text;
    const bool is_number = std::strspn(text, kDecimals) == view.size();
    if (LooksLikeTime(text))
        errhint("To compare with a time, cast it: '%s'::timestamptz. "
                "As a ULID, for example for a partition bound, write ulid_lower_bound('%s').",
                text, text);
    else if (is_number && view.size() == 13)
        errhint("To compare with a time in Unix milliseconds, convert it: to_timestamp(%s / 1000.0).", text);
    else if (view.starts_with("\\x"))
        errhint("Bytes need a cast: '%s'::bytea::ulid.", text);
    else if (!is_number && std::strpbrk(text, kDecimals) && view.size() >= 4 && view.size() <= 20 &&
             CountDigits(view) == view.size())
        errhint("To find ULIDs by their beginning, use the operator ^@: id ^@ '%s'.", text);
}

/// The name of an invisible character at the beginning or the end of a text; null if there is none there.
const char *BlankAt(std::string_view text, bool at_end) {
    constexpr struct {
        std::string_view bytes;
        const char *name;
    } kBlanks[] = {
        {" ", "a space"},
        {"\t", "a tab"},
        {"\n", "a newline"},
        {"\r", "a carriage return"},
        {"\xC2\xA0", "a no-break space"},
        {"\xEF\xBB\xBF", "a byte order mark"},
    };
    for (const auto &blank : kBlanks)
        if ((blank.bytes.size() == 1 || GetDatabaseEncoding() == PG_UTF8) &&
            (at_end ? text.ends_with(blank.bytes) : text.starts_with(blank.bytes)))
            return blank.name;
    return nullptr;
}

/// If a text looks like a UUID up to here, it was meant as one. A time in milliseconds has 13 digits.
constexpr std::size_t kBeginOfUuid = 14;

/// Says which rule the text broke, and where. `as_uuid`: how many leading characters fit a UUID.
void DetailBrokenRule(const char *text, std::size_t as_uuid) {
    const int length = pg_mbstrlen(text);
    constexpr int kExpected = static_cast<int>(kTextLength);
    if (length == 0) {
        errdetail("The text is empty; a ULID has exactly %d characters.", kExpected);
    } else if (const char *const first = BlankAt(text, false)) {
        errdetail("The text begins with %s; a ULID has exactly %d characters.", first, kExpected);
    } else if (const char *const last = BlankAt(text, true)) {
        errdetail("The text ends with %s; a ULID has exactly %d characters.", last, kExpected);
    } else if (length == kExpected) {
        const char *const bad = text + CountDigits(text);
        if (GetDatabaseEncoding() == PG_SQL_ASCII && IS_HIGHBIT_SET(*bad)) // part of a character
            errdetail("The byte at position %d is not a Crockford Base32 digit.", length - pg_mbstrlen(bad) + 1);
        else
            errdetail("Character \"%.*s\" at position %d is not a Crockford Base32 digit.",
                      pg_mbcharcliplen(bad, static_cast<int>(std::strlen(bad)), 1), bad, length - pg_mbstrlen(bad) + 1);
    } else if (as_uuid >= kBeginOfUuid) {
        errdetail("A ULID has exactly %d characters, this text %d; as a UUID it breaks at character %d.", kExpected,
                  length, static_cast<int>(as_uuid) + 1);
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
        return ToDatum(result);
    if (status == TextStatus::kOutOfRange)
        ereturn(fcinfo->context, (Datum)0, errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
                errmsg("value \"%s\" is out of range for type %s", text, "ulid"),
                errdetail("The largest ULID is 7ZZZZZZZZZZZZZZZZZZZZZZZZZ."));
    std::size_t as_uuid;
    if (DecodeUuid(text, result, as_uuid))
        return ToDatum(result);
    ereturn(fcinfo->context, (Datum)0, errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
            errmsg("invalid input syntax for type %s: \"%s\"", "ulid", text), (DetailBrokenRule(text, as_uuid), 0),
            (HintIntended(text), 0));
}

/// ulid to its canonical text, 26 characters in upper case.
PG_FUNCTION_INFO_V1(ulid_out);
Datum ulid_out(PG_FUNCTION_ARGS) {
    auto *const text = static_cast<char *>(palloc(kTextLength + 1));
    Encode(Arg<const Ulid &>(fcinfo, 0), text);
    text[kTextLength] = '\0';
    PG_RETURN_CSTRING(text);
}

/// Whether a text is a ULID. False for a UUID, although ulid_in accepts it.
PG_FUNCTION_INFO_V1(ulid_is_valid);
Datum ulid_is_valid(PG_FUNCTION_ARGS) {
    Ulid result;
    return ToDatum(Decode(Bytes(Arg<const varlena *>(fcinfo, 0)), result) == TextStatus::kValid);
}

} // extern "C"

} // namespace ulid
