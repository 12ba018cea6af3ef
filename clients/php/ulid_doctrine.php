<?php
// The types ulid and ulid[] for Doctrine, and a generator of ids. Values are Symfony Ulids.

use Doctrine\DBAL\Platforms\AbstractPlatform;
use Doctrine\DBAL\Types\Type;
use Doctrine\ORM\EntityManagerInterface;
use Doctrine\ORM\Id\AbstractIdGenerator;
use Symfony\Component\Uid\AbstractUid;
use Symfony\Component\Uid\Ulid;

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

    // A time in a condition becomes the first ULID of its millisecond.
    public function convertToDatabaseValue($value, AbstractPlatform $platform): mixed
    {
        if ($value instanceof DateTimeInterface) {
            $milliseconds = 1000 * $value->getTimestamp() + intdiv((int) $value->format('u'), 1000);
            return Ulid::fromRfc4122(sprintf('%08x-%04x-0000-0000-000000000000',
                $milliseconds >> 16, $milliseconds & 0xFFFF))->toBase32();
        }
        return $value === null ? null : self::parse($value)->toBase32();
    }

    // Ulid::fromString() also reads 16 bytes and Base58.
    protected static function parse($value): Ulid
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

class UlidArrayType extends UlidType
{
    protected const NAME = 'ulid[]';
    protected const MAPPED = '_ulid';

    public function convertToPHPValue($value, AbstractPlatform $platform): mixed
    {
        return $value === null ? null : array_map(fn($ulid) => $ulid === 'NULL' ? null : Ulid::fromString($ulid),
            preg_split('/[{},]/', $value, -1, PREG_SPLIT_NO_EMPTY));
    }

    public function convertToDatabaseValue($value, AbstractPlatform $platform): mixed
    {
        $items = array_map(fn($ulid) => parent::convertToDatabaseValue($ulid, $platform) ?? 'NULL', $value ?? []);
        return $value === null ? null : '{' . implode(',', $items) . '}';
    }
}

// Doctrine needs the id before the insert, so this asks the server for one. An object that has an id keeps it.
class ServerUlidGenerator extends AbstractIdGenerator
{
    public function generateId(EntityManagerInterface $em, $entity): mixed
    {
        $given = $em->getClassMetadata($entity::class)->getIdentifierValues($entity);
        return $given ? reset($given) : Ulid::fromString($em->getConnection()->fetchOne('SELECT gen_ulid()'));
    }
}
