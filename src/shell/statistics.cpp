// ANALYZE of a ulid column.
//
// Within one bin of a histogram the server can interpolate only types of its own (convert_to_scalar
// in selfuncs.c); for any other it guesses one half. So a range of times is estimated no better
// than to a bin, and the bins are made finer.
#include "shell/datum.hpp"

namespace {

constexpr int kFineness = 10;
constexpr int kMaxTarget = 10000; // MAX_STATISTICS_TARGET of 17+

/// What the server's ANALYZE keeps, and the statistics target that was asked for.
struct Analysis {
    void *extra_data;
    AnalyzeAttrComputeStatsFunc compute_stats;
    int target;
};

bool HasMostCommonValues(const VacAttrStats &stats) {
    for (int i = 0; i < STATISTIC_NUM_SLOTS; ++i)
        if (stats.stakind[i] == STATISTIC_KIND_MCV)
            return true;
    return false;
}

void ForgetSlots(VacAttrStats &stats) {
    for (int i = 0; i < STATISTIC_NUM_SLOTS; ++i) {
        stats.stakind[i] = 0;
        stats.staop[i] = stats.stacoll[i] = InvalidOid;
        stats.numnumbers[i] = stats.numvalues[i] = 0;
        stats.stanumbers[i] = nullptr;
        stats.stavalues[i] = nullptr;
    }
    stats.stats_valid = false;
}

/// Computes a fine histogram; but the ordinary statistics where values repeat, for the time that
/// the planner takes to join on most common values grows with the square of their number.
void ComputeStats(VacAttrStats *stats, AnalyzeAttrFetchFunc fetch, int sample_rows,
                  double total_rows) {
    auto *const analysis = static_cast<Analysis *>(stats->extra_data);
    stats->extra_data = analysis->extra_data;
    StatisticsTarget(*stats) = Min(analysis->target * kFineness, kMaxTarget);
    analysis->compute_stats(stats, fetch, sample_rows, total_rows);
    if (HasMostCommonValues(*stats)) {
        ForgetSlots(*stats);
        StatisticsTarget(*stats) = analysis->target;
        analysis->compute_stats(stats, fetch, sample_rows, total_rows);
    }
    StatisticsTarget(*stats) = analysis->target;
    stats->extra_data = analysis;
}

} // namespace

extern "C" {

/// ulid_typanalyze(internal): the server's analysis with a finer histogram.
PG_FUNCTION_INFO_V1(ulid_typanalyze);
Datum ulid_typanalyze(PG_FUNCTION_ARGS) {
    auto *const stats = reinterpret_cast<VacAttrStats *>(PG_GETARG_POINTER(0));
    if (!std_typanalyze(stats))
        PG_RETURN_BOOL(false);
    auto *const analysis = static_cast<Analysis *>(palloc(sizeof(Analysis)));
    *analysis = {stats->extra_data, stats->compute_stats, StatisticsTarget(*stats)};
    stats->extra_data = analysis;
    stats->compute_stats = ComputeStats;
    PG_RETURN_BOOL(true);
}

} // extern "C"
