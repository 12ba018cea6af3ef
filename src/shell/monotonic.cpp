// gen_monotonic_ulid(): one order for the whole server.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <new>

#include "shell/module.hpp"
#include "shell/generator_inputs.hpp"

using namespace ulid;

namespace {

/// What the server's processes share.
struct SharedState {
    /// The time up to which the order follows what is on record.
    enum class Floor : std::uint8_t {
        kUnknown,    ///< nothing has been read yet
        kAtRecovery, ///< read in recovery: transactions replayed since then are not in it
        kFinal,
    };

    // Guarded by the lock.
    ReservingGenerator generator;
    bool behind = false; ///< the clock was behind at the last call, and the log says so

    // Guarded by AddinShmemInitLock, as is the record.
    Floor floor = Floor::kUnknown;

    // What it guards takes a few nanoseconds, never waits and never fails. A spinlock is hardly
    // faster for a client or two, and half as fast for more clients than cores, as its holder may
    // be preempted: see test/bench/primitive.
    LWLock lock;
};

constexpr char kName[] = "ulid";

/// Set by the postmaster, and so inherited, where memory is had only at the server's start.
SharedState *reserved_at_start = nullptr;

void InitSharedState(void *memory) {
    LWLockInitialize(&(new (memory) SharedState)->lock, NewLockTranche(kName));
}

shmem_request_hook_type previous_request_hook = nullptr;
shmem_startup_hook_type previous_startup_hook = nullptr;

void RequestHook() {
    if (previous_request_hook != nullptr)
        previous_request_hook();
    RequestAddinShmemSpace(MAXALIGN(sizeof(SharedState)));
}

void StartupHook() {
    if (previous_startup_hook != nullptr)
        previous_startup_hook();
    LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
    bool found;
    void *const memory = ShmemInitStruct(kName, sizeof(SharedState), &found);
    if (!found)
        InitSharedState(memory);
    reserved_at_start = static_cast<SharedState *>(memory);
    LWLockRelease(AddinShmemInitLock);
}

/// The record: the time up to which ULIDs may have been given, Unix milliseconds in decimal. It is
/// written over in place and handed to the kernel, so that it outlives the server's processes.
constexpr char kRecordPath[] = PGSTAT_STAT_PERMANENT_DIRECTORY "/ulid.stat";
constexpr std::size_t kRecordLength = 16;

/// The server's own records, as milliseconds; 0 where there are none.
struct Record {
    std::int64_t milliseconds = 0;
    bool is_damaged = false;
};

/// Reads the record; false with errno set.
bool ReadRecord(Record &record) {
    const int file = OpenTransientFile(kRecordPath, O_RDONLY | PG_BINARY);
    if (file < 0)
        return errno == ENOENT;
    char text[kRecordLength + 1];
    const ssize_t length = read(file, text, sizeof text);
    const int error = errno;
    CloseTransientFile(file);
    errno = error;
    if (length < 0)
        return false;
    record.is_damaged = length != kRecordLength || text[kRecordLength - 1] != '\n';
    for (std::size_t i = 0; i + 1 < kRecordLength && !record.is_damaged; ++i) {
        record.is_damaged = text[i] < '0' || text[i] > '9';
        record.milliseconds = record.milliseconds * 10 + (text[i] - '0');
    }
    if (record.is_damaged || record.milliseconds >= static_cast<std::int64_t>(kMaxMilliseconds))
        record = {.milliseconds = 0, .is_damaged = true};
    return true;
}

/// Writes the record; false with errno set.
bool WriteRecord(std::int64_t milliseconds) {
    const int file = OpenTransientFile(kRecordPath, O_WRONLY | O_CREAT | PG_BINARY);
    if (file < 0)
        return false;
    char text[kRecordLength + 1];
    snprintf(text, sizeof text, "%015lld\n", static_cast<long long>(milliseconds));
    errno = 0;
    const bool written = pwrite(file, text, kRecordLength, 0) == kRecordLength;
    // Where a short write set none, the disk is full.
    const int error = errno == 0 ? ENOSPC : errno;
    // Only begins to bring it to the disk: nobody waits for that once in every second.
    if (written)
        pg_flush_data(file, 0, kRecordLength);
    CloseTransientFile(file);
    errno = error;
    return written;
}

/// The end of the time in which a replayed transaction can have taken a ULID, by the clock of the
/// server that committed it; 0 where nothing has been replayed. Commits enter the log in an order
/// that is not quite that of their times, and a server just started may be ahead by kSpan.
std::int64_t ReplayedMilliseconds() {
    const TimestampTz time = GetLatestXTime();
    return time == 0 ? 0 : (time - kUnixEpoch) / 1000 + ReservingGenerator::kSpan;
}

/// Lets the order follow what the server has on record from before it was started or promoted.
void RaiseFloor(SharedState *state) {
    Randomness randomness;
    if (!DrawRandomness(randomness))
        ReportNotGenerated(GeneratorStatus::kNoRandomness, 0);
    const bool in_recovery = RecoveryInProgress();

    LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
    Record record;
    bool is_read = true;
    int error = 0;
    if (state->floor == SharedState::Floor::kUnknown ||
        (state->floor == SharedState::Floor::kAtRecovery && !in_recovery)) {
        is_read = ReadRecord(record);
        error = errno;
        if (is_read) {
            const std::int64_t floor = std::max(record.milliseconds, ReplayedMilliseconds());
            LWLockAcquire(&state->lock, LW_EXCLUSIVE);
            if (floor > 0)
                state->generator.Follow(floor, [&](Randomness &drawn) {
                    drawn = randomness;
                    return true;
                });
            LWLockRelease(&state->lock);
            state->floor =
                in_recovery ? SharedState::Floor::kAtRecovery : SharedState::Floor::kFinal;
        }
    }
    LWLockRelease(AddinShmemInitLock);

    if (!is_read) {
        errno = error;
        ereport(ERROR, errcode_for_file_access(),
                errmsg("could not read file \"%s\": %m", kRecordPath));
    }
    if (record.is_damaged)
        ereport(LOG, errmsg("ignoring damaged file \"%s\"", kRecordPath),
                errdetail("If the clock was set back since gen_monotonic_ulid() was last called, "
                          "its order begins anew."));
}

/// The state shared by the server, ready for use. Errors: 55000 where no memory was reserved.
SharedState *Attach() {
    static SharedState *attached = nullptr;
    static bool is_ready = false;
    if (likely(is_ready))
        return attached;

    if (attached == nullptr) {
        auto *const state = kHasNamedSharedMemory
                                ? static_cast<SharedState *>(NamedSharedMemory(
                                      kName, sizeof(SharedState), InitSharedState))
                                : reserved_at_start;
        if (state == nullptr)
            ereport(ERROR, errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                    errmsg("gen_monotonic_ulid() needs shared memory reserved at server start"),
                    errhint("Add ulid to shared_preload_libraries and restart the server."));
        NameLockTranche(state->lock.tranche, kName);
        attached = state;
    }
    RaiseFloor(attached);
    // A standby may yet be promoted.
    is_ready = !RecoveryInProgress();
    return attached;
}

/// Records that ULIDs of the next while may be given, and lets them be given.
void Reserve(SharedState *state, std::int64_t now) {
    LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
    LWLockAcquire(&state->lock, LW_EXCLUSIVE);
    const std::int64_t until = state->generator.ReservationAt(now);
    // Another process may have done it while this one waited.
    const bool is_needed = state->generator.NeedsRenewal(now);
    LWLockRelease(&state->lock);
    const bool is_written = !is_needed || WriteRecord(until);
    const int error = errno;
    if (is_needed && is_written) {
        LWLockAcquire(&state->lock, LW_EXCLUSIVE);
        state->generator.Reserve(until);
        LWLockRelease(&state->lock);
    }
    LWLockRelease(AddinShmemInitLock);

    if (!is_written) {
        errno = error;
        ereport(ERROR, errcode_for_file_access(),
                errmsg("could not write file \"%s\": %m", kRecordPath));
    }
}

/// Tells the operator, once each time the clock falls behind.
void LogClockBehind(std::int64_t now, const Ulid &result) {
    ereport(LOG,
            errmsg("system clock is %lld ms behind the last ULID",
                   static_cast<long long>(static_cast<std::int64_t>(result.Milliseconds()) - now)),
            errdetail("gen_monotonic_ulid() keeps its order: it counts on from that time until the "
                      "clock has caught up."),
            errhint("To begin a new order instead, stop the server and remove the file \"%s\".",
                    kRecordPath));
}

} // namespace

