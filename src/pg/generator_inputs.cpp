// The randomness and the errors of the generators.
#include "pg/generator_inputs.hpp"

namespace ulid {

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

void ReportNotGenerated(GeneratorStatus status, std::int64_t milliseconds) {
    switch (status) {
    case GeneratorStatus::kGenerated:
        break;
    case GeneratorStatus::kTimeOutOfRange:
        ReportTimeOutOfRange(timestamptz_out, Int64GetDatum(milliseconds * 1000 + kUnixEpoch));
    case GeneratorStatus::kExhausted:
        ereport(ERROR, errcode(ERRCODE_SEQUENCE_GENERATOR_LIMIT_EXCEEDED),
                errmsg("no ULID is left in this millisecond"),
                errdetail("The randomness has been counted up to its last value."),
                errhint("Try again in a later millisecond."));
        break;
    case GeneratorStatus::kNoRandomness:
        ereport(ERROR, errcode(ERRCODE_INTERNAL_ERROR), errmsg("could not generate random values"));
    }
    pg_unreachable();
}

} // namespace ulid
