// gen_monotonic_ulid(): one order for a data directory. The server's processes share a generator,
// and a file in the directory, the record, has the time up to which it may have given ULIDs: a
// server that is started begins after that time, or at its clock if that is later. Nothing else is
// asked: doc/guarantees.md says what that means for a copy of the directory.
#include "pg/generator_inputs.hpp"
#include "pg/module.hpp"

namespace ulid {

namespace {

/// What the server's processes share.
struct SharedState {
    // What the lock guards, and the lock, in one line of the cache. It takes a few nanoseconds,
    // never waits and never fails. A spinlock is hardly faster for a client or two, and half as
    // fast for more clients than cores, as its holder may be preempted.
    ReservingGenerator generator;
    bool behind = false; ///< the clock was behind at the last call, and the log says so
    LWLock lock;

    // Held while the record is read or written, and then the other one for a moment.
    LWLock record_lock;
    bool is_followed = false; ///< the record has been read since the server started
    bool is_failing = false;  ///< the record could not be written when last tried
};
static_assert(kMayBeJumpedOver<SharedState>);

/// The name of the shared memory. A new build of the module may meet that of an older one, which
/// the server was started with: to change a member of SharedState or its meaning is to change the
/// number.
constexpr char kSharedMemoryName[] = "ulid 1";
constexpr char kLockName[] = "ulid";

/// Set by the postmaster, and so inherited, where the library is preloaded.
SharedState *reserved_at_start = nullptr;

void InitSharedState(void *memory) {
    SharedState *const state = new (memory) SharedState;
    const int tranche = NewLockTranche(kLockName);
    LWLockInitialize(&state->lock, tranche);
    LWLockInitialize(&state->record_lock, tranche);
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
    void *const memory = ShmemInitStruct(kSharedMemoryName, sizeof(SharedState), &found);
    reserved_at_start = static_cast<SharedState *>(memory);
    if (!found)
        InitSharedState(memory);
    LWLockRelease(AddinShmemInitLock);
}

/// The state that the server's processes share. Errors: 55000 where no memory was reserved.
SharedState *Attach() {
    static SharedState *attached = nullptr;
    if (likely(attached != nullptr))
        return attached;
    SharedState *const state = reserved_at_start != nullptr || !kHasNamedSharedMemory
                                   ? reserved_at_start
                                   : static_cast<SharedState *>(NamedSharedMemory(
                                         kSharedMemoryName, sizeof(SharedState), InitSharedState));
    if (state == nullptr)
        ereport(ERROR, errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                errmsg("gen_monotonic_ulid() needs shared memory reserved at server start"),
                errhint("Add ulid to shared_preload_libraries and restart the server."));
    NameLockTranche(state->lock.tranche, kLockName);
    return attached = state;
}

/// The record: Unix milliseconds in decimal. It is written over in place and handed to the kernel,
/// so that it outlives the server's processes, and nobody waits for a disk twice in every second.
constexpr char kRecordPath[] = PGSTAT_STAT_PERMANENT_DIRECTORY "/ulid.stat";
constexpr std::size_t kRecordLength = 16;
constexpr std::int64_t kNothingRecorded = -1;

// They stand where errno would.
constexpr int kNotAFile = -1;   ///< a directory, a link, a FIFO or a device
constexpr int kNoTimeLeft = -2; ///< ULIDs may have been given up to the last time that there is

/// Opens the record; -1 with `error` set. Never blocks, also on a FIFO in its place.
int OpenRecord(int flags, int &error) {
    struct stat status;
    if (lstat(kRecordPath, &status) == 0 && !S_ISREG(status.st_mode)) {
        error = kNotAFile;
        return -1;
    }
    const int file = BasicOpenFile(kRecordPath, flags | O_NOFOLLOW | O_NONBLOCK | PG_BINARY);
    error = errno;
    return file;
}

/// The time that a record's text has; kNothingRecorded if it is damaged.
std::int64_t RecordedTime(std::string_view text) {
    std::int64_t milliseconds = 0;
    for (const char digit : text.substr(0, kRecordLength - 1)) {
        if (digit < '0' || digit > '9')
            return kNothingRecorded;
        milliseconds = milliseconds * 10 + (digit - '0');
    }
    const bool is_whole = text.size() == kRecordLength && text.back() == '\n';
    return is_whole && milliseconds <= static_cast<std::int64_t>(kMaxMilliseconds)
               ? milliseconds
               : kNothingRecorded;
}

/// Reads the record; kNothingRecorded if there is none, or one that is damaged. Returns 0 or the
/// error.
int ReadRecord(std::int64_t &milliseconds) {
    milliseconds = kNothingRecorded;
    int error;
    const int file = OpenRecord(O_RDONLY, error);
    if (file < 0)
        return error == ENOENT ? 0 : error;
    char text[kRecordLength];
    const ssize_t length = read(file, text, sizeof text);
    error = errno;
    close(file);
    if (length < 0)
        return error;
    milliseconds = RecordedTime({text, static_cast<std::size_t>(length)});
    if (milliseconds == kNothingRecorded)
        // Not to the client, who could be slow to read it: the lock of the record is held.
        ereport(LOG_SERVER_ONLY, errmsg("ignoring damaged file \"%s\"", kRecordPath),
                errdetail("If the clock was set back since gen_monotonic_ulid() was last called, "
                          "its order begins anew."));
    return 0;
}

/// Writes the record. Returns 0 or the error.
int WriteRecord(std::int64_t milliseconds) {
    int error;
    const int file = OpenRecord(O_WRONLY | O_CREAT, error);
    if (file < 0)
        return error;
    char text[kRecordLength + 1];
    snprintf(text, sizeof text, "%015lld\n", static_cast<long long>(milliseconds));
    errno = 0;
    const bool is_written =
        pwrite(file, text, kRecordLength, 0) == static_cast<ssize_t>(kRecordLength);
    // Where a short write set none, the disk is full.
    error = is_written ? 0 : errno == 0 ? ENOSPC : errno;
    close(file);
    return error;
}

/// Reports that reading or writing the record failed, whose lock is no longer held.
void ReportRecord(int error, int level) {
    errno = error;
    if (error == kNotAFile)
        ereport(level, errcode(ERRCODE_CONFIG_FILE_ERROR),
                errmsg("\"%s\" is not a regular file", kRecordPath),
                errhint("Remove it: gen_monotonic_ulid() makes a new one."));
    else if (error == kNoTimeLeft)
        ereport(level, errcode(ERRCODE_SEQUENCE_GENERATOR_LIMIT_EXCEEDED),
                errmsg("no ULID is left after the time in file \"%s\"", kRecordPath),
                errhint("To begin a new order, correct the clock and remove the file."));
    else
        ereport(level, errcode_for_file_access(),
                errmsg("could not access file \"%s\": %m", kRecordPath));
}

/// Takes the lock of the record. Its holder may wait for a disk; unlike in LWLockAcquire(), who
/// waits for the holder can be cancelled, terminated and timed out.
void LockRecord(SharedState *state) {
    while (!LWLockConditionalAcquire(&state->record_lock, LW_EXCLUSIVE)) {
        constexpr long kMillisecondsBetweenAttempts = 10;
        WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH,
                  kMillisecondsBetweenAttempts, PG_WAIT_EXTENSION);
        ResetLatch(MyLatch);
        CHECK_FOR_INTERRUPTS();
    }
}

/// Once after the server has started: makes every ULID later than what is on record. The lock of
/// the record is held, and nothing has been reserved. Returns 0 or the error.
int FollowRecord(SharedState *state, const Randomness &randomness) {
    if (state->is_followed)
        return 0;
    std::int64_t recorded;
    if (const int error = ReadRecord(recorded); error != 0)
        return error;
    if (recorded == static_cast<std::int64_t>(kMaxMilliseconds))
        return kNoTimeLeft;
    if (recorded != kNothingRecorded) {
        LWLockAcquire(&state->lock, LW_EXCLUSIVE);
        state->generator.Follow(recorded, [&](Randomness &drawn) {
            drawn = randomness;
            return true;
        });
        LWLockRelease(&state->lock);
    }
    state->is_followed = true;
    return 0;
}

/// Records that ULIDs of the next while may be given, and lets them be given. Releases the lock of
/// the record. A failure is reported at that level; one that is not an error, when it is the first.
void Reserve(SharedState *state, std::int64_t now, const Randomness &randomness, int level) {
    int error = FollowRecord(state, randomness);
    LWLockAcquire(&state->lock, LW_SHARED);
    const std::int64_t until = state->generator.ReservationAt(now);
    // Another process may have done it while this one waited.
    const bool is_needed = state->generator.NeedsRenewal(now);
    LWLockRelease(&state->lock);
    if (error == 0 && is_needed) {
        // Another build of the module, with a generator of its own, may have recorded a later time.
        std::int64_t recorded;
        error = ReadRecord(recorded);
        if (error == 0)
            error = WriteRecord(std::max(until, recorded));
        if (error == 0) {
            LWLockAcquire(&state->lock, LW_EXCLUSIVE);
            state->generator.Reserve(until);
            LWLockRelease(&state->lock);
        }
    }
    const bool is_known = state->is_failing && level < ERROR;
    // An error that is raised need not reach the log.
    state->is_failing = error != 0 && (level < ERROR || state->is_failing);
    LWLockRelease(&state->record_lock);
    if (unlikely(error != 0 && !is_known))
        ReportRecord(error, level);
}

/// Tells the operator, once each time the clock falls behind.
void LogClockBehind(std::int64_t now, const Ulid &result) {
    ereport(LOG,
            errmsg("system clock is %lld ms behind the last ULID",
                   static_cast<long long>(static_cast<std::int64_t>(result.Milliseconds()) - now)),
            errdetail("gen_monotonic_ulid() keeps its order: it counts up from that time until the "
                      "clock has caught up."),
            errhint("To begin a new order instead, stop the server and remove the file \"%s\".",
                    kRecordPath));
}

} // namespace

