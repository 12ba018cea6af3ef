<?php
// Doctrine.
error_reporting(E_ALL & ~E_DEPRECATED & ~E_USER_DEPRECATED);
require_once 'Doctrine/ORM/autoload.php';
require_once 'Symfony/Component/Uid/autoload.php';
require_once 'Symfony/Bridge/Doctrine/autoload.php';

use Doctrine\DBAL\DriverManager;
use Doctrine\DBAL\Types\Type;
use Doctrine\ORM\Configuration;
use Doctrine\ORM\EntityManager;
use Doctrine\ORM\Mapping\Driver\AttributeDriver;
use Doctrine\ORM\Tools\SchemaTool;
use Symfony\Component\Uid\Ulid;

$configuration = new Configuration();
$configuration->setMetadataDriverImpl(new AttributeDriver([]));
if (PHP_VERSION_ID >= 80400 && method_exists($configuration, 'enableNativeLazyObjects')) {
    $configuration->enableNativeLazyObjects(true);
} else {
    $configuration->setProxyDir(getcwd());
    $configuration->setProxyNamespace('Proxies');
    $configuration->setAutoGenerateProxyClasses(true);
}
$connection = DriverManager::getConnection(['driver' => 'pdo_pgsql', 'host' => getenv('PGHOST'), 'user' => getenv('PGUSER'),
    'dbname' => getenv('PGDATABASE')], $configuration);
require 'tap.php';
fails(class_exists('Doctrine\DBAL\Platforms\PostgreSQL120Platform') ? 'Unknown database type "ulid" requested' : 'Unknown database type ulid requested',
    fn() => (method_exists($connection, 'createSchemaManager') ? $connection->createSchemaManager() : $connection->getSchemaManager())->introspectTable('message'));
