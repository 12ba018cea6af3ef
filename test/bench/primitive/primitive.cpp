// Three ways to share one order between processes, to be measured against each other: the server's
// spinlock, its LWLock, and a compare-and-swap of 128 bits.
#include <ctime>

#include "pg/postgres.hpp"

using namespace ulid;

extern "C" {
#include "storage/spin.h"

PG_MODULE_MAGIC;
}

namespace {

constexpr char kTranche[] = "primitive";

struct Words {
    std::uint64_t high, low;
};

struct alignas(128) Shared {
    slock_t mutex;
    alignas(128) Words last;
    // The lock's own cache line, as the others have theirs.
    alignas(128) unsigned __int128 word;
};

Shared *shared = nullptr;
LWLock *lwlock = nullptr;
shmem_request_hook_type previous_request_hook = nullptr;
shmem_startup_hook_type previous_startup_hook = nullptr;

void RequestHook() {
    if (previous_request_hook != nullptr)
        previous_request_hook();
    RequestAddinShmemSpace(sizeof(Shared) + alignof(Shared));
    RequestNamedLWLockTranche(kTranche, 1);
}

void StartupHook() {
    if (previous_startup_hook != nullptr)
        previous_startup_hook();
    bool found;
    void *const memory = ShmemInitStruct(kTranche, sizeof(Shared) + alignof(Shared), &found);
    shared = reinterpret_cast<Shared *>(TYPEALIGN(alignof(Shared), memory));
    if (!found)
        SpinLockInit(&(new (shared) Shared{})->mutex);
    lwlock = &GetNamedLWLockTranche(kTranche)->lock;
}

std::int64_t ReadClock() {
    timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1000000;
}

/// The step of the generator on words.
Words NextOf(const Words &last, std::int64_t now, const Words &random) {
    if (now > static_cast<std::int64_t>(last.high >> 16))
        return {static_cast<std::uint64_t>(now) << 16 | (random.high & 0xFFFF), random.low};
    return {last.high + (last.low == ~std::uint64_t{0}), last.low + 1};
}

Words WithSpinlock(std::int64_t now, const Words &random) {
    SpinLockAcquire(&shared->mutex);
    const Words result = shared->last = NextOf(shared->last, now, random);
    SpinLockRelease(&shared->mutex);
    return result;
}

Words WithLWLock(std::int64_t now, const Words &random) {
    LWLockAcquire(lwlock, LW_EXCLUSIVE);
    const Words result = shared->last = NextOf(shared->last, now, random);
    LWLockRelease(lwlock);
    return result;
}

Words WithCompareAndSwap(std::int64_t now, const Words &random) {
    unsigned __int128 expected = shared->word;
    for (;;) {
        const Words next = NextOf({static_cast<std::uint64_t>(expected >> 64),
                                   static_cast<std::uint64_t>(expected)},
                                  now, random);
        const auto desired = static_cast<unsigned __int128>(next.high) << 64 | next.low;
        // __sync, as GCC compiles __atomic of 16 bytes to a call of libatomic.
        const unsigned __int128 found =
            __sync_val_compare_and_swap(&shared->word, expected, desired);
        if (found == expected)
            return next;
        expected = found;
    }
}

} // namespace

extern "C" {

PGDLLEXPORT void _PG_init() {
    previous_request_hook = shmem_request_hook;
    shmem_request_hook = RequestHook;
    previous_startup_hook = shmem_startup_hook;
    shmem_startup_hook = StartupHook;
}

/// take_ids(way int, count int): takes so many ids in the way 0 (spinlock), 1 (LWLock) or 2
/// (compare-and-swap); returns how many were not greater than the one before.
PG_FUNCTION_INFO_V1(take_ids);
Datum take_ids(PG_FUNCTION_ARGS) {
    Words (*const ways[])(std::int64_t, const Words &) = {WithSpinlock, WithLWLock,
                                                         WithCompareAndSwap};
    auto *const way = ways[PG_GETARG_INT32(0)];
    Words random = {static_cast<std::uint64_t>(MyProcPid), 1}, last = {0, 0};
    int disorder = 0;
    for (int i = 0; i < PG_GETARG_INT32(1); ++i) {
        // Stands for the draw from the pool.
        random.low = random.low * 6364136223846793005u + 1442695040888963407u;
        const Words next = way(ReadClock(), random);
        disorder += next.high < last.high || (next.high == last.high && next.low <= last.low);
        last = next;
    }
    PG_RETURN_INT32(disorder);
}

} // extern "C"
