<?php
// Doctrine's ORM and DBAL.
require_once 'Doctrine/ORM/autoload.php';
require_once 'Symfony/Component/Uid/autoload.php';
require 'tap.php';

use Doctrine\DBAL\DriverManager;
use Doctrine\DBAL\Types\Type;
use Doctrine\ORM\Configuration;
use Doctrine\ORM\EntityManager;
use Doctrine\ORM\EntityManagerInterface;
use Doctrine\ORM\Mapping as ORM;
use Doctrine\ORM\Mapping\Driver\AttributeDriver;
use Doctrine\ORM\Tools\SchemaTool;
use PgUlid\Doctrine\ServerUlidGenerator;
use PgUlid\Doctrine\UlidArrayType;
use PgUlid\Doctrine\UlidType;
use Symfony\Component\Uid\Ulid;

database('ulid_php_doctrine');

$configuration = new Configuration();
$configuration->setMetadataDriverImpl(new AttributeDriver([]));
if (PHP_VERSION_ID >= 80400 && method_exists($configuration, 'enableNativeLazyObjects')) {
    $configuration->enableNativeLazyObjects(true);
} else {
    $configuration->setProxyDir(sys_get_temp_dir() . '/ulid_php_proxies_' . getmypid());
    $configuration->setProxyNamespace('Proxies');
    $configuration->setAutoGenerateProxyClasses(true);
}
$parameters = ['driver' => 'pdo_pgsql', 'host' => getenv('PGHOST'), 'port' => getenv('PGPORT') ?: 5432,
    'user' => getenv('PGUSER'), 'dbname' => getenv('PGDATABASE')];
connect()->exec('CREATE TABLE message (id ulid PRIMARY KEY)');
$plain = DriverManager::getConnection($parameters, $configuration);
// DBAL 4 quotes the name.
fails(class_exists('Doctrine\DBAL\Platforms\PostgreSQL120Platform')
    ? 'Unknown database type "ulid" requested' : 'Unknown database type ulid requested',
    fn() => $plain->createSchemaManager()->introspectTable('message'));

// As DoctrineBundle registers what doctrine.dbal.types names.
$yaml = <<<'YAML'
doctrine:
    dbal:
        types:
            ulid: PgUlid\Doctrine\UlidType
            'ulid[]': PgUlid\Doctrine\UlidArrayType
YAML;
preg_match_all("/^ {12}'?([^':]+)'?: (.*)/m", $yaml, $types);
foreach (array_combine($types[1], $types[2]) as $name => $class) {
    Type::hasType($name) ? Type::overrideType($name, $class) : Type::addType($name, $class);
}
Type::overrideType('ulid', UlidArrayType::class);
UlidType::register();
equal('the types replace those that are there', [get_class(Type::getType('ulid')), get_class(Type::getType('ulid[]'))],
    [UlidType::class, UlidArrayType::class]);

#[ORM\Entity]
#[ORM\Table(name: 'message')]
class Message
{
    #[ORM\Id]
    #[ORM\Column(type: 'ulid')]
    #[ORM\GeneratedValue(strategy: 'CUSTOM')]
    #[ORM\CustomIdGenerator(class: ServerUlidGenerator::class)]
    public ?Ulid $id = null;

    #[ORM\ManyToOne(targetEntity: self::class)]
    #[ORM\JoinColumn(name: 'answers', nullable: true)]
    public ?Message $answers = null;

    #[ORM\Column(type: 'ulid[]', nullable: true)]
    public ?array $mentions = null;

    #[ORM\Column(type: 'text', nullable: true)]
    public ?string $body = null;
}

function between(EntityManagerInterface $em, DateTimeInterface $begin, DateTimeInterface $end): array
{
    return $em->createQuery('SELECT m FROM Message m WHERE m.id >= :begin AND m.id < :end')
        ->setParameter('begin', $begin, 'ulid')->setParameter('end', $end, 'ulid')->getResult();
}

