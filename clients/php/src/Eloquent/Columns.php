<?php
namespace PgUlid\Eloquent;

use Illuminate\Database\Schema\Blueprint;
use Illuminate\Database\Schema\Grammars\PostgresGrammar;

/** The columns serverUlid and serverUlids of migrations. Laravel's own Blueprint::ulid() makes a char(26). */
final class Columns
{
    public static function register(): void
    {
        foreach (['serverUlid' => 'ulid', 'serverUlids' => 'ulid[]'] as $column => $type) {
            PostgresGrammar::macro('type' . ucfirst($column), fn() => $type);
            Blueprint::macro($column, function (string $name) use ($column) {
                return $this->addColumn($column, $name);
            });
        }
    }
}