void RequestSharedMemory() {
    if (!process_shared_preload_libraries_in_progress)
        return;
    previous_request_hook = shmem_request_hook;
    shmem_request_hook = RequestHook;
    previous_startup_hook = shmem_startup_hook;
    shmem_startup_hook = StartupHook;
}

extern "C" {

/// gen_monotonic_ulid(): greater than every one before it in this data directory. Errors: 2200H,
/// 22008, 55000 where no memory was reserved, the system's where the record cannot be written.
PG_FUNCTION_INFO_V1(gen_monotonic_ulid);
Datum gen_monotonic_ulid(PG_FUNCTION_ARGS) {
    SharedState *const state = Attach();
    std::int64_t latest = std::numeric_limits<std::int64_t>::max();
    for (;;) {
        Randomness randomness;
        if (unlikely(!DrawRandomness(randomness)))
            ReportNotGenerated(GeneratorStatus::kNoRandomness, 0);
        const std::int64_t now = std::min(ReadClock(), latest);
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
            must_renew = state->generator.NeedsRenewal(now);
            const bool is_behind = IsClockBehind(now, result);
            fell_behind = is_behind && !state->behind;
            state->behind = is_behind;
        }
        LWLockRelease(&state->lock);

        if (unlikely(!is_reserved)) {
            CHECK_FOR_INTERRUPTS();
            LockRecord(state);
            Reserve(state, now, randomness, ERROR);
            // However long that took, a time that is reserved is taken.
            latest = now + ReservingGenerator::kSpan / 2;
            continue;
        }
        CheckGenerated(status, now);
        // One process renews the reservation in time, and the others go on. If it cannot, this call
        // has its ULID nevertheless, and the next call tries again.
        if (unlikely(must_renew) && LWLockConditionalAcquire(&state->record_lock, LW_EXCLUSIVE))
            Reserve(state, now, randomness, LOG);
        if (unlikely(fell_behind))
            LogClockBehind(now, result);
        return CopyUlid(result);
    }
}

} // extern "C"

} // namespace ulid