$connection = DriverManager::getConnection($parameters, $configuration);
$em = new EntityManager($connection, $configuration);
$connection->executeStatement('DROP TABLE message');
$tool = new SchemaTool($em);
$classes = [$em->getClassMetadata(Message::class)];
$tool->createSchema($classes);
equal('the columns', $connection->fetchOne("SELECT string_agg(format_type(atttypid, atttypmod), ' ' ORDER BY attname)
    FROM pg_attribute WHERE attrelid = 'message'::regclass AND attnum > 0"), 'ulid text ulid ulid[]');
// It drops other tables.
$update = array_filter($tool->getUpdateSchemaSql($classes), fn($sql) => !str_starts_with($sql, 'DROP'));
equal('no difference afterwards', array_values($update), []);

$message = new Message();
$message->body = 'hello';
$em->persist($message);
$em->flush();
equal('the id is a Ulid of now',
    [$message->id instanceof Ulid, abs($message->id->getDateTime()->getTimestamp() - time()) < 100], [true, true]);
$em->clear();
$message = $em->find(Message::class, $message->id);
equal('find', $message->body, 'hello');
$em->remove($message);
foreach (IDS as $id) {
    $own = new Message();
    $own->id = Ulid::fromString($id);
    $own->mentions = array_map([Ulid::class, 'fromString'], IDS);
    $em->persist($own);
}
$em->flush();
$em->clear();
equal('ids that are given are kept', $connection->fetchFirstColumn('SELECT id FROM message ORDER BY id'), IDS);
$ids = fn($messages) => array_map(fn($message) => (string) $message->id, $messages);
equal('a range of time', $ids(between($em, hours(1), hours(2))), [IDS[1]]);
// Times that no ULID has, beside ulid_lower_bound().
$type = Type::getType('ulid');
foreach (['1969-12-31 23:59:59.999Z', '-001000-01-01T00:00:00Z', '1970-01-01T00:00:00.001Z', '10889-08-02'] as $time) {
    $time = $time === '10889-08-02' ? new DateTimeImmutable('@281474976710') : new DateTimeImmutable($time);
    $bound = $connection->fetchOne('SELECT ulid_lower_bound(to_timestamp(?::float8))', [$time->format('U.u')]);
    $sent = $type->convertToDatabaseValue($time, $connection->getDatabasePlatform());
    equal('the bound of ' . $time->format('c'), $sent, $bound);
}
equal('a range from before 1970', count(between($em, new DateTimeImmutable('1969-01-01Z'), hours(3))), 3);
equal('a time between two milliseconds', $ids(between($em, hours(1)->modify('+1 usec'), hours(3))), [IDS[1], IDS[2]]);
$first = $em->find(Message::class, Ulid::fromString(IDS[0]));
equal('an array and NULL', [array_map('strval', $first->mentions), $first->answers], [IDS, null]);
$first->answers = $em->find(Message::class, Ulid::fromString(IDS[1]));
$first->mentions = [Ulid::fromString(IDS[1]), null];
$em->flush();
$em->clear();
$first = $em->find(Message::class, Ulid::fromString(IDS[0]));
$mentions = array_map(fn($ulid) => $ulid?->toBase32(), $first->mentions);
equal('a relation, and an array with NULL', [(string) $first->answers->id, $mentions], [IDS[1], [IDS[1], null]]);
$since = $em->createQuery('SELECT m FROM Message m WHERE m.id >= :begin')->setParameter('begin', hours(1));
fails('invalid input syntax for type ulid: "2024-05-01 13:00:00"', fn() => $since->getResult());
fails('Invalid ULID', fn() => $em->find(Message::class, 'not an id'));
foreach (['ulid' => fn($id) => $id, 'ulid[]' => fn($id) => [$id]] as $type => $value) {
    $sent = fn($id) => Type::getType($type)->convertToDatabaseValue($value($id), $connection->getDatabasePlatform());
    reads($type, fn($id) => trim($sent($id), '{"}'), true);
}
fails('Cannot assign string to property Message::$id',
    fn() => $em->getReference(Message::class, strtolower(IDS[2]))->body);
$error = error_of(fn() => $connection->fetchOne('SELECT ?::ulid', ['not an id']));
equal('the SQLSTATE', $error?->getSQLState(), '22P02');
$connection->executeStatement('ALTER TABLE message ALTER id SET DEFAULT gen_ulid()');
$update = array_filter($tool->getUpdateSchemaSql($classes), fn($sql) => str_contains($sql, ' message '));
equal('the schema tool drops a default', array_values($update), ['ALTER TABLE message ALTER id DROP DEFAULT']);
fails('invalid input syntax for type ulid: "gen_ulid()"', function () use ($connection) {
    $schema = new Doctrine\DBAL\Schema\Schema();
    $schema->createTable('quoted')->addColumn('id', 'ulid', ['default' => 'gen_ulid()']);
    $connection->executeStatement($schema->toSql($connection->getDatabasePlatform())[0]);
});
