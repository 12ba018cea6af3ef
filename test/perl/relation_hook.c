/*
 * Another extension with a hook where ours has one. It counts its calls in the setting
 * relation_hook.calls, and calls the hook that was there before it, as hooks should.
 */
#include "postgres.h"

#include "fmgr.h"
#include "optimizer/pathnode.h"
#include "optimizer/plancat.h"
#include "utils/guc.h"

PG_MODULE_MAGIC;

static int	calls = 0;

#if PG_VERSION_NUM >= 190000
static build_simple_rel_hook_type previous;

static void
count(PlannerInfo *root, RelOptInfo *rel, RangeTblEntry *rte)
{
	if (previous)
		previous(root, rel, rte);
	calls++;
}

#define relation_hook build_simple_rel_hook
#else
static get_relation_info_hook_type previous;

static void
count(PlannerInfo *root, Oid relation, bool inhparent, RelOptInfo *rel)
{
	if (previous)
		previous(root, relation, inhparent, rel);
	calls++;
}

#define relation_hook get_relation_info_hook
#endif

PGDLLEXPORT void _PG_init(void);

void
_PG_init(void)
{
	DefineCustomIntVariable("relation_hook.calls", "calls", NULL, &calls,
							0, 0, 1000000, PGC_USERSET, 0, NULL, NULL, NULL);
	previous = relation_hook;
	relation_hook = count;
}
