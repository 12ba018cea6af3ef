// The codec compared with a plain loop that processes a digit at a time, on the same values.
#include <benchmark/benchmark.h>

#include <random>
#include <vector>

#include "core/base32.hpp"

using namespace ulid;

namespace {

// Few enough to stay in the first-level cache: the codec is measured, not the memory.
constexpr std::size_t kValues = 512;

struct Texts {
    char text[kValues][kTextLength];
};

const std::vector<Ulid> &Values() {
    static const std::vector<Ulid> values = [] {
        std::mt19937_64 random(20250101);
        std::vector<Ulid> result;
        for (std::size_t i = 0; i < kValues; ++i)
            result.push_back(Ulid::FromWords(random(), random()));
        return result;
    }();
    return values;
}

const Texts &AllTexts() {
    static const Texts texts = [] {
        Texts result;
        for (std::size_t i = 0; i < kValues; ++i)
            Encode(Values()[i], result.text[i]);
        return result;
    }();
    return texts;
}

template <auto EncodeFunction> void BenchmarkEncode(benchmark::State &state) {
    const std::vector<Ulid> &values = Values();
    char text[kTextLength];
    for (auto _ : state)
        for (const Ulid &value : values) {
            EncodeFunction(value, text);
            benchmark::DoNotOptimize(text);
        }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kValues));
}

template <auto DecodeFunction> void BenchmarkDecode(benchmark::State &state) {
    const Texts &texts = AllTexts();
    Ulid value;
    for (auto _ : state)
        for (const auto &text : texts.text) {
            TextStatus status = DecodeFunction(text, value);
            benchmark::DoNotOptimize(status);
            benchmark::DoNotOptimize(value);
        }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kValues));
}

// The loop one writes first, over a 128-bit integer.
__extension__ typedef unsigned __int128 Uint128;

void EncodeUint128(const Ulid &ulid, char *text) {
    Uint128 value = static_cast<Uint128>(ulid.High()) << 64 | ulid.Low();
    for (std::size_t i = kTextLength; i-- > 0; value >>= 5)
        text[i] = kAlphabet[static_cast<std::size_t>(value & 31)];
}

TextStatus DecodeUint128(const char *text, Ulid &ulid) {
    Uint128 value = 0;
    for (std::size_t i = 0; i < kTextLength; ++i) {
        const std::uint8_t digit = kDigitValues[static_cast<std::uint8_t>(text[i])];
        if (digit == kNoDigit)
            return TextStatus::kBadCharacter;
        value = value << 5 | digit;
    }
    if (kDigitValues[static_cast<std::uint8_t>(text[0])] > 7)
        return TextStatus::kOutOfRange;
    ulid = Ulid::FromWords(static_cast<std::uint64_t>(value >> 64),
                           static_cast<std::uint64_t>(value));
    return TextStatus::kValid;
}

TextStatus DecodeText(const char *text, Ulid &value) { return Decode({text, kTextLength}, value); }

BENCHMARK(BenchmarkEncode<EncodeUint128>)->Name("encode/plain loop over a 128-bit integer");
BENCHMARK(BenchmarkEncode<Encode>)->Name("encode/the codec");
BENCHMARK(BenchmarkDecode<DecodeUint128>)->Name("decode/plain loop over a 128-bit integer");
BENCHMARK(BenchmarkDecode<DecodeText>)->Name("decode/the codec");

} // namespace

BENCHMARK_MAIN();