void ulid::RequestSharedMemory() {
    if (kHasNamedSharedMemory || !process_shared_preload_libraries_in_progress)
        return;
    previous_request_hook = shmem_request_hook;
    shmem_request_hook = RequestHook;
    previous_startup_hook = shmem_startup_hook;
    shmem_startup_hook = StartupHook;
}

extern "C" {

/// gen_monotonic_ulid(): greater than every one before it in this server. Errors: 2200H, 22008,
/// 55000 where no memory was reserved, the system's where the record cannot be written.
PG_FUNCTION_INFO_V1(gen_monotonic_ulid);
Datum gen_monotonic_ulid(PG_FUNCTION_ARGS) {
    SharedState *const state = Attach();
    for (;;) {
        Randomness randomness;
        if (unlikely(!DrawRandomness(randomness)))
            ReportNotGenerated(GeneratorStatus::kNoRandomness, 0);
        const std::int64_t now = ReadClock();
        const auto drawn = [&randomness](Randomness &result) {
            result = randomness;
            return true;
        };
        Ulid result{};
        GeneratorStatus status = GeneratorStatus::kGenerated;
        bool must_renew = false, fell_behind = false;

        LWLockAcquire(&state->lock, LW_EXCLUSIVE);
        const bool is_reserved = state->generator.IsReserved(now);
        if (likely(is_reserved)) {
            status = state->generator.Generate(now, drawn, result);
            must_renew = status == GeneratorStatus::kGenerated && state->generator.TakeRenewal(now);
            const bool is_behind = IsClockBehind(now, result);
            fell_behind = is_behind && !state->behind;
            state->behind = is_behind;
        }
        LWLockRelease(&state->lock);

        if (unlikely(!is_reserved || must_renew))
            Reserve(state, now);
        if (unlikely(!is_reserved))
            continue;
        CheckGenerated(status, now);
        if (unlikely(fell_behind))
            LogClockBehind(now, result);
        return CopyUlid(result);
    }
}

} // extern "C"
