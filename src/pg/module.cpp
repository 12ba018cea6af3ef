// The loadable module.
#include "pg/postgres.hpp"

namespace ulid {

void InstallSharedMemoryHooks();

} // namespace ulid

extern "C" {

#ifdef PG_MODULE_MAGIC_EXT
PG_MODULE_MAGIC_EXT(.name = "ulid", .version = ULID_VERSION);
#else
PG_MODULE_MAGIC;
#endif

/// Runs when the module is loaded: at server start if it is in shared_preload_libraries.
PGDLLEXPORT void _PG_init() { ulid::InstallSharedMemoryHooks(); }

} // extern "C"
