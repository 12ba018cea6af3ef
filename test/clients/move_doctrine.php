<?php
// Doctrine, through the move: see move.pl.
// can happen: cached plan must not change result type
require 'moving.php';
require_once 'Doctrine/ORM/autoload.php';
require_once 'Symfony/Component/Uid/autoload.php';
require_once 'Symfony/Bridge/Doctrine/autoload.php';
require 'ulid_doctrine.php';
require 'uuid_or_ulid_pdo.php';

use Doctrine\DBAL\DriverManager;
use Doctrine\DBAL\Types\Type;
use Doctrine\ORM\Configuration;
use Doctrine\ORM\EntityManager;
use Doctrine\ORM\EntityManagerInterface;
use Doctrine\ORM\Id\AbstractIdGenerator;
use Doctrine\ORM\Mapping as ORM;
use Doctrine\ORM\Mapping\Driver\AttributeDriver;
use Symfony\Bridge\Doctrine\Types\UuidType;
use Symfony\Component\Uid\Ulid;
use Symfony\Component\Uid\Uuid;

const ID = MODE === 'ulid' ? 'ulid' : 'uuid';
Type::addType('uuid', UuidType::class);

// Asks the server for the next id, of the type of the column.
class ServerId extends AbstractIdGenerator
{
    public function generateId(EntityManagerInterface $em, $entity): mixed
    {
        return Type::getType(ID)->convertToPHPValue($em->getConnection()->fetchOne('SELECT gen_ulid()' . (ID === 'uuid' ? '::uuid' : '')),
            $em->getConnection()->getDatabasePlatform());
    }
}

#[ORM\Entity, ORM\Table(name: 'customers')]
class Customer
{
    #[ORM\Id, ORM\Column(type: ID), ORM\GeneratedValue(strategy: 'CUSTOM'), ORM\CustomIdGenerator(class: ServerId::class)]
    public $id = null;

    #[ORM\Column(type: 'text')]
    public string $name;

    #[ORM\OneToMany(targetEntity: Order::class, mappedBy: 'customer', indexBy: 'recordId')]
    public $orders;
}

#[ORM\Entity, ORM\Table(name: 'orders')]
class Order
{
    #[ORM\Id, ORM\Column(type: ID), ORM\GeneratedValue(strategy: 'CUSTOM'), ORM\CustomIdGenerator(class: ServerId::class)]
    public $id = null;

    #[ORM\ManyToOne(targetEntity: Customer::class, inversedBy: 'orders'), ORM\JoinColumn(name: 'customer_id')]
    public Customer $customer;

    #[ORM\Column(name: 'record_type', type: 'text')]
    public string $recordType;

    #[ORM\Column(name: 'record_id', type: ID)]
    public $recordId;

    #[ORM\Column(type: 'text')]
    public string $others;
}

class Client
{
    private EntityManager $em;

    public function __construct()
    {
        $configuration = new Configuration();
        $configuration->setMetadataDriverImpl(new AttributeDriver([]));
        if (PHP_VERSION_ID >= 80400 && method_exists($configuration, 'enableNativeLazyObjects')) {
            $configuration->enableNativeLazyObjects(true);
        } else {
            $configuration->setProxyDir(getcwd());
            $configuration->setProxyNamespace('Proxies');
            $configuration->setAutoGenerateProxyClasses(true);
        }
        $this->em = new EntityManager(DriverManager::getConnection(['driver' => 'pdo_pgsql', 'host' => getenv('PGHOST'), 'port' => getenv('PGPORT') ?: 5432,
            'user' => getenv('PGUSER'), 'dbname' => getenv('PGDATABASE'),
            'driverOptions' => MODE === 'both' ? [PDO::ATTR_STATEMENT_CLASS => [UuidOrUlidStatement::class]] : []], $configuration), $configuration);
    }

    private static function object(string $id): object
    {
        return ID === 'ulid' ? Ulid::fromString($id) : Uuid::fromString($id);
    }

    private function find(string $id): Customer
    {
        $this->em->clear();
        return $this->em->find(Customer::class, self::object($id));
    }

    public function addCustomer(string $name): string
    {
        $customer = new Customer();
        $customer->name = $name;
        $this->em->persist($customer);
        $this->em->flush();
        return $customer->id;
    }

    public function addOrder(string $customer, string $type, string $record, array $others): void
    {
        $order = new Order();
        $order->customer = $this->find($customer);
        [$order->recordType, $order->recordId, $order->others] = [$type, self::object($record), '{' . implode(',', $others) . '}'];
        $this->em->persist($order);
        $this->em->flush();
    }

    public function rename(string $id, string $name): int
    {
        $this->find($id)->name = $name;
        $this->em->flush();
        return 1; // or an OptimisticLockException, or a row that is found wrong
    }

    public function customer(string $id): array
    {
        $customer = $this->find($id);
        return [(string) $customer->id, $customer->name];
    }

    public function ordersOf(string $id): array
    {
        $orders = $this->find($id)->orders->toArray();
        $record = (string) reset($orders)->recordId;
        same(array_keys($orders), [$record]);
        same($this->em->createQuery('SELECT IDENTITY(o.customer), o.recordId FROM Customer c JOIN c.orders o WHERE c.id = :customer')
            ->setParameter('customer', self::object($id), ID)->getScalarResult(), [[1 => $id, 'recordId' => $record]]);
        return array_map(fn($order) => [(string) $order->customer->id, $order->recordType, (string) $order->recordId,
            explode(',', trim($order->others, '{}'))], array_values($orders));
    }
}

rounds(new Client());
