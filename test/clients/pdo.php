<?php
// PDO.
require 'message_pdo.php';
require 'tap.php';

$id = add($pdo, 'hello');
equal('a default comes back as text', strlen($id), 26);
equal('a text finds its row', those($pdo, [$id]), [$id => 'hello']);
$pdo->exec('DELETE FROM message');
copy_in($pdo, array_map(fn($id) => [$id, 'x'], IDS));
equal('COPY, and an array comes back', all_ids($pdo), IDS);
equal('any of many', array_keys(those($pdo, [IDS[0], IDS[2]])), [IDS[0], IDS[2]]);
equal('range by time', between($pdo, hours(1), hours(2)), [IDS[1]]);
equal('to the millisecond', between($pdo, hours(1)->modify('+1 msec'), hours(2)->modify('+1 msec')), [IDS[2]]);
equal('a page after a cursor', page_after($pdo, IDS[0], 1), [IDS[1]]);
equal('null', $pdo->query('SELECT NULL::ulid')->fetchColumn(), null);
$select = $pdo->prepare('SELECT ?::ulid IS NULL');
$select->execute([null]);
equal('null as a parameter', $select->fetchColumn(), true);
$pdo->exec('DELETE FROM message');
$odd = array_combine(IDS, [null, "a\tb\\c\nd\r", '\N']);
copy_in($pdo, array_map(null, IDS, array_values($odd)));
equal('COPY of null, and of what it has to escape', those($pdo, IDS), $odd);
fails('invalid input syntax for type ulid: "no ulid"', fn() => those($pdo, ['no ulid']));
fails('invalid input syntax for type ulid: "2024-05-01T13:00:00+00:00"',
    fn() => $pdo->prepare('SELECT FROM message WHERE id >= ?')->execute([hours(1)->format('c')]));
fails('lastval is not yet defined in this session', fn() => $pdo->lastInsertId());
done();
