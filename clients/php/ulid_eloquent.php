<?php
// Columns, casts and route binding for ulid in Eloquent. Ids are strings in the server's spelling.

use Illuminate\Contracts\Database\Eloquent\CastsAttributes;
use Illuminate\Database\Eloquent\Builder;
use Illuminate\Database\Eloquent\Model;
use Illuminate\Database\Eloquent\Relations\BelongsToMany;
use Illuminate\Database\Schema\Blueprint;
use Illuminate\Database\Schema\Grammars\PostgresGrammar;

// Laravel's own Blueprint::ulid() makes a char(26).
PostgresGrammar::macro('typeServerUlid', fn($column) => 'ulid');
PostgresGrammar::macro('typeServerUlids', fn($column) => 'ulid[]');
Blueprint::macro('serverUlid', function (string $name) {
    return $this->addColumn('serverUlid', $name);
});
Blueprint::macro('serverUlids', function (string $name) {
    return $this->addColumn('serverUlids', $name);
});

// A cast that converts keys to the server's spelling, because Eloquent compares keys as strings.
class ServerUlid implements CastsAttributes
{
    private const FORMS = '/^(?:[0-7ILO][0-9A-TV-Z]{25}|({)?(?:[0-9A-F]{4}-?){7}[0-9A-F]{4}(?(1)}))$/iD';

    // A ULID in any spelling, or a UUID.
    public static function is($value): bool
    {
        return is_string($value) && preg_match(self::FORMS, $value);
    }

    public static function spell($value)
    {
        if (!self::is($value)) {
            return $value;
        }
        if (strlen($value) === 26) {
            return strtr(strtoupper($value), 'ILO', '110');
        }
        $bits = '00';
        foreach (str_split(strtr($value, ['{' => '', '-' => '', '}' => ''])) as $digit) {
            $bits .= sprintf('%04b', hexdec($digit));
        }
        $digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
        return implode('', array_map(fn($five) => $digits[bindec($five)], str_split($bits, 5)));
    }

    public function get($model, string $key, $value, array $attributes)
    {
        return $value;
    }

    public function set($model, string $key, $value, array $attributes)
    {
        return self::spell($value);
    }
}

class UlidArray implements CastsAttributes
{
    public function get($model, string $key, $value, array $attributes)
    {
        return $value === null ? null : array_map(fn($id) => $id === 'NULL' ? null : $id,
            preg_split('/[{},]/', $value, -1, PREG_SPLIT_NO_EMPTY));
    }

    public function set($model, string $key, $value, array $attributes)
    {
        return $value === null ? null
            : '{' . implode(',', array_map(fn($id) => $id === null ? 'NULL' : ServerUlid::spell($id), $value)) . '}';
    }
}

// A path accepts a ULID or a UUID. Anything else gets a 404.
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

// sync() compares keys as strings: another spelling would detach a row and attach it without its pivot's columns.
class UlidsToMany extends BelongsToMany
{
    protected function formatRecordsList(array $records)
    {
        $list = parent::formatRecordsList($records);
        return array_combine(array_map([ServerUlid::class, 'spell'], array_keys($list)), $list);
    }
}
