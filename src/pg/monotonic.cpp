// gen_monotonic_ulid(): one order for all sessions of a running server, by a generator in shared
// memory.
#include "pg/monotonic.hpp"

#include "pg/generators.hpp"

extern "C" {
#include "storage/ipc.h"
#include "storage/shmem.h"
}

namespace ulid {

namespace {

/// What the server's processes share. A spinlock would be half as fast with more clients than cores.
struct SharedState {
    LWLock lock;
    MonotonicGenerator generator;
    std::int64_t behind; ///< how far the clock was behind at the last call, in milliseconds
};

/// The name of the shared memory. If you change a member of SharedState, change the number too:
/// sessions may load a new build of the module in a server that still uses an older one.
constexpr char kSharedMemoryName[] = "ulid 3";
constexpr char kLockName[] = "ulid";

/// Before 19, if the library is preloaded: the postmaster sets this, and backends inherit it.
SharedState *preloaded_state = nullptr;

shmem_request_hook_type previous_request_hook = nullptr;
shmem_startup_hook_type previous_startup_hook = nullptr;

void InitSharedState(void *memory) {
    SharedState *const state = new (memory) SharedState{};
    LWLockInitialize(&state->lock, NewTrancheId(kLockName));
}

void RequestSharedMemory() {
    if (previous_request_hook != nullptr)
        previous_request_hook();
    RequestAddinShmemSpace(MAXALIGN(sizeof(SharedState)));
}

void ReserveSharedMemory() {
    if (previous_startup_hook != nullptr)
        previous_startup_hook();
    LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
    bool found;
    void *const memory = ShmemInitStruct(kSharedMemoryName, sizeof(SharedState), &found);
    if (!found)
        InitSharedState(memory);
    preloaded_state = static_cast<SharedState *>(memory);
    RegisterTranche(preloaded_state->lock, kLockName);
    LWLockRelease(AddinShmemInitLock);
}

/// Errors: 55000 if there is no shared memory.
SharedState &Attach() {
    static SharedState *attached = nullptr;
    if (unlikely(attached == nullptr)) {
        SharedState *state = preloaded_state;
        if (state == nullptr)
            state = NamedSharedMemory<SharedState>(kSharedMemoryName, InitSharedState);
        if (state == nullptr)
            ereport(ERROR, errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                    errmsg("gen_monotonic_ulid() needs shared memory reserved at server start"),
                    errhint("Add ulid to shared_preload_libraries and restart the server."));
        RegisterTranche(state->lock, kLockName);
        attached = state;
    }
    return *attached;
}

} // namespace

void InstallSharedMemoryHooks() {
    if (kNeedsNoPreloading || !process_shared_preload_libraries_in_progress)
        return;
    previous_request_hook = shmem_request_hook;
    shmem_request_hook = RequestSharedMemory;
    previous_startup_hook = shmem_startup_hook;
    shmem_startup_hook = ReserveSharedMemory;
}

extern "C" {

/// gen_monotonic_ulid(): greater than every earlier one of this running server. Errors: 2200H, 22008,
/// 55000 if no memory was reserved.
PG_FUNCTION_INFO_V1(gen_monotonic_ulid);
Datum gen_monotonic_ulid([[maybe_unused]] PG_FUNCTION_ARGS) {
    SharedState &state = Attach();
    // Draw before taking the lock, so that nothing can fail or wait while holding it.
    Randomness randomness;
    if (unlikely(!DrawRandomness(randomness)))
        CheckGenerated(GeneratorStatus::kNoRandomness, 0);
    const std::int64_t now = Milliseconds(ReadClock());
    Ulid result{};

    LWLockAcquire(&state.lock, LW_EXCLUSIVE);
    const GeneratorStatus status = state.generator.Generate(
        now, [&randomness](Randomness &drawn) { return drawn = randomness, true; }, result);
    const bool has_stepped_back = status == GeneratorStatus::kGenerated && HasSteppedBack(now, result, state.behind);
    LWLockRelease(&state.lock);

    CheckGenerated(status, now);
    if (unlikely(has_stepped_back)) {
        // Only this session may have been stopped, after it read the clock. So look again.
        std::int64_t behind = 0;
        if (HasSteppedBack(Milliseconds(ReadClock()), result, behind))
            ereport(LOG, errmsg("system clock is %lld ms behind the last ULID", static_cast<long long>(behind)),
                    errdetail("gen_monotonic_ulid() keeps its order: it counts up from that time until the "
                              "clock has caught up."),
                    errhint("To start a new order at the clock, restart the server."));
    }
    return ToDatum(result);
}

} // extern "C"

} // namespace ulid
