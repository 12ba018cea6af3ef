// Every header of PostgreSQL and of the system enters here, with the differences between server
// versions, so that the rest of pg reads as if there were one PostgreSQL.
#pragma once

// How wide off_t is depends on this one, which defines nothing but macros of its own.
#include "pg_config.h"

// The system, the C++ standard library and the core come before the server, whose headers define
// macros under common names.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <iterator>
#include <limits>
#include <new>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

#include "core/base32.hpp"
#include "core/generator.hpp"
#include "core/histogram.hpp"
#include "core/prefix.hpp"
#include "core/time_bound.hpp"
#include "core/ulid.hpp"
#include "core/uuid.hpp"

// The server's headers are C; where C++ warns about what C allows, that is not ours to mend.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wregister"
#pragma GCC diagnostic ignored "-Wignored-attributes"
extern "C" {
#include "postgres.h"

#include "access/genam.h"
#include "access/gist.h"
#include "access/htup_details.h"
#include "access/stratnum.h"
#include "access/sysattr.h"
#include "access/table.h"
#include "catalog/dependency.h"
#include "catalog/partition.h"
#include "catalog/pg_class.h"
#include "catalog/pg_constraint.h"
#include "catalog/pg_depend.h"
#include "catalog/pg_extension.h"
#include "catalog/pg_index.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_language.h"
#include "catalog/pg_operator.h"
#include "catalog/pg_partitioned_table.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_statistic.h"
#include "catalog/pg_type.h"
#include "commands/extension.h"
#include "common/hashfn.h"
#include "executor/executor.h"
#include "fmgr.h"
#include "funcapi.h"
#include "lib/hyperloglog.h"
#include "libpq/pqformat.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "nodes/supportnodes.h"
#include "optimizer/appendinfo.h"
#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "optimizer/plancat.h"
#include "optimizer/restrictinfo.h"
#include "optimizer/planner.h"
#include "pgstat.h"
#include "rewrite/rewriteManip.h"
#include "storage/fd.h"
#include "storage/ipc.h"
#include "storage/latch.h"
#include "storage/lwlock.h"
#include "storage/shmem.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/fmgroids.h"
#include "utils/fmgrprotos.h"
#include "utils/guc.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/multirangetypes.h"
#include "utils/partcache.h"
#include "utils/rangetypes.h"
#include "utils/rel.h"
#include "utils/selfuncs.h"
#include "utils/sortsupport.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"
#include "utils/typcache.h"
#include "utils/wait_event.h"
#if PG_VERSION_NUM >= 170000
#include "storage/dsm_registry.h"
#endif
#if PG_VERSION_NUM >= 180000
#include "access/cmptype.h"
#include "utils/skipsupport.h"
#endif
// 16 moved these out of postgres.h, and 19 no longer includes them by other ways.
#if PG_VERSION_NUM >= 160000
#include "varatt.h"
#endif
}
#pragma GCC diagnostic pop

static_assert(sizeof(off_t) == SIZEOF_OFF_T, "a header came before pg_config.h");

// 16 brought soft errors; before it every error is a hard one.
#if PG_VERSION_NUM < 160000
#define ereturn(context, dummy_value, ...) ereport(ERROR, __VA_ARGS__)
#endif

// 18 brought skip scans of btree indexes.
#if PG_VERSION_NUM >= 180000
#define ULID_HAS_SKIP_SUPPORT
#endif

// 18 brought temporal keys, which ask a GiST operator class which strategy a comparison is.
#if PG_VERSION_NUM >= 180000
#define ULID_HAS_COMPARE_TYPE
#endif

// From 17 on a module can get shared memory by name at any time; 19 added an argument.
inline constexpr bool kHasNamedSharedMemory = PG_VERSION_NUM >= 170000;
#if PG_VERSION_NUM >= 190000
inline void *NamedSharedMemory(const char *name, std::size_t size, void (*init)(void *)) {
    bool found;
    return GetNamedDSMSegment(
        name, size,
        [](void *memory, void *argument) { (*static_cast<void (**)(void *)>(argument))(memory); },
        &found, &init);
}
#elif PG_VERSION_NUM >= 170000
inline void *NamedSharedMemory(const char *name, std::size_t size, void (*init)(void *)) {
    bool found;
    return GetNamedDSMSegment(name, size, init, &found);
}
#else
inline void *NamedSharedMemory(const char *, std::size_t, void (*)(void *)) { return nullptr; }
#endif

// The planner's hook for each relation of a query, before conditions are distributed to them.
#if PG_VERSION_NUM >= 190000
#define planner_relation_hook build_simple_rel_hook
#define PLANNER_RELATION_HOOK_PARAMETERS PlannerInfo *root, RelOptInfo *rel, RangeTblEntry *rte
#define PLANNER_RELATION_HOOK_ARGUMENTS root, rel, rte
#else
#define planner_relation_hook get_relation_info_hook
#define PLANNER_RELATION_HOOK_PARAMETERS PlannerInfo *root, Oid relation, bool inh, RelOptInfo *rel
#define PLANNER_RELATION_HOOK_ARGUMENTS root, relation, inh, rel
#endif
using PlannerRelationHook = decltype(planner_relation_hook);

/// Whether every role may execute a function.
inline bool IsExecutableByPublic(Oid function) {
#if PG_VERSION_NUM >= 160000
    return object_aclcheck(ProcedureRelationId, function, ACL_ID_PUBLIC, ACL_EXECUTE) ==
           ACLCHECK_OK;
#else
    return pg_proc_aclcheck(function, ACL_ID_PUBLIC, ACL_EXECUTE) == ACLCHECK_OK;
#endif
}

// What names a system catalog's cache.
#if PG_VERSION_NUM < 190000
using SysCacheId = int;
#else
using SysCacheId = SysCacheIdentifier;
#endif

// A function to be called when a system catalog's cache is invalidated.
#define SYSCACHE_CALLBACK(name) void name(Datum, SysCacheId, uint32)

/// Whether `walker` finds what it looks for below a node.
inline bool WalkExpression(Node *node, bool (*walker)(Node *, void *), void *context) {
#if PG_VERSION_NUM >= 160000
    return expression_tree_walker(node, walker, context);
#else
    // Declared for C, where empty parentheses are any parameters.
    void *const function = reinterpret_cast<void *>(walker);
    return expression_tree_walker(node, reinterpret_cast<bool (*)()>(function), context);
#endif
}

// Until 18 each process names a tranche of locks for itself; from 19 on it has its name when made.
#if PG_VERSION_NUM >= 190000
inline int NewLockTranche(const char *name) { return LWLockNewTrancheId(name); }
inline void NameLockTranche(int, const char *) {}
#else
inline int NewLockTranche(const char *) { return LWLockNewTrancheId(); }
inline void NameLockTranche(int tranche, const char *name) { LWLockRegisterTranche(tranche, name); }
#endif
