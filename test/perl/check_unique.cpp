// check_unique FILE...: checks files that COPY (FORMAT binary) wrote of one column of ulids. Prints
// how many there are, how many are duplicates of another in any file, and for each file whether its
// ids ascend.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

namespace {

using Id = std::array<std::uint64_t, 2>;

// A row: the number of columns, the length of the value, the value. Before the first row there are a
// signature, flags and the length of an extension; after the last one, -1 (PostgreSQL: COPY, "Binary
// Format").
constexpr std::size_t kHeader = 19, kRow = 2 + 4 + 16, kTrailer = 2;
constexpr unsigned char kRowBegin[] = {0, 1, 0, 0, 0, 16};

[[noreturn]] void Fail(const char *name, const char *what) {
    std::fprintf(stderr, "%s: %s\n", name, what);
    std::exit(1);
}

std::uint64_t Load(const unsigned char *bytes) {
    std::uint64_t value;
    std::memcpy(&value, bytes, sizeof value);
    return std::endian::native == std::endian::little ? __builtin_bswap64(value) : value;
}

/// Adds the ids of a file; true if each is greater than the one before.
bool Read(const char *name, std::vector<Id> &ids) {
    std::FILE *const file = std::fopen(name, "rb");
    unsigned char bytes[kHeader > kRow ? kHeader : kRow];
    if (file == nullptr || std::fread(bytes, 1, kHeader, file) != kHeader)
        Fail(name, "cannot be read");
    bool ascends = true;
    const std::size_t first = ids.size();
    std::size_t length;
    while ((length = std::fread(bytes, 1, kRow, file)) == kRow) {
        if (std::memcmp(bytes, kRowBegin, sizeof kRowBegin) != 0)
            Fail(name, "has a row that is not one ulid");
        const Id id = {Load(bytes + 6), Load(bytes + 14)};
        ascends = ascends && (ids.size() == first || ids.back() < id);
        ids.push_back(id);
    }
    if (length != kTrailer)
        Fail(name, "ends too early");
    std::fclose(file);
    return ascends;
}

} // namespace

int main(int argc, char **argv) {
    std::vector<Id> ids;
    for (int i = 1; i < argc; ++i)
        std::printf("%s %s\n", argv[i], Read(argv[i], ids) ? "ascends" : "does not ascend");
    const auto middle = ids.begin() + static_cast<std::ptrdiff_t>(ids.size() / 2);
    std::thread half([&] { std::sort(ids.begin(), middle); });
    std::sort(middle, ids.end());
    half.join();
    std::inplace_merge(ids.begin(), middle, ids.end());
    std::size_t duplicates = 0;
    for (std::size_t i = 1; i < ids.size(); ++i)
        duplicates += ids[i] == ids[i - 1];
    std::printf("ids %zu\nduplicates %zu\n", ids.size(), duplicates);
}
