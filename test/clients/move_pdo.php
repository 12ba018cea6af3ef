<?php
// PDO, through the move: see move.pl. Statements that are kept fail once their result is of another type.
// happens: cached plan must not change result type
require 'moving.php';
require 'uuid_or_ulid_pdo.php';

class Client
{
    private PDO $pdo;

    public function __construct()
    {
        $this->pdo = new PDO('pgsql:', getenv('PGUSER') ?: null, null, [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION]
            + (MODE === 'both' ? [PDO::ATTR_STATEMENT_CLASS => [UuidOrUlidStatement::class]] : []));
    }

    private function run(string $statement, array $values): PDOStatement
    {
        $prepared = $this->pdo->prepare($statement);
        $prepared->execute($values);
        return $prepared;
    }

    public function addCustomer(string $name): string
    {
        return $this->run('INSERT INTO customers (name) VALUES (?) RETURNING id', [$name])->fetchColumn();
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
        $row = $kept->fetch(PDO::FETCH_NUM);
        if (MODE !== 'uuid') {
            $this->otherModes($row);
        }
        return $row;
    }

    private function otherModes(array $row): void
    {
        [$id, $name] = $row;
        $fetched = fn($statement, ...$mode) => $this->run($statement, [$id])->fetchAll(...$mode);
        $select = 'SELECT id, name FROM customers WHERE id = ?';
        same($fetched($select, PDO::FETCH_ASSOC), [['id' => $id, 'name' => $name]]);
        same($fetched($select), [['id' => $id, $id, 'name' => $name, $name]]);
        same(array_map('get_object_vars', $fetched($select, PDO::FETCH_OBJ)), [['id' => $id, 'name' => $name]]);
        same($fetched('SELECT name, id FROM customers WHERE id = ?', PDO::FETCH_COLUMN, 1), [$id]);
        same($fetched($select, PDO::FETCH_KEY_PAIR), [$id => $name]);
        same(get_object_vars($this->run($select, [$id])->fetchObject()), ['id' => $id, 'name' => $name]);
        same(iterator_to_array($this->run($select, [$id])), [['id' => $id, $id, 'name' => $name, $name]]);
        same(iterator_to_array($this->pdo->query('SELECT false FROM generate_series(1, 2)', PDO::FETCH_COLUMN, 0)), [false, false]);
        same($fetched("SELECT name = '', id FROM customers WHERE id = ?", PDO::FETCH_KEY_PAIR), ['' => $id]);
        same($fetched('SELECT name AS "1", id AS "0" FROM customers WHERE id = ?', PDO::FETCH_ASSOC), [[1 => $name, 0 => $id]]);
        same($this->run($select, [$id])->fetch(PDO::FETCH_COLUMN), $id);
        // of two of a name the last; what is no id stays, though it looks like a ULID
        same($fetched('SELECT c.name AS id, c.name AS text, c.id FROM customers c WHERE id = ?', PDO::FETCH_ASSOC), [['id' => $id, 'text' => $name]]);
        // of statements that are kept and not prepared, of which PDO knows the types of the first result
        static $kept = [];
        foreach ([PDO::ATTR_EMULATE_PREPARES, PDO::PGSQL_ATTR_DISABLE_PREPARES] as $way) {
            $kept[$way] ??= $this->pdo->prepare('SELECT id, ARRAY[id], id::uuid::ulid::text FROM customers WHERE id = ?', [$way => true]);
            $kept[$way]->execute([$id]);
            same($kept[$way]->fetch(PDO::FETCH_NUM), [$id, "{{$id}}", to_ulid($id)]);
        }
        same($fetched('SELECT id::uuid::ulid::text FROM customers WHERE id = ?', PDO::FETCH_COLUMN), [to_ulid($id)]);
        same($fetched('SELECT ARRAY[NULL, id] FROM customers WHERE id = ?', PDO::FETCH_COLUMN), ["{NULL,$id}"]);
        same($fetched('SELECT ARRAY[id] FROM customers WHERE id = ?', PDO::FETCH_COLUMN), ["{{$id}}"]);
        same($fetched('SELECT ARRAY[[NULL, id]] FROM customers WHERE id = ?', PDO::FETCH_COLUMN), ["{{NULL,$id}}"]);
        if (MODE === 'both') {
            // the same text with a result of another type
            $this->pdo->beginTransaction();
            try {
                foreach (['id::uuid::ulid::text' => to_ulid($id), 'id' => $id] as $column => $value) {
                    $this->pdo->exec("DECLARE c CURSOR FOR SELECT $column FROM customers WHERE id = '$id'");
                    same($this->pdo->query('FETCH 1 FROM c')->fetchColumn(), $value);
                    $this->pdo->exec('CLOSE c');
                }
            } finally {
                $this->pdo->rollBack();
            }
            foreach ([[], [PDO::FETCH_DEFAULT], [PDO::FETCH_CLASS, stdClass::class], [PDO::FETCH_GROUP | PDO::FETCH_NUM], [PDO::FETCH_UNIQUE | PDO::FETCH_NUM]] as $mode) {
                try {
                    $statement = $this->run($select, [$id]);
                    $statement->setFetchMode(PDO::FETCH_KEY_PAIR);
                    match ($mode) {
                        [] => $statement->bindColumn(1, $bound),
                        [PDO::FETCH_DEFAULT] => $statement->fetch(),
                        default => $statement->fetchAll(...$mode),
                    };
                    same('no error', $mode);
                } catch (PDOException $error) {
                    same($error->getMessage(), 'a fetch mode in which ids would be ULIDs');
                }
            }
            try { // while it is a uuid
                $statement = $this->run('SELECT id, false FROM customers WHERE id = ?', [$id]);
                $statement->setFetchMode(PDO::FETCH_KEY_PAIR);
                same($statement->fetchAll(), [$id => false]);
            } catch (PDOException $error) {
                same($error->getMessage(), 'a fetch mode in which ids would be ULIDs');
            }
            try { // of the column that was named, while it is a uuid
                same($this->pdo->query("SELECT name, id FROM customers WHERE id = '$id'", PDO::FETCH_COLUMN, 1)->fetch(PDO::FETCH_COLUMN), $id);
            } catch (PDOException $error) {
                same($error->getMessage(), 'a fetch mode in which ids would be ULIDs');
            }
            // beside what looks like a ULID, also where its type was asked for while it was a uuid
            $beside = 'SELECT id::uuid::ulid::text AS text, id FROM customers WHERE id = ?';
            try {
                $this->run($beside, [$id])->fetch(PDO::FETCH_COLUMN);
            } catch (PDOException $error) {
                same($error->getMessage(), 'a fetch mode in which ids would be ULIDs');
            }
            same($fetched($beside, PDO::FETCH_ASSOC), [['text' => to_ulid($id), 'id' => $id]]);
            if (PHP_VERSION_ID >= 80500) { // rows that are fetched one by one: all, or an error
                $statement = $this->pdo->prepare('SELECT id FROM customers LIMIT 2', [PDO::ATTR_PREFETCH => 0]);
                $statement->execute();
                try { // while it is a uuid
                    same(count(iterator_to_array($statement)), 2);
                } catch (PDOException $error) {
                    same($error->getMessage(), 'rows that are fetched one by one, by PDO::ATTR_PREFETCH => 0');
                }
            }
            $this->pdo->beginTransaction();
            $statement = $this->run("SELECT /* $name */ id FROM customers WHERE id = ?", [$id]);
            try {
                $this->pdo->exec('SELECT 1 / 0');
            } catch (PDOException) {
            }
            try {
                same($statement->fetchColumn(), $id); // while it is a uuid
            } catch (PDOException $error) {
                same($error->getMessage(), 'the type of an id cannot be asked for: the transaction is aborted');
            } finally {
                $this->pdo->rollBack();
            }
        }
    }

    public function ordersOf(string $id): array
    {
        $rows = $this->run('SELECT customer_id, record_type, record_id, others FROM orders WHERE customer_id = ?', [$id])->fetchAll(PDO::FETCH_NUM);
        return array_map(fn($row) => [$row[0], $row[1], $row[2], explode(',', trim($row[3], '{}'))], $rows);
    }
}

rounds(new Client());
