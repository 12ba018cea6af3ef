// What _PG_init calls when the module is loaded.
#pragma once

namespace ulid {

/// Where the library is preloaded: asks for shared memory, and to be told when recovery has ended.
void RequestSharedMemory();

/// Defines ulid.rewrite_time_casts and installs the planner's hook that it switches.
void InstallTimeCastRewriter();

/// Installs the planner's hook by which it has statistics of the times of ulids.
void InstallTimeStatistics();

/// Installs the planner's hook by which an index of ulid_uuid_ops gives the order of ulids.
void InstallIndexOrder();

} // namespace ulid
