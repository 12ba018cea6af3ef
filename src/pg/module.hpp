// What _PG_init calls when the module is loaded.
#pragma once

namespace ulid {

/// Where the library is preloaded: asks for shared memory.
void RequestSharedMemory();

/// Defines ulid.rewrite_time_casts and installs the planner's hook for each relation.
void InstallPlannerHook();

} // namespace ulid
