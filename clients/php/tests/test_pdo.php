<?php
// PDO.
require 'tap.php';

database('ulid_php_pdo');
$pdo = connect();
$pdo->exec('CREATE TABLE message (id ulid PRIMARY KEY DEFAULT gen_ulid(), body text)');

function between(PDO $pdo, DateTimeInterface $begin, DateTimeInterface $end): array {
    $select = $pdo->prepare(
        'SELECT id FROM message WHERE id >= ?::timestamptz AND id < ?::timestamptz');
    $select->execute([$begin->format('Y-m-d H:i:s.uP'), $end->format('Y-m-d H:i:s.uP')]);
    return $select->fetchAll(PDO::FETCH_COLUMN);
}

$select = function (string $query, ...$parameters) use ($pdo) {
    $statement = $pdo->prepare($query);
    $statement->execute($parameters);
    return $statement->fetchAll(PDO::FETCH_NUM);
};
echo '# PHP ', PHP_VERSION, "\n";
[[$id]] = $select("INSERT INTO message (body) VALUES ('hello') RETURNING id");
equal('the default comes back as a string', strlen($id), 26);
equal('find', $select('SELECT body FROM message WHERE id = ?', strtolower($id)), [['hello']]);
$pdo->exec('DELETE FROM message');
$pdo->pgsqlCopyFromArray('message', IDS, "\t", '\\\\N', 'id');
equal('a range of time', between($pdo, hours(1), hours(2)), [IDS[1]]);
$list = '{' . implode(',', IDS) . '}';
$query = 'SELECT array_agg(id ORDER BY id), NULL::ulid FROM message WHERE id = ANY(?)';
equal('arrays are text', $select($query, $list), [[$list, null]]);
fails('invalid input syntax for type ulid: "2024-05-01T13:00:00+00:00"',
    fn() => $select('SELECT FROM message WHERE id >= ?', hours(1)->format('c')));
fails('lastval is not yet defined in this session', fn() => $pdo->lastInsertId());
$code = fn($id) => error_of(fn() => $select('SELECT ?::ulid', $id))?->getCode();
equal('the codes of invalid ids', [$code('not an id'), $code('8' . substr(IDS[0], 1))], ['22P02', '22003']);

// A uuid column.
$pdo->exec("SET timezone = 'Asia/Tokyo'");
$query = 'SELECT count(*) FROM unnest(ARRAY[gen_uuidv7(?), gen_uuidv7()]) id WHERE id >= uuidv7_min(?)';
equal('a range of time of a uuid column', $select($query, hours(0)->format('c'), hours(1)->format('c')), [[1]]);
