// gen_monotonic_ulid(): one order for the whole server.
#include "pg/generator_inputs.hpp"
#include "pg/module.hpp"

namespace ulid {

namespace {

/// What the server's processes share. A new build of the module may meet that of an older one,
/// which the server was started with: to change a member or its meaning is to change kLayout.
struct SharedState {
    static constexpr int kLayout = 1;

    /// The time up to which the order follows what is on record.
    enum class Floor : std::uint8_t {
        kUnknown,    ///< nothing has been read yet
        kAtRecovery, ///< read in recovery: transactions replayed since then are not in it
        kFinal,
    };

    // What the lock guards, and the lock, in one line of the cache. It takes a few nanoseconds,
    // never waits and never fails. A spinlock is hardly faster for a client or two, and half as
    // fast for more clients than cores, as its holder may be preempted: see test/bench/primitive.
    ReservingGenerator generator;
    Floor floor = Floor::kUnknown; ///< written with the lock of the record held as well
    bool behind = false;           ///< the clock was behind at the last call, and the log says so
    LWLock lock;

    // Held while the record is read or written, and then the other one for a moment.
    LWLock record_lock;
    std::int64_t recorded = 0; ///< what the record says, as far as it has been read or written

    /// CheckpointMilliseconds(), of when the server started.
    std::int64_t checkpoint = 0;
};
static_assert(kMayBeJumpedOver<SharedState>);

constexpr char kName[] = "ulid";

/// The name of the shared memory, which no other layout has.
const char *SharedMemoryName() {
    static char name[32];
    snprintf(name, sizeof name, "ulid %d %zu", SharedState::kLayout, sizeof(SharedState));
    return name;
}

/// Set by the postmaster, and so inherited, where the library is preloaded.
SharedState *reserved_at_start = nullptr;

void InitSharedState(void *memory) {
    SharedState *const state = new (memory) SharedState;
    const int tranche = NewLockTranche(kName);
    LWLockInitialize(&state->lock, tranche);
    LWLockInitialize(&state->record_lock, tranche);
}

/// The record: the time up to which ULIDs may have been given, Unix milliseconds in decimal. It is
/// written over in place and handed to the kernel, so that it outlives the server's processes, and
/// nobody waits for a disk once in every second.
constexpr char kRecordPath[] = PGSTAT_STAT_PERMANENT_DIRECTORY "/ulid.stat";
constexpr std::size_t kRecordLength = 16;

struct Record {
    std::int64_t milliseconds = 0; ///< 0 if there is none
    bool is_damaged = false;
};
static_assert(kMayBeJumpedOver<Record>);

/// Stands where errno would, for a record that is a directory, a link, a FIFO or a device.
constexpr int kNotAFile = -1;

/// Opens the record, and tells how long it is; -1 with `error` set. Whatever is in its place, this
/// does not wait.
int OpenRecord(int flags, off_t &length, int &error) {
    struct stat status;
    length = 0;
    if (lstat(kRecordPath, &status) == 0) {
        length = status.st_size;
        if (!S_ISREG(status.st_mode)) {
            error = kNotAFile;
            return -1;
        }
    }
    const int file = OpenTransientFile(kRecordPath, flags | O_NOFOLLOW | O_NONBLOCK | PG_BINARY);
    error = errno;
    return file;
}

/// Reads the record. Returns 0 or the error.
int ReadRecord(Record &record) {
    off_t file_length;
    int error;
    const int file = OpenRecord(O_RDONLY, file_length, error);
    if (file < 0)
        return error == ENOENT ? 0 : error;
    char text[kRecordLength + 1];
    const ssize_t length = read(file, text, sizeof text);
    error = length < 0 ? errno : 0;
    CloseTransientFile(file);
    if (error != 0)
        return error;
    record.is_damaged = length != kRecordLength || text[kRecordLength - 1] != '\n';
    for (std::size_t i = 0; i + 1 < kRecordLength && !record.is_damaged; ++i) {
        record.is_damaged = text[i] < '0' || text[i] > '9';
        record.milliseconds = record.milliseconds * 10 + (text[i] - '0');
    }
    if (record.is_damaged || record.milliseconds >= static_cast<std::int64_t>(kMaxMilliseconds))
        record = {.milliseconds = 0, .is_damaged = true};
    return 0;
}

/// Writes the record. Returns 0 or the error.
int WriteRecord(std::int64_t milliseconds) {
    off_t file_length;
    int error;
    const int file = OpenRecord(O_WRONLY | O_CREAT, file_length, error);
    if (file < 0)
        return error;
    char text[kRecordLength + 1];
    snprintf(text, sizeof text, "%015lld\n", static_cast<long long>(milliseconds));
    errno = 0;
    const bool is_written =
        (file_length <= static_cast<off_t>(kRecordLength) || ftruncate(file, kRecordLength) == 0) &&
        pwrite(file, text, kRecordLength, 0) == static_cast<ssize_t>(kRecordLength);
    // Where a short write set none, the disk is full.
    error = is_written ? 0 : errno == 0 ? ENOSPC : errno;
    CloseTransientFile(file);
    return error;
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

/// Reports that reading or writing the record failed, whose lock is no longer held.
void CheckRecord(int error, bool is_read, int level = ERROR) {
    if (likely(error == 0))
        return;
    errno = error;
    if (error == kNotAFile)
        ereport(level, errcode(ERRCODE_CONFIG_FILE_ERROR),
                errmsg("\"%s\" is not a regular file", kRecordPath),
                errhint("Remove it: gen_monotonic_ulid() makes a new one."));
    else if (is_read)
        ereport(level, errcode_for_file_access(),
                errmsg("could not read file \"%s\": %m", kRecordPath));
    else
        ereport(level, errcode_for_file_access(),
                errmsg("could not write file \"%s\": %m", kRecordPath));
}

/// A server just started may give ULIDs that are ahead of its clock by kSpan, and what it writes to
/// the log is not quite in the order of its times: so much later than a time in its log may the
/// time of a ULID be that was given by then.
constexpr std::int64_t kLogTolerance = ReservingGenerator::kSpan;

bool IsFile(const char *path) {
    struct stat status;
    return stat(path, &status) == 0;
}

/// Whether the server is being started to recover a backup or as a standby, and then may be
/// promoted.
bool IsRecoveryRequested(const ControlFileData &control) {
    return control.state == DB_SHUTDOWNED_IN_RECOVERY || control.state == DB_IN_ARCHIVE_RECOVERY ||
           IsFile(STANDBY_SIGNAL_FILE) || IsFile(RECOVERY_SIGNAL_FILE);
}

/// The end of the time in which a ULID was given whose transaction was in the log before the
/// checkpoint that recovery begins at; 0 where there is no recovery of another server's log. Asked
/// before the server is up, as its first own checkpoint ends that.
std::int64_t CheckpointMilliseconds() {
    bool is_sound;
    ControlFileData *const control = get_controlfile(DataDir, &is_sound);
    // The checkpoint has its time in whole seconds.
    const std::int64_t result = is_sound && IsRecoveryRequested(*control)
                                    ? (control->checkPointCopy.time + 1) * 1000 + kLogTolerance
                                    : 0;
    pfree(control);
    return result;
}

/// The end of the time in which a ULID was given whose transaction has been replayed, by the clock
/// of the server that committed it; 0 where nothing has been replayed. Final once recovery is over,
/// and forgotten when the server is stopped.
std::int64_t ReplayedMilliseconds(const SharedState *state) {
    const TimestampTz time = GetLatestXTime();
    const std::int64_t replayed = time == 0 ? 0 : (time - kUnixEpoch) / 1000 + kLogTolerance;
    return std::max(replayed, state->checkpoint);
}

/// The same of transactions that are prepared, which ReplayedMilliseconds() does not know of.
std::int64_t PreparedMilliseconds() {
    if (max_prepared_xacts == 0)
        return 0;
    std::int64_t result = 0;
    ExprContext *const context = CreateStandaloneExprContext();
    ReturnSetInfo rows{};
    rows.type = T_ReturnSetInfo;
    rows.econtext = context;
    rows.allowedModes = SFRM_ValuePerCall;
    FmgrInfo function;
    fmgr_info(F_PG_PREPARED_XACT, &function);
    LOCAL_FCINFO(call, 0);
    InitFunctionCallInfoData(*call, &function, 0, InvalidOid, nullptr,
                             reinterpret_cast<Node *>(&rows));
    for (;;) {
        const Datum row = FunctionCallInvoke(call);
        if (rows.isDone != ExprMultipleResult)
            break;
        constexpr AttrNumber kPreparedAt = 3;
        bool is_null;
        const TimestampTz time = DatumGetTimestampTz(
            GetAttributeByNum(DatumGetHeapTupleHeader(row), kPreparedAt, &is_null));
        result = std::max(result, (time - kUnixEpoch) / 1000 + kLogTolerance);
    }
    FreeExprContext(context, true);
    return result;
}

/// Lets the order follow what the server has on record from before it was started or promoted.
/// False where it may yet be promoted.
bool RaiseFloor(SharedState *state) {
    LWLockAcquire(&state->lock, LW_SHARED);
    bool is_final = state->floor == SharedState::Floor::kFinal;
    LWLockRelease(&state->lock);
    if (is_final)
        return true;

    Randomness randomness;
    if (!DrawRandomness(randomness))
        ReportNotGenerated(GeneratorStatus::kNoRandomness, 0);
    // Asked once, and before what was replayed: once recovery is over, that is all of it.
    const bool in_recovery = RecoveryInProgress();
    const std::int64_t prepared = in_recovery ? 0 : PreparedMilliseconds();

    LockRecord(state);
    Record record;
    int error = 0;
    is_final = state->floor == SharedState::Floor::kFinal;
    if (!is_final && (!in_recovery || state->floor == SharedState::Floor::kUnknown)) {
        error = ReadRecord(record);
        if (error == 0) {
            const std::int64_t floor =
                std::max({record.milliseconds, ReplayedMilliseconds(state), prepared});
            state->recorded = record.milliseconds;
            is_final = !in_recovery;
            LWLockAcquire(&state->lock, LW_EXCLUSIVE);
            if (floor > 0)
                state->generator.Follow(floor, [&](Randomness &drawn) {
                    drawn = randomness;
                    return true;
                });
            state->floor = is_final ? SharedState::Floor::kFinal : SharedState::Floor::kAtRecovery;
            LWLockRelease(&state->lock);
        }
    }
    LWLockRelease(&state->record_lock);

    CheckRecord(error, true);
    if (record.is_damaged)
        ereport(LOG, errmsg("ignoring damaged file \"%s\"", kRecordPath),
                errdetail("If the clock was set back since gen_monotonic_ulid() was last called, "
                          "its order begins anew."));
    return is_final;
}

/// The state shared by the server, ready for use. Errors: 55000 where no memory was reserved.
SharedState *Attach() {
    static SharedState *attached = nullptr;
    static bool is_ready = false;
    if (likely(is_ready))
        return attached;

    if (attached == nullptr) {
        SharedState *const state =
            reserved_at_start != nullptr || !kHasNamedSharedMemory
                ? reserved_at_start
                : static_cast<SharedState *>(
                      NamedSharedMemory(SharedMemoryName(), sizeof(SharedState), InitSharedState));
        if (state == nullptr)
            ereport(ERROR, errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                    errmsg("gen_monotonic_ulid() needs shared memory reserved at server start"),
                    errhint("Add ulid to shared_preload_libraries and restart the server."));
        NameLockTranche(state->lock.tranche, kName);
        attached = state;
    }
    is_ready = RaiseFloor(attached);
    return attached;
}

/// Records that ULIDs of the next while may be given, and lets them be given.
void Reserve(SharedState *state, std::int64_t now) {
    LockRecord(state);
    LWLockAcquire(&state->lock, LW_EXCLUSIVE);
    const std::int64_t until = state->generator.ReservationAt(now);
    // Another process may have done it while this one waited.
    const bool is_needed = state->generator.NeedsRenewal(now);
    LWLockRelease(&state->lock);
    int error = 0;
    // What RecordRecovery() wrote is not taken back by a session that was asked before recovery
    // ended.
    if (is_needed && until > state->recorded) {
        error = WriteRecord(until);
        if (error == 0)
            state->recorded = until;
    }
    if (is_needed && error == 0) {
        LWLockAcquire(&state->lock, LW_EXCLUSIVE);
        state->generator.Reserve(until);
        LWLockRelease(&state->lock);
    }
    LWLockRelease(&state->record_lock);
    CheckRecord(error, false);
}

/// Writes down what was replayed, as the server forgets it when it is stopped. Returns 0 or the
/// error of reading or of writing.
int WriteReplayed(SharedState *state, bool &is_read) {
    const std::int64_t replayed = ReplayedMilliseconds(state);
    Record record;
    is_read = true;
    int error = ReadRecord(record);
    if (error == 0)
        state->recorded = std::max(state->recorded, record.milliseconds);
    if (error == 0 && replayed > state->recorded) {
        is_read = false;
        error = WriteRecord(replayed);
        if (error == 0)
            state->recorded = replayed;
    }
    return error;
}

/// Does so as soon as recovery has ended.
void RecordRecovery(SharedState *state) {
    bool is_read;
    LockRecord(state);
    const int error = WriteReplayed(state, is_read);
    LWLockRelease(&state->record_lock);
    CheckRecord(error, is_read);
}

/// Whether the server was stopped in order, and not as a standby.
bool IsShutDown() {
    bool is_sound;
    ControlFileData *const control = get_controlfile(DataDir, &is_sound);
    const bool result = is_sound && control->state == DB_SHUTDOWNED;
    pfree(control);
    return result;
}

/// Does so when the server is stopped, as that may be before a worker could. In the postmaster,
/// once all other processes have ended: nobody has a lock. After a crash somebody may have had one.
void RecordAtStop(int code, Datum) {
    if (code != 0 || IsUnderPostmaster || !IsShutDown())
        return;
    bool is_read;
    const int error = WriteReplayed(reserved_at_start, is_read);
    CheckRecord(error, is_read, LOG);
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
    const std::int64_t checkpoint = CheckpointMilliseconds();
    LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
    bool found;
    void *const memory = ShmemInitStruct(SharedMemoryName(), sizeof(SharedState), &found);
    reserved_at_start = static_cast<SharedState *>(memory);
    if (!found) {
        InitSharedState(memory);
        reserved_at_start->checkpoint = checkpoint;
        if (checkpoint != 0)
            on_shmem_exit(RecordAtStop, 0);
    }
    LWLockRelease(AddinShmemInitLock);
}

/// Has the server run ulid_record_recovery() as soon as it is out of recovery.
void RegisterRecoveryWorker() {
    BackgroundWorker worker{};
    snprintf(worker.bgw_name, BGW_MAXLEN, "ulid recovery recorder");
    snprintf(worker.bgw_type, BGW_MAXLEN, "ulid recovery recorder");
    snprintf(worker.bgw_library_name, sizeof worker.bgw_library_name, "ulid");
    snprintf(worker.bgw_function_name, BGW_MAXLEN, "ulid_record_recovery");
    worker.bgw_flags = BGWORKER_SHMEM_ACCESS;
    worker.bgw_start_time = BgWorkerStart_RecoveryFinished;
    // After an error; and not to be forgotten when a process of the standby crashes.
    worker.bgw_restart_time = 10;
    RegisterBackgroundWorker(&worker);
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
    if (CheckpointMilliseconds() != 0)
        RegisterRecoveryWorker();
}

extern "C" {

/// The main function of the worker that writes down what was replayed.
PGDLLEXPORT void ulid_record_recovery(Datum) {
    pqsignal(SIGTERM, die);
    BackgroundWorkerUnblockSignals();
    RecordRecovery(reserved_at_start);
}

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

} // namespace ulid
