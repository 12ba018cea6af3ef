// What the module does for gen_monotonic_ulid() when it is loaded.
#pragma once

namespace ulid {

/// Reserves shared memory if the server is starting, and cannot give it later.
void InstallSharedMemoryHooks();

} // namespace ulid
