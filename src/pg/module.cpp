// The loadable module.
#include "pg/module.hpp"
#include "pg/postgres.hpp"

extern "C" {

#ifdef PG_MODULE_MAGIC_EXT
PG_MODULE_MAGIC_EXT(.name = "ulid", .version = ULID_VERSION);
#else
PG_MODULE_MAGIC;
#endif

/// Runs when the module is loaded: with the server where it is in shared_preload_libraries.
PGDLLEXPORT void _PG_init() {
    ulid::RequestSharedMemory();
    ulid::InstallPlannerHook();
    MarkGUCPrefixReserved("ulid");
}

} // extern "C"
