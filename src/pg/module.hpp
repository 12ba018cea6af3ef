// What _PG_init calls when the module is loaded.
#pragma once

namespace ulid {

/// Where the library is preloaded: asks for shared memory, and to be told when recovery has ended.
void RequestSharedMemory();

/// Defines ulid.rewrite_time_casts and installs the planner's hooks, those that it switches and
/// the one for each relation.
void InstallPlannerHooks();

/// Installs the planner's hook by which it has statistics of the times of ulids.
void InstallTimeStatistics();

} // namespace ulid
