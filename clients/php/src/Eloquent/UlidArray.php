<?php
namespace PgUlid\Eloquent;

use Illuminate\Contracts\Database\Eloquent\CastsAttributes;
use PgUlid\ArrayText;

/** A cast for ulid[]: a list of strings and nulls. */
class UlidArray implements CastsAttributes
{
    public function get($model, string $key, $value, array $attributes)
    {
        return $value === null ? null : ArrayText::decode($value);
    }

    public function set($model, string $key, $value, array $attributes)
    {
        return $value === null ? null : ArrayText::encode(array_map([ServerUlid::class, 'spell'], $value));
    }
}
