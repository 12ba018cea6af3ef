<?php
namespace PgUlid\Eloquent;

use Illuminate\Database\Eloquent\Builder;
use Illuminate\Database\Eloquent\Model;

/** A path accepts a ULID or a UUID. Anything else gets a 404. */
trait BindsUlids
{
    public function resolveRouteBindingQuery($query, $value, $field = null)
    {
        $column = $field ?? $this->getRouteKeyName();
        $valid = $column !== $this->getKeyName() || ServerUlid::is($value);
        return $valid ? $query->where($column, $value) : $query->whereRaw('false');
    }

    public function resolveRouteBinding($value, $field = null)
    {
        return $this->resolveRouteBindingQuery($this, $value, $field)->first();
    }

    protected function newBelongsToMany(Builder $query, Model $parent, ...$names)
    {
        return new UlidsToMany($query, $parent, ...$names);
    }
}