require 'message_doctrine.php';
$connection->close();
$connection = DriverManager::getConnection($connection->getParams(), $configuration);
$em = new EntityManager($connection, $configuration);
$connection->executeStatement('DROP TABLE message');
$tool = new SchemaTool($em);
$tool->createSchema([$em->getClassMetadata(Message::class)]);
equal('the columns made', $connection->fetchOne("SELECT string_agg(format_type(atttypid, atttypmod), ' ' ORDER BY attname)
    FROM pg_attribute WHERE attrelid = 'message'::regclass AND attnum > 0"), 'ulid text ulid ulid[]');
fails('invalid input syntax for type ulid: "gen_ulid()"', function () use ($connection) {
    $schema = new Doctrine\DBAL\Schema\Schema();
    $schema->createTable('quoted')->addColumn('id', 'ulid', ['default' => 'gen_ulid()']);
    $connection->executeStatement($schema->toSql($connection->getDatabasePlatform())[0]);
});
equal('and there is no difference afterwards', array_values(array_filter($tool->getUpdateSchemaSql([$em->getClassMetadata(Message::class)]),
    fn($sql) => !str_starts_with($sql, 'DROP'))), []);

$dump = implode(';', $tool->getCreateSchemaSql([$em->getClassMetadata(Message::class)]));
equal('restored from orm:schema-tool:create --dump-sql', shell_exec('bash restored.sh ' . escapeshellarg("psql -q -c 'CREATE EXTENSION ulid' -c '$dump'")), "same\n");

$message = new Message();
$message->body = 'hello';
$em->persist($message);
$em->flush();
$id = $message->id;
equal('the id is the server\'s', [$id instanceof Ulid, abs($id->getDateTime()->getTimestamp() - time()) < 100], [true, true]);
$em->clear();
$message = $em->find(Message::class, $id);
equal('lookup by the id', $message->body, 'hello');
$message->body = 'changed';
$em->flush();
$em->remove($message);
$em->flush();
equal('removed', $connection->fetchOne('SELECT count(*) FROM message'), 0);

$own = new Message();
$own->id = Ulid::fromString(IDS[0]);
$em->persist($own);
$em->flush();
equal('an id that is given is kept', $connection->fetchFirstColumn('SELECT id FROM message'), [IDS[0]]);
$em->remove($own);
$em->flush();
$connection->executeStatement('ALTER TABLE message ALTER id SET DEFAULT gen_ulid()');
$drop = 'ALTER TABLE message ALTER id DROP DEFAULT';
equal('a default set by SQL is dropped, as the page says', [in_array($drop, $tool->getUpdateSchemaSql([$em->getClassMetadata(Message::class)]), true),
    str_contains(file_get_contents(getenv('PAGES') . '/php.md'), $drop)], [true, true]);

foreach (IDS as $id) {
    $connection->insert('message', ['id' => Ulid::fromString($id), 'body' => 'x', 'mentions' => IDS], ['ulid', 'text', 'ulid[]']);
}
$ids = fn($messages) => array_map(fn($message) => (string) $message->id, $messages);
equal('range by time', $ids(between($em, hours(1), hours(2))), [IDS[1]]);
equal('to the millisecond', $ids(between($em, hours(1)->modify('+1 msec'), hours(2)->modify('+1 msec'))), [IDS[2]]);
equal('a page after a cursor', $ids(page_after($em, Symfony\Component\Uid\Ulid::fromString(IDS[0]), 1)), [IDS[1]]);
equal('a time between two milliseconds', $ids(between($em, hours(1)->modify('+1 usec'), hours(3))), [IDS[2]]);
equal('any of many', $ids($em->createQuery('SELECT m FROM Message m WHERE m.id IN (:ids) ORDER BY m.id')
    ->setParameter('ids', [IDS[0], IDS[2]])->getResult()), [IDS[0], IDS[2]]);
equal('a parameter with its type', $ids($em->createQuery('SELECT m FROM Message m WHERE m.id = :id')
    ->setParameter('id', Ulid::fromString(IDS[0]), 'ulid')->getResult()), [IDS[0]]);
equal('and without it', $ids($em->createQuery('SELECT m FROM Message m WHERE m.id = :id')->setParameter('id', Ulid::fromString(IDS[0]))
    ->getResult()), [IDS[0]]);
fails('invalid input syntax for type ulid: "2024-05-01 13:00:00"', fn() => $em->createQuery('SELECT m FROM Message m WHERE m.id >= :begin')
    ->setParameter('begin', hours(1))->getResult());
fails('Invalid ULID', fn() => $em->find(Message::class, 'no ulid'));
fails('Cannot assign string to property Message::$id', fn() => $em->getReference(Message::class, strtolower(IDS[2]))->body);
$first = $em->find(Message::class, Ulid::fromString(IDS[0]));
equal('an array column, and null', [array_map('strval', $first->mentions), $first->answers], [IDS, null]);
$first->answers = $em->find(Message::class, Ulid::fromString(IDS[1]));
$first->mentions = [];
$em->flush();
$em->clear();
$first = $em->find(Message::class, Ulid::fromString(IDS[0]));
equal('a relation, and an array with nothing', [(string) $first->answers->id, $first->mentions], [IDS[1], []]);
$first->mentions = [Ulid::fromString(IDS[1]), null];
$em->flush();
$em->clear();
equal('an array with null', array_map(fn($ulid) => $ulid?->toBase32(), $em->find(Message::class, Ulid::fromString(IDS[0]))->mentions),
    [IDS[1], null]);
$symfony = new Symfony\Bridge\Doctrine\Types\UlidType();
equal("Symfony's own type, as the page says", [$symfony->getSQLDeclaration([], $connection->getDatabasePlatform()),
    $symfony->convertToDatabaseValue(Ulid::fromString(IDS[1]), $connection->getDatabasePlatform())], ['UUID', '018f343d-8c80-0123-4567-89abcdef0202']);
$key = '018f343d-8c80-0123-4567-89abcdef0202'; // in a column of uuid, from the first step of a move on
equal('Symfony takes it, but for isValid, as the page says', [(string) Symfony\Component\Uid\Uuid::fromString($key),
    Symfony\Component\Uid\Uuid::isValid($key)], [$key, false]);
done();
