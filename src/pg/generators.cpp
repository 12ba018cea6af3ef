// The generators of a session.
#include "pg/generators.hpp"

#include "core/uuidv7.hpp"

namespace ulid {

bool DrawRandomness(Randomness &randomness) {
    // With a block this large, drawing costs little compared with reading the clock.
    static RandomnessPool<16000> pool;
    static int owner = 0;
    // A forked process must not use randomness that its parent drew.
    if (unlikely(owner != MyProcPid)) {
        pool.Discard();
        owner = MyProcPid;
    }
    return pool.Draw(randomness,
                     [](std::span<std::uint8_t> block) { return pg_strong_random(block.data(), block.size()); });
}

void CheckGenerated(GeneratorStatus status, std::int64_t milliseconds, const char *what) {
    if (likely(status == GeneratorStatus::kGenerated))
        return;
    if (status == GeneratorStatus::kTimeOutOfRange)
        ReportTimeOutOfRange(milliseconds * 1000 + kUnixEpoch, what);
    if (status == GeneratorStatus::kExhausted)
        ereport(ERROR, errcode(ERRCODE_SEQUENCE_GENERATOR_LIMIT_EXCEEDED),
                errmsg("no ULID is left in this millisecond"), errdetail("The randomness has reached its maximum."),
                errhint("Try again in a later millisecond."));
    ereport(ERROR, errcode(ERRCODE_INTERNAL_ERROR), errmsg("could not generate random values"));
}

namespace {

constexpr char kUuidv7[] = "UUIDv7";

/// A ULID of a time in Unix milliseconds with fresh randomness.
Datum GenerateAt(std::int64_t milliseconds) {
    Ulid result;
    CheckGenerated(Generate(milliseconds, DrawRandomness, result), milliseconds);
    return ToDatum(result);
}

Datum NextAt(const Ulid &previous, std::int64_t milliseconds) {
    Ulid result;
    CheckGenerated(Next(previous, milliseconds, DrawRandomness, result), milliseconds);
    return ToDatum(result);
}

/// An argument of type timestamptz, microseconds since 2000, in Unix milliseconds. Errors: 22008.
std::int64_t MillisecondArgument(FunctionCallInfo fcinfo, int index) {
    return static_cast<std::int64_t>(MillisecondOf(Arg<std::int64_t>(fcinfo, index)));
}

/// Warns once for each step of the clock, because it may stay behind for a long time.
void WarnIfSteppedBack(std::int64_t milliseconds, const Ulid &last, std::int64_t &behind, const char *function) {
    if (unlikely(HasSteppedBack(milliseconds, last, behind)))
        ereport(WARNING, errmsg("system clock is more than a second behind the last id of this session"),
                errdetail("%s() keeps the order of this session: it counts up from the time of its last id until the "
                          "clock has caught up.",
                          function));
}

} // namespace

extern "C" {

/// gen_ulid(): greater than every earlier one of this session. Errors: 2200H, 22008.
PG_FUNCTION_INFO_V1(gen_ulid);
Datum gen_ulid([[maybe_unused]] PG_FUNCTION_ARGS) {
    static MonotonicGenerator generator;
    static std::int64_t behind = 0;
    const std::int64_t now = Milliseconds(ReadClock());
    Ulid result;
    CheckGenerated(generator.Generate(now, DrawRandomness, result), now);
    WarnIfSteppedBack(now, result, behind, "gen_ulid");
    return ToDatum(result);
}

/// gen_ulid(timestamptz): a ULID for that time, to the millisecond, with fresh randomness. Errors: 22008.
PG_FUNCTION_INFO_V1(gen_ulid_at);
Datum gen_ulid_at(PG_FUNCTION_ARGS) { return GenerateAt(MillisecondArgument(fcinfo, 0)); }

/// gen_random_ulid(): a ULID for the current time with fresh randomness. Errors: 22008.
PG_FUNCTION_INFO_V1(gen_random_ulid);
Datum gen_random_ulid([[maybe_unused]] PG_FUNCTION_ARGS) { return GenerateAt(Milliseconds(ReadClock())); }

/// gen_uuidv7(): greater than every earlier one of this session. Errors: 22008.
PG_FUNCTION_INFO_V1(gen_uuidv7);
Datum gen_uuidv7([[maybe_unused]] PG_FUNCTION_ARGS) {
    static Uuidv7Generator generator;
    static std::int64_t behind = 0;
    const std::timespec now = ReadClock();
    const std::int64_t ticks = Ticks(now.tv_sec, now.tv_nsec);
    const std::int64_t milliseconds = ticks >> 12;
    Ulid result;
    CheckGenerated(generator.Generate(ticks, DrawRandomness, result), milliseconds, kUuidv7);
    WarnIfSteppedBack(milliseconds, result, behind, "gen_uuidv7");
    return ToDatum(result);
}

/// gen_uuidv7(timestamptz): a UUIDv7 for that time, to the microsecond, with fresh randomness. Errors: 22008.
PG_FUNCTION_INFO_V1(gen_uuidv7_at);
Datum gen_uuidv7_at(PG_FUNCTION_ARGS) {
    const std::int64_t microseconds = CheckTime(Arg<std::int64_t>(fcinfo, 0), kUuidv7);
    const std::int64_t ticks = Ticks(microseconds / 1000000, microseconds % 1000000 * 1000);
    Ulid result;
    CheckGenerated(GenerateUuidv7(ticks, DrawRandomness, result), microseconds / 1000);
    return ToDatum(result);
}

/// uuidv7_min(timestamptz): the first UUIDv7 of the millisecond. Errors: 22008.
PG_FUNCTION_INFO_V1(uuidv7_min);
Datum uuidv7_min(PG_FUNCTION_ARGS) {
    const std::int64_t milliseconds = CheckTime(Arg<std::int64_t>(fcinfo, 0), kUuidv7) / 1000;
    return ToDatum(Uuidv7(milliseconds << 12, 0));
}

/// ulid_next(ulid): its successor at the current time. Errors: 2200H, 22008.
PG_FUNCTION_INFO_V1(ulid_next);
Datum ulid_next(PG_FUNCTION_ARGS) { return NextAt(Arg<const Ulid &>(fcinfo, 0), Milliseconds(ReadClock())); }

/// ulid_next(ulid, timestamptz): its successor at that time. Errors: 2200H, 22008.
PG_FUNCTION_INFO_V1(ulid_next_at);
Datum ulid_next_at(PG_FUNCTION_ARGS) { return NextAt(Arg<const Ulid &>(fcinfo, 0), MillisecondArgument(fcinfo, 1)); }

} // extern "C"

} // namespace ulid
