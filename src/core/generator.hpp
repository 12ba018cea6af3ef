// The generators, over a time and an entropy source that the caller passes in.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

#include "ulid.hpp"

namespace ulid {

/// Fills a span of bytes with randomness; false if the source fails.
template <typename T>
concept EntropySource = requires(T source, std::span<std::uint8_t> bytes) {
    { source(bytes) } -> std::same_as<bool>;
};

/// Gives the randomness of one ULID; false if the source fails.
template <typename T>
concept RandomnessSource = requires(T source, Randomness &randomness) {
    { source(randomness) } -> std::same_as<bool>;
};

enum class GeneratorStatus {
    kGenerated,
    kTimeOutOfRange, ///< the time is before 1970 or after kMaxMilliseconds
    kExhausted,      ///< no ULID is left in the millisecond
    kNoRandomness,   ///< the entropy source failed
};

/// Randomness that is drawn in blocks from an entropy source. Each part is handed out once and wiped
/// at that time. The pool is empty before the first draw and after a failed draw.
template <std::size_t kBlockBytes> class RandomnessPool {
  public:
    template <EntropySource Source> bool Draw(Randomness &randomness, Source &&source) {
        if (left_ < randomness.size()) {
            if (!source(std::span<std::uint8_t>{block_})) {
                Discard();
                return false;
            }
            left_ = kBlockBytes;
        }
        std::uint8_t *const bytes = block_.data() + kBlockBytes - left_;
        std::memcpy(randomness.data(), bytes, randomness.size());
        std::memset(bytes, 0, randomness.size());
        // Keeps the compiler from removing the wipe as a dead store.
        __asm__ volatile("" : : "r"(bytes) : "memory");
        left_ -= randomness.size();
        return true;
    }

    /// Forgets randomness that was drawn but not handed out.
    void Discard() {
        std::memset(block_.data(), 0, kBlockBytes);
        __asm__ volatile("" : : "r"(block_.data()) : "memory");
        left_ = 0;
    }

    std::span<const std::uint8_t> Block() const { return block_; }

  private:
    std::array<std::uint8_t, kBlockBytes> block_{};
    std::size_t left_ = 0; ///< all zeros, so a static pool is not in the file
};

/// A ULID of the given time with fresh randomness. Errors: kTimeOutOfRange, kNoRandomness.
template <RandomnessSource Source>
constexpr GeneratorStatus Generate(std::int64_t milliseconds, Source &&source, Ulid &result) {
    if (milliseconds < 0 || milliseconds > static_cast<std::int64_t>(kMaxMilliseconds))
        return GeneratorStatus::kTimeOutOfRange;
    Randomness randomness;
    if (!source(randomness))
        return GeneratorStatus::kNoRandomness;
    result = Ulid::FromParts(static_cast<std::uint64_t>(milliseconds), randomness);
    return GeneratorStatus::kGenerated;
}

/// The successor of a ULID at the given time: fresh randomness in a later millisecond, plus 1 in the
/// same or an earlier one. Errors: kTimeOutOfRange, kNoRandomness, kExhausted.
template <RandomnessSource Source>
constexpr GeneratorStatus Next(const Ulid &previous, std::int64_t milliseconds, Source &&source, Ulid &result) {
    if (milliseconds > static_cast<std::int64_t>(previous.Milliseconds()))
        return Generate(milliseconds, source, result);
    const std::optional<Ulid> successor = previous.Successor();
    if (!successor)
        return GeneratorStatus::kExhausted;
    result = *successor;
    return GeneratorStatus::kGenerated;
}

/// Generates ULIDs each of which is greater than the one before, whatever the clock does. An error does
/// not change the state, so no ULID is generated twice.
class MonotonicGenerator {
  public:
    /// `now` is in Unix milliseconds, negative before 1970. Errors: kTimeOutOfRange, kNoRandomness, kExhausted.
    template <RandomnessSource S> constexpr GeneratorStatus Generate(std::int64_t now, S &&source, Ulid &result) {
        const GeneratorStatus status = last_ ? Next(*last_, now, source, result) : ulid::Generate(now, source, result);
        if (status == GeneratorStatus::kGenerated)
            last_ = result;
        return status;
    }

    /// The ULID generated last, if any.
    constexpr const std::optional<Ulid> &Last() const { return last_; }

  private:
    std::optional<Ulid> last_;
};

/// How far the clock may step back, in milliseconds, before the caller should report it.
inline constexpr std::int64_t kClockTolerance = 1000;

/// Whether the clock has stepped back by more than kClockTolerance since the last call. `behind` says how far the clock
/// is behind the last ULID, in milliseconds: 0 at first, and kept for the next call.
constexpr bool HasSteppedBack(std::int64_t milliseconds, const Ulid &last, std::int64_t &behind) {
    const std::int64_t before = behind;
    behind = static_cast<std::int64_t>(last.Milliseconds()) - milliseconds;
    return behind > before + kClockTolerance;
}

} // namespace ulid
