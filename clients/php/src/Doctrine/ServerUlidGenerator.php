<?php
namespace PgUlid\Doctrine;

use Doctrine\ORM\EntityManagerInterface;
use Doctrine\ORM\Id\AbstractIdGenerator;
use Symfony\Component\Uid\Ulid;

/** Doctrine needs the id before the insert, so this asks the server for one. An object that has an id keeps it. */
class ServerUlidGenerator extends AbstractIdGenerator
{
    public function generateId(EntityManagerInterface $em, $entity): mixed
    {
        $given = $em->getClassMetadata($entity::class)->getIdentifierValues($entity);
        return $given ? reset($given) : Ulid::fromString($em->getConnection()->fetchOne('SELECT gen_ulid()'));
    }
}
