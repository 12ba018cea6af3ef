// The generators of a session.
#include "pg/generator_inputs.hpp"

namespace ulid {

namespace {

/// A ULID of a time in Unix milliseconds with fresh randomness.
Datum GenerateAt(std::int64_t milliseconds) {
    Ulid result;
    CheckGenerated(Generate(milliseconds, DrawRandomness, result), milliseconds);
    return CopyUlid(result);
}

Datum NextAt(const Ulid &previous, std::int64_t milliseconds) {
    Ulid result;
    CheckGenerated(Next(previous, milliseconds, DrawRandomness, result), milliseconds);
    return CopyUlid(result);
}

/// Warns once in a session: the clock may stay behind for long while keys are made.
void WarnClockBehind() {
    static bool warned = false;
    if (warned)
        return;
    warned = true;
    ereport(WARNING, errmsg("system clock is more than a second behind the last ULID"),
            errdetail("gen_ulid() keeps the order of this session: it counts up from the time of "
                      "its last ULID until the clock has caught up."));
}

} // namespace

extern "C" {

/// gen_ulid(): greater than every one before it in this process. Errors: 2200H, 22008.
PG_FUNCTION_INFO_V1(gen_ulid);
Datum gen_ulid(PG_FUNCTION_ARGS) {
    static MonotonicGenerator generator;
    Ulid result;
    std::int64_t now = 0;
    const GeneratorStatus status =
        generator.Generate([&now] { return now = ReadClock(); }, DrawRandomness, result);
    CheckGenerated(status, now);
    if (unlikely(IsClockBehind(now, result)))
        WarnClockBehind();
    return CopyUlid(result);
}

/// gen_ulid(timestamptz): of that time, with fresh randomness. Errors: 22008.
PG_FUNCTION_INFO_V1(gen_ulid_at);
Datum gen_ulid_at(PG_FUNCTION_ARGS) {
    return GenerateAt(static_cast<std::int64_t>(MillisecondOf(PG_GETARG_TIMESTAMPTZ(0))));
}

/// gen_random_ulid(): of the time now, with fresh randomness. Errors: 22008.
PG_FUNCTION_INFO_V1(gen_random_ulid);
Datum gen_random_ulid(PG_FUNCTION_ARGS) { return GenerateAt(ReadClock()); }

/// ulid_next(ulid): its successor now. Errors: 2200H, 22008.
PG_FUNCTION_INFO_V1(ulid_next);
Datum ulid_next(PG_FUNCTION_ARGS) { return NextAt(GetUlidArgument(fcinfo, 0), ReadClock()); }

/// ulid_next(ulid, timestamptz): its successor at that time. Errors: 2200H, 22008.
PG_FUNCTION_INFO_V1(ulid_next_at);
Datum ulid_next_at(PG_FUNCTION_ARGS) {
    return NextAt(GetUlidArgument(fcinfo, 0),
                  static_cast<std::int64_t>(MillisecondOf(PG_GETARG_TIMESTAMPTZ(1))));
}

} // extern "C"

} // namespace ulid
