// The loadable module.
#include "pg/postgres.hpp"

#include "pg/monotonic.hpp"

extern "C" {

PG_MODULE_MAGIC_EXT(.name = "ulid", .version = ULID_VERSION);

/// Runs when the module is loaded: at server start if it is in shared_preload_libraries.
PGDLLEXPORT void _PG_init() { ulid::InstallSharedMemoryHooks(); }

} // extern "C"
