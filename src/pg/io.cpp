// The type's text and binary forms.
#include "pg/bad_text.hpp"
#include "pg/datum.hpp"

namespace ulid {

namespace {

bool LooksLikeBytes(const char *text) {
    return text[0] == '\\' && text[1] == 'x' && std::strlen(text) == 2 + 2 * sizeof(Ulid) &&
           std::strspn(text + 2, "0123456789abcdefABCDEF") == 2 * sizeof(Ulid);
}

/// A date, and whatever a time of day and a zone, be it by name, are written with.
bool LooksLikeTime(const char *text) {
    constexpr char kTime[] = "0123456789-:.+ TZ";
    constexpr char kTimeAndZone[] = "0123456789-:.+ /_abcdefghijklmnopqrstuvwxyz"
                                    "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    if (std::strspn(text, "0123456789") != 4 || text[4] != '-')
        return false;
    const bool has_day = std::strspn(text + 5, "0123456789") == 2 && text[7] == '-' &&
                         std::strspn(text + 8, "0123456789") == 2;
    return std::strspn(text, has_day ? kTimeAndZone : kTime) == std::strlen(text);
}

/// Adds the cast that was meant, where the text is bytes or begins as a date does.
void HintCast(const char *text) {
    if (LooksLikeBytes(text))
        errhint("Bytes need a cast: '%s'::bytea::ulid.", text);
    else if (LooksLikeTime(text))
        errhint("A time needs a cast: '%s'::timestamptz to compare with it, "
                "'%s'::timestamptz::ulid to convert it.",
                text, text);
}

/// A text that goes on so far as a UUID does was meant as one: a date has a hyphen before.
constexpr std::size_t kBeginOfUuid = 8;

/// Adds which rule the text broke, and where. `as_uuid`: how many characters are those of a UUID.
void DetailBrokenRule(const char *text, std::size_t as_uuid) {
    const int length = pg_mbstrlen(text);
    if (length == 0) {
        errdetail("The text is empty; a ULID has exactly %d characters.",
                  static_cast<int>(kTextLength));
        return;
    }
    if (length != static_cast<int>(kTextLength) && as_uuid >= kBeginOfUuid) {
        errdetail("A ULID has exactly %d characters, this text %d; as a UUID it breaks at "
                  "character %d.",
                  static_cast<int>(kTextLength), length, static_cast<int>(as_uuid) + 1);
        return;
    }
    if (length != static_cast<int>(kTextLength)) {
        errdetail("A ULID has exactly %d characters; this text has %d.",
                  static_cast<int>(kTextLength), length);
        return;
    }
    DetailBadCharacter(text);
}

} // namespace

extern "C" {

/// text to ulid: a ULID's or a UUID's. Errors, soft on 16+: 22P02 bad text, 22003 above the largest
/// value.
PG_FUNCTION_INFO_V1(ulid_in);
Datum ulid_in(PG_FUNCTION_ARGS) {
    const char *const text = PG_GETARG_CSTRING(0);
    Ulid result;
    const TextStatus status = Decode(text, result);
    if (likely(status == TextStatus::kValid))
        return CopyUlid(result);
    if (status == TextStatus::kOutOfRange)
        ereturn(fcinfo->context, (Datum)0, errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
                errmsg("value \"%s\" is out of range for type %s", text, "ulid"),
                errdetail("The largest ULID is 7ZZZZZZZZZZZZZZZZZZZZZZZZZ."));
    const std::optional<std::size_t> as_uuid = DecodeUuid(text, result);
    if (!as_uuid)
        return CopyUlid(result);
    ereturn(fcinfo->context, (Datum)0, errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
            errmsg("invalid input syntax for type %s: \"%s\"", "ulid", text),
            (DetailBrokenRule(text, *as_uuid), 0), (HintCast(text), 0));
}

/// ulid to its canonical text, 26 characters in upper case.
PG_FUNCTION_INFO_V1(ulid_out);
Datum ulid_out(PG_FUNCTION_ARGS) {
    auto *const text = static_cast<char *>(palloc(kTextLength + 1));
    Encode(GetUlidArgument(fcinfo, 0), text);
    text[kTextLength] = '\0';
    PG_RETURN_CSTRING(text);
}

/// 16 bytes of a message to ulid. Errors: 08P01 fewer bytes, 22P03 more.
PG_FUNCTION_INFO_V1(ulid_recv);
Datum ulid_recv(PG_FUNCTION_ARGS) {
    auto *const message = reinterpret_cast<StringInfo>(PG_GETARG_POINTER(0));
    const char *const bytes = pq_getmsgbytes(message, sizeof(Ulid));
    return CopyUlid(*reinterpret_cast<const Ulid *>(bytes));
}

/// ulid to 16 bytes in network order, as a bytea.
PG_FUNCTION_INFO_V1(ulid_send);
Datum ulid_send(PG_FUNCTION_ARGS) { return CopyBytes(GetUlidArgument(fcinfo, 0).bytes); }

/// Whether a text is a ULID's; a UUID's, which ulid_in takes too, is not.
PG_FUNCTION_INFO_V1(ulid_is_valid);
Datum ulid_is_valid(PG_FUNCTION_ARGS) {
    const text *const input = PG_GETARG_TEXT_PP(0);
    Ulid result;
    PG_RETURN_BOOL(Decode({VARDATA_ANY(input), VARSIZE_ANY_EXHDR(input)}, result) ==
                   TextStatus::kValid);
}

} // extern "C"

} // namespace ulid
