// What _PG_init calls when the module is loaded.
#pragma once

namespace ulid {

/// On servers that give shared memory only at their start, asks for it there.
void RequestSharedMemory();

/// Defines ulid.rewrite_time_casts and installs the planner's hook that it switches.
void InstallTimeCastRewriter();

} // namespace ulid
