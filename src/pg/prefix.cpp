// The ULIDs whose text begins with a prefix, and their planner support: a range of ULIDs.
#include "pg/bad_text.hpp"
#include "pg/planner/planner.hpp"

namespace ulid {

namespace {

/// Errors: 22P02 a character that is not a digit or more of them than a ULID has, 22003 above the
/// largest value.
UlidRange UlidsOfPrefix(FunctionCallInfo fcinfo, int index) {
    const text *const prefix = PG_GETARG_TEXT_PP(index);
    UlidRange range;
    const TextStatus status = DecodePrefix({VARDATA_ANY(prefix), VARSIZE_ANY_EXHDR(prefix)}, range);
    if (likely(status == TextStatus::kValid))
        return range;
    const char *const shown = text_to_cstring(prefix);
    if (status == TextStatus::kOutOfRange)
        ereport(ERROR, errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
                errmsg("prefix \"%s\" is out of range for type %s", shown, "ulid"),
                errdetail("The largest ULID is 7ZZZZZZZZZZZZZZZZZZZZZZZZZ."));
    ereport(ERROR, errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
            errmsg("invalid prefix for type %s: \"%s\"", "ulid", shown),
            pg_mbstrlen(shown) <= static_cast<int>(kTextLength)
                ? DetailBadCharacter(shown)
                : errdetail("A ULID has exactly %d characters; this prefix has %d.",
                            static_cast<int>(kTextLength), pg_mbstrlen(shown)));
    pg_unreachable();
}

/// `ulid ^@ prefix` by the first and the last ULID that begin so, or NIL.
List *MakePrefixConditions(PlannerInfo *root, const List *arguments) {
    Node *const prefix = Argument(arguments, 1);
    if (IsNullConst(prefix))
        return NIL;
    return MakeBetween(root, Argument(arguments, 0), Function::ulid_planner_prefix_lower,
                       Function::ulid_planner_prefix_upper, prefix);
}

Node *Simplify(const SupportRequestSimplify &request) {
    const List *const arguments = request.fcall->args;
    if (!IsDuplicable(request.root, Argument(arguments, 0)) ||
        !IsDuplicable(request.root, Argument(arguments, 1)))
        return nullptr;
    return MakeAnd(MakePrefixConditions(request.root, arguments));
}

/// What could not be simplified, as the prefix is computed once from a subquery.
List *MakeIndexConditions(SupportRequestIndexCondition &request) {
    const List *const arguments = ArgumentsOf(request.node);
    if (request.indexarg != 0 ||
        !is_pseudo_constant_for_index(request.root, Argument(arguments, 1), request.index))
        return NIL;
    request.lossy = false;
    return IfInFamily(request.opfamily, MakePrefixConditions(request.root, arguments));
}

} // namespace

extern "C" {

/// Planner support of ulid ^@ text.
PG_FUNCTION_INFO_V1(ulid_prefix_support);
Datum ulid_prefix_support(PG_FUNCTION_ARGS) {
    return AnswerSupportRequest(fcinfo, Simplify, MakeIndexConditions);
}

/// ulid ^@ text
PG_FUNCTION_INFO_V1(ulid_starts_with);
Datum ulid_starts_with(PG_FUNCTION_ARGS) {
    const UlidRange range = UlidsOfPrefix(fcinfo, 1);
    PG_RETURN_BOOL(Contains(range, GetUlidArgument(fcinfo, 0)));
}

/// ulid_planner_prefix_lower(text): the least ULID that begins with a prefix.
PG_FUNCTION_INFO_V1(ulid_planner_prefix_lower);
Datum ulid_planner_prefix_lower(PG_FUNCTION_ARGS) {
    return CopyUlid(UlidsOfPrefix(fcinfo, 0).first);
}

/// ulid_planner_prefix_upper(text): the greatest ULID that begins with a prefix.
PG_FUNCTION_INFO_V1(ulid_planner_prefix_upper);
Datum ulid_planner_prefix_upper(PG_FUNCTION_ARGS) {
    return CopyUlid(UlidsOfPrefix(fcinfo, 0).last);
}

} // extern "C"

} // namespace ulid
