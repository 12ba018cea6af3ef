<?php
// PDO.
require 'tap.php';

$pdo = new PDO('pgsql:', getenv('PGUSER') ?: null, null, [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION]);

// clients/php/README.md: function between

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
