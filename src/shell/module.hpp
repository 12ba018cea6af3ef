// What _PG_init calls when the module is loaded.
#pragma once

namespace ulid {

/// Defines ulid.rewrite_time_casts and installs the planner's hook that it switches.
void InstallTimeCastRewriter();

} // namespace ulid
