<?php
namespace PgUlid\Eloquent;

use Illuminate\Contracts\Database\Eloquent\CastsAttributes;

/** A cast that converts keys to the server's spelling, because Eloquent compares keys as strings. */
class ServerUlid implements CastsAttributes
{
    private const FORMS = '/^(?:[0-7ILO][0-9A-TV-Z]{25}|({)?(?:[0-9A-F]{4}-?){7}[0-9A-F]{4}(?(1)}))$/iD';

    /** Whether it is a ULID in any spelling, or a UUID. */
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
