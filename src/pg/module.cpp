// The loadable module.
#include "pg/postgres.hpp"

extern "C" {
#include "utils/guc.h"
}

namespace ulid {

void InstallSharedMemoryHooks();
void InstallPlannerHook();

} // namespace ulid

extern "C" {

#ifdef PG_MODULE_MAGIC_EXT
PG_MODULE_MAGIC_EXT(.name = "ulid", .version = ULID_VERSION);
#else
PG_MODULE_MAGIC;
#endif

/// Runs when the module is loaded: at server start if it is in shared_preload_libraries.
PGDLLEXPORT void _PG_init() {
    ulid::InstallSharedMemoryHooks();
    ulid::InstallPlannerHook();
    MarkGUCPrefixReserved("ulid");
}

} // extern "C"
