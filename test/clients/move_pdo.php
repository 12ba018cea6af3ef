<?php
// PDO, through the move: see move.pl. Statements that are kept fail once their result is of another type.
// happens: cached plan must not change result type
require 'moving.php';

class Client
{
    private PDO $pdo;

    public function __construct()
    {
        $this->pdo = new PDO('pgsql:', getenv('PGUSER') ?: null, null, [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION]);
    }

    private function run(string $statement, array $values): PDOStatement
    {
        $prepared = $this->pdo->prepare($statement);
        $prepared->execute($values);
        return $prepared;
    }

    private static function read(?string $id): ?string
    {
        return MODE === 'both' ? to_uuid($id) : $id;
    }

    public function addCustomer(string $name): string
    {
        return self::read($this->run('INSERT INTO customers (name) VALUES (?) RETURNING id', [$name])->fetchColumn());
    }

    public function addOrder(string $customer, string $type, string $record, array $others): void
    {
        $this->run('INSERT INTO orders (customer_id, record_type, record_id, others) VALUES (?, ?, ?, ?)',
            [$customer, $type, $record, '{' . implode(',', $others) . '}']);
    }

    public function rename(string $id, string $name): int
    {
        return $this->run('UPDATE customers SET name = ? WHERE id = ?', [$name, $id])->rowCount();
    }

    public function customer(string $id): array
    {
        static $kept; // which is prepared anew where it has failed
        $kept ??= $this->pdo->prepare('SELECT id, name FROM customers WHERE id = ?');
        try {
            $kept->execute([$id]);
        } catch (PDOException $error) {
            $kept = null;
            throw $error;
        }
        [$id, $name] = $kept->fetch(PDO::FETCH_NUM);
        return [self::read($id), $name];
    }

    public function ordersOf(string $id): array
    {
        $rows = $this->run('SELECT customer_id, record_type, record_id, others FROM orders WHERE customer_id = ?', [$id])->fetchAll(PDO::FETCH_NUM);
        return array_map(fn($row) => [self::read($row[0]), $row[1], self::read($row[2]), array_map([self::class, 'read'], explode(',', trim($row[3], '{}')))], $rows);
    }
}

rounds(new Client());
