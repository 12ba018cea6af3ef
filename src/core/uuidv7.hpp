// UUID version 7 (RFC 9562, section 5.7) in the layout of PostgreSQL's own uuidv7() (18 and later): 48 bits
// of Unix time in milliseconds, as in a ULID; the version; 12 bits of the fraction of the millisecond; the
// variant; and 62 bits of randomness.
#pragma once

#include "generator.hpp"
#include "uuid.hpp"

namespace ulid {

/// The largest time of a UUIDv7 in ticks. A tick is a 4096th of a millisecond, about 244 ns.
inline constexpr std::int64_t kMaxTicks = (std::int64_t{1} << 60) - 1;

/// A time in ticks: Unix seconds, and the nanoseconds since then, 0 to 999,999,999. A second is 4,096,000 ticks, so a
/// nanosecond is 64/15,625 of one.
constexpr std::int64_t Ticks(std::int64_t seconds, std::int64_t nanoseconds) {
    return seconds * 4096000 + nanoseconds * 64 / 15625;
}

/// The largest value of the random bits.
inline constexpr std::uint64_t kMaxTail = (std::uint64_t{1} << 62) - 1;

/// The UUIDv7 of a time in ticks, 0 to kMaxTicks, and random bits, 0 to kMaxTail.
constexpr Ulid Uuidv7(std::int64_t ticks, std::uint64_t tail) {
    const auto time = static_cast<std::uint64_t>(ticks);
    return Ulid::FromWords(time >> 12 << 16 | 0x7000 | (time & 0xFFF), std::uint64_t{1} << 63 | tail);
}

/// A UUIDv7 of a time in ticks with fresh randomness. Errors: kTimeOutOfRange, kNoRandomness.
template <RandomnessSource Source>
constexpr GeneratorStatus GenerateUuidv7(std::int64_t ticks, Source &&source, Ulid &result) {
    if (ticks < 0 || ticks > kMaxTicks)
        return GeneratorStatus::kTimeOutOfRange;
    Randomness randomness;
    if (!source(randomness))
        return GeneratorStatus::kNoRandomness;
    result = Uuidv7(ticks, LoadBigEndian(randomness.data()) >> 2);
    return GeneratorStatus::kGenerated;
}

/// Generates UUIDv7s each of which is greater than the one before, whatever the clock does. In the tick of
/// the last one or before it, the random bits grow by a random step of 1 to 2^56. If they overflow, the
/// UUIDv7 is one of the next tick. An error does not change the state.
class Uuidv7Generator {
  public:
    /// The time is in ticks. Errors: kTimeOutOfRange, kNoRandomness.
    template <RandomnessSource S> constexpr GeneratorStatus Generate(std::int64_t ticks, S &&source, Ulid &result) {
        if (last_ticks_ >= 0 && ticks <= last_ticks_) {
            Randomness randomness;
            if (!source(randomness))
                return GeneratorStatus::kNoRandomness;
            const std::uint64_t tail = (last_.Low() & kMaxTail) + (LoadBigEndian(randomness.data()) >> 8) + 1;
            if (tail <= kMaxTail) {
                result = last_ = Uuidv7(last_ticks_, tail);
                return GeneratorStatus::kGenerated;
            }
            ticks = last_ticks_ + 1;
        }
        const GeneratorStatus status = GenerateUuidv7(ticks, source, result);
        if (status == GeneratorStatus::kGenerated) {
            last_ticks_ = ticks;
            last_ = result;
        }
        return status;
    }

  private:
    std::int64_t last_ticks_ = -1; ///< negative before the first
    Ulid last_{};
};

namespace vectors {

// RFC 9562, appendix A.6
static_assert(Uuidv7(std::int64_t{0x017F22E279B0} << 12 | 0xCC3, 0x18C4DC0C0C07398F) ==
              ParseUuid("017F22E2-79B0-7CC3-98C4-DC0C0C07398F"));
static_assert(Uuidv7(kMaxTicks, kMaxTail) == ParseUuid("ffffffff-ffff-7fff-bfff-ffffffffffff"));
static_assert(Ticks(0, 5000000) == 5 << 12 && Ticks(0, 5999999) == (5 << 12 | 0xFFF) &&
              Ticks(0, 5500000) == (5 << 12 | 0x800));
static_assert(Ticks(3, 999999999) == std::int64_t{4000} * 4096 - 1 && Ticks(-1, 999999999) == -1);

} // namespace vectors

} // namespace ulid
