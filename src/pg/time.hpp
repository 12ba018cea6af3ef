// Which ranges a ulid can lie in: used by the comparisons and by their planner support.
#pragma once

#include "pg/datum.hpp"

namespace ulid {

/// Whether a range type is of timestamptz in its own order. One may be made over a domain, or with
/// an operator class that orders times otherwise.
inline bool HoldsTimes(const TypeCacheEntry *range) {
    return range->rng_cmp_proc_finfo.fn_oid == F_TIMESTAMPTZ_CMP;
}

/// Whether a range type is of ulids: then a ulid lies in it as the server's own operators say.
inline bool HoldsUlids(const TypeCacheEntry *range, Oid ulid_type) {
    return getBaseType(range->rngelemtype->type_id) == ulid_type;
}

/// Fails with 42804, for a range or multirange type of anything else.
[[noreturn]] inline void ReportOtherRange(Oid type) {
    ereport(ERROR, errcode(ERRCODE_DATATYPE_MISMATCH),
            errmsg("cannot look for the time of a ulid in type %s", format_type_be(type)),
            errdetail("The time of a ulid is a timestamp with time zone."),
            errhint("Use a tstzrange or a tstzmultirange."));
    pg_unreachable();
}

} // namespace ulid
