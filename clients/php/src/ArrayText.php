<?php
namespace PgUlid;

use UnexpectedValueException;

/** The text of a ulid[], such as {01HWT0D7G004HMASW9NF6YY081,NULL}. */
final class ArrayText
{
    /** Quoted, so that the server sees each element as it is. */
    public static function encode(array $ids): string
    {
        return '{' . implode(',', array_map(
            fn($id) => $id === null ? 'NULL' : '"' . addcslashes($id, '"\\') . '"', $ids)) . '}';
    }

    public static function decode(string $text): array
    {
        if (!preg_match('/^(?:\[-?\d+:-?\d+\]=)?\{((?!\{).*)\}$/sD', $text, $match)) {
            throw new UnexpectedValueException("not an array of one dimension: $text");
        }
        preg_match_all('/"((?:[^"\\\\]|\\\\.)*)"|[^,]+/s', $match[1], $ids, PREG_SET_ORDER);
        return array_map(fn($id) => isset($id[1]) ? preg_replace('/\\\\(.)/s', '$1', $id[1])
            : ($id[0] === 'NULL' ? null : $id[0]), $ids);
    }
}
