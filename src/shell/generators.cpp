// The generators: the one place that reads the clock and the one that draws randomness.
#include <ctime>

#include "shell/datum.hpp"

using namespace ulid;

namespace {

/// The clock: Unix milliseconds. Not now(), which stands still for a transaction.
std::int64_t ReadClock() {
    timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1000000;
}

/// Draws randomness from the pool of this process.
bool DrawRandomness(Randomness &randomness) {
    // A block large enough that a draw costs a small part of what reading the clock does.
    static RandomnessPool<4000> pool;
    static int owner = 0;
    // A forked process must not hand out what its parent drew.
    if (unlikely(owner != MyProcPid)) {
        pool.Discard();
        owner = MyProcPid;
    }
    return pool.Draw(randomness, [](std::span<std::uint8_t> block) {
        return pg_strong_random(block.data(), block.size());
    });
}

/// Fails with the SQLSTATE of a generator's error; returns where there is none.
void Check(GeneratorStatus status, std::int64_t milliseconds) {
    switch (status) {
    case GeneratorStatus::kGenerated:
        return;
    case GeneratorStatus::kTimeOutOfRange:
        ReportTimeOutOfRange(timestamptz_out, Int64GetDatum(milliseconds * 1000 + kUnixEpoch));
    case GeneratorStatus::kExhausted:
        ereport(ERROR, errcode(ERRCODE_SEQUENCE_GENERATOR_LIMIT_EXCEEDED),
                errmsg("no ULID is left in this millisecond"),
                errdetail("The randomness has been counted up to its last value."),
                errhint("Try again in a later millisecond."));
        break;
    case GeneratorStatus::kNoRandomness:
        ereport(ERROR, errcode(ERRCODE_INTERNAL_ERROR),
                errmsg("could not generate random values"));
    }
}

/// A ULID of a time in Unix milliseconds with fresh randomness.
Datum GenerateAt(std::int64_t milliseconds) {
    Ulid result;
    Check(Generate(milliseconds, DrawRandomness, result), milliseconds);
    return CopyUlid(result);
}

Datum NextAt(const Ulid &previous, std::int64_t milliseconds) {
    Ulid result;
    Check(Next(previous, milliseconds, DrawRandomness, result), milliseconds);
    return CopyUlid(result);
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
    if (unlikely(status != GeneratorStatus::kGenerated))
        Check(status, now);
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
