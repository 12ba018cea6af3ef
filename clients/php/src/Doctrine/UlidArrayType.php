<?php
namespace PgUlid\Doctrine;

use Doctrine\DBAL\Platforms\AbstractPlatform;
use PgUlid\ArrayText;

/** The type ulid[]: a list of Symfony Ulids and nulls. */
class UlidArrayType extends UlidType
{
    protected const NAME = 'ulid[]';
    protected const MAPPED = '_ulid';

    public function convertToPHPValue($value, AbstractPlatform $platform): mixed
    {
        return $value === null ? null
            : array_map(fn($id) => parent::convertToPHPValue($id, $platform), ArrayText::decode($value));
    }

    public function convertToDatabaseValue($value, AbstractPlatform $platform): mixed
    {
        return $value === null ? null
            : ArrayText::encode(array_map(fn($id) => parent::convertToDatabaseValue($id, $platform), $value));
    }
}
