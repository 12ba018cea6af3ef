<?php
namespace PgUlid\Eloquent;

use Illuminate\Database\Eloquent\Relations\BelongsToMany;

/** sync() compares keys as strings: another spelling would detach a row and attach it without its pivot's columns. */
class UlidsToMany extends BelongsToMany
{
    protected function formatRecordsList(array $records)
    {
        $list = parent::formatRecordsList($records);
        return array_combine(array_map([ServerUlid::class, 'spell'], array_keys($list)), $list);
    }
}
