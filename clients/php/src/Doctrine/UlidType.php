<?php
namespace PgUlid\Doctrine;

use DateTimeInterface;
use Doctrine\DBAL\Platforms\AbstractPlatform;
use Doctrine\DBAL\Types\Type;
use InvalidArgumentException;
use Symfony\Component\Uid\AbstractUid;
use Symfony\Component\Uid\Ulid;

/** The type ulid. Values are Symfony Ulids. */
class UlidType extends Type
{
    protected const NAME = 'ulid';
    protected const MAPPED = 'ulid';

    public static function register(): void
    {
        foreach (['ulid' => self::class, 'ulid[]' => UlidArrayType::class] as $name => $class) {
            Type::hasType($name) ? Type::overrideType($name, $class) : Type::addType($name, $class);
        }
    }

    public function getName(): string
    {
        return static::NAME;
    }

    public function getSQLDeclaration(array $column, AbstractPlatform $platform): string
    {
        return static::NAME;
    }

    public function getMappedDatabaseTypes(AbstractPlatform $platform): array
    {
        return [static::MAPPED];
    }

    public function convertToPHPValue($value, AbstractPlatform $platform): mixed
    {
        return $value === null ? null : Ulid::fromString($value);
    }

    public function convertToDatabaseValue($value, AbstractPlatform $platform): mixed
    {
        if ($value instanceof DateTimeInterface) {
            return self::lowerBound($value);
        }
        return $value === null ? null : self::parse($value)->toBase32();
    }

    /** A time in a condition becomes the first ULID of its millisecond, and saturates as ulid_lower_bound() does. */
    private static function lowerBound(DateTimeInterface $time): string
    {
        $milliseconds = 1000 * $time->getTimestamp() + intdiv((int) $time->format('u'), 1000);
        if ($milliseconds >= 1 << 48) {
            return str_pad('7', 26, 'Z');
        }
        $milliseconds = max($milliseconds, 0);
        return Ulid::fromRfc4122(sprintf('%08x-%04x-0000-0000-000000000000',
            $milliseconds >> 16, $milliseconds & 0xFFFF))->toBase32();
    }

    /** Ulid::fromString() also reads 16 bytes and Base58. */
    private static function parse($value): Ulid
    {
        if ($value instanceof AbstractUid) {
            return $value instanceof Ulid ? $value : Ulid::fromString($value->toRfc4122());
        }
        if (!Ulid::isValid($value) && !preg_match('/^[0-9a-f]{8}(-[0-9a-f]{4}){4}[0-9a-f]{8}$/iD', $value)) {
            throw new InvalidArgumentException("Invalid ULID: \"$value\".");
        }
        return Ulid::fromString($value);
    }
}
