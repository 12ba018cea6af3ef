// What a session keeps of the system catalogs until they change.
#pragma once

#include "pg/postgres.hpp"

namespace ulid {

/// Entries read out of the catalogs. They are published when all of them have been read: an error
/// in between leaves the cache out of date, and a change in between has it read again the next
/// time.
template <typename Entry> class CatalogCache {
  public:
    /// To be called by the server's invalidation callbacks.
    void Forget() {
        is_current_ = false;
        ++changes_;
    }

    /// The entries; if they are out of date, those that `read(cache)` adds. Valid until the next
    /// call.
    template <typename Read> std::span<const Entry> Get(const Read &read) {
        if (unlikely(!is_current_)) {
            const unsigned changes_before = changes_;
            // Freed with the transaction if reading fails.
            reading_ = {AllocSetContextCreateInternal(CurrentMemoryContext, "ulid catalog cache",
                                                      ALLOCSET_SMALL_SIZES),
                        nullptr, 0, 0};
            read(*this);
            if (current_.context)
                MemoryContextDelete(current_.context);
            MemoryContextSetParent(reading_.context, CacheMemoryContext);
            current_ = reading_;
            is_current_ = changes_ == changes_before;
        }
        return {current_.entries, current_.count};
    }

    /// For `read` alone.
    void Add(const Entry &entry) {
        if (reading_.count == reading_.capacity) {
            reading_.capacity = Max(2 * reading_.capacity, std::size_t{32});
            const std::size_t size = reading_.capacity * sizeof(Entry);
            reading_.entries =
                static_cast<Entry *>(reading_.entries ? repalloc(reading_.entries, size)
                                                      : MemoryContextAlloc(reading_.context, size));
        }
        reading_.entries[reading_.count++] = entry;
    }

    /// For `read` alone: what it has added.
    std::span<const Entry> Added() const { return {reading_.entries, reading_.count}; }

  private:
    struct Content {
        MemoryContext context;
        Entry *entries;
        std::size_t count, capacity;
    };
    static_assert(kMayBeJumpedOver<Content>);

    Content current_{}, reading_{};
    bool is_current_ = false;
    unsigned changes_ = 0;
};
static_assert(kMayBeJumpedOver<CatalogCache<Oid>>);

/// Calls `visit(dependent)` for what the catalog says depends on an object.
template <typename Visit> void VisitDependents(Oid catalog, Oid object, const Visit &visit) {
    const Relation dependencies = table_open(DependRelationId, AccessShareLock);
    ScanKeyData keys[2];
    ScanKeyInit(&keys[0], Anum_pg_depend_refclassid, BTEqualStrategyNumber, F_OIDEQ,
                ObjectIdGetDatum(catalog));
    ScanKeyInit(&keys[1], Anum_pg_depend_refobjid, BTEqualStrategyNumber, F_OIDEQ,
                ObjectIdGetDatum(object));
    const SysScanDesc scan =
        systable_beginscan(dependencies, DependReferenceIndexId, true, nullptr, 2, keys);
    while (const HeapTuple tuple = systable_getnext(scan))
        visit(*reinterpret_cast<Form_pg_depend>(GETSTRUCT(tuple)));
    systable_endscan(scan);
    table_close(dependencies, AccessShareLock);
}

} // namespace ulid
