<?php
// The rounds of move.pl, by five functions of the client's. Ids are strings.
error_reporting(E_ALL & ~E_DEPRECATED & ~E_USER_DEPRECATED);
require 'uuid_or_ulid.php';
const FIRST = ['018f3406-9e00-0123-4567-89abcdef0101', '01HWT0D7G004HMASW9NF6YY081'];
define('MODE', $argv[1]);

function same($got, $expected): void
{
    if ($got !== $expected) {
        throw new Exception(json_encode($got) . ' instead of ' . json_encode($expected));
    }
}

function round_of(string $name, object $client): string
{
    static $previous = FIRST[MODE === 'ulid'];
    $record = $previous;
    $id = $client->addCustomer($name);
    $client->addOrder($id, 'Customer', $record, [$id, $record]);
    same($client->rename($id, "$name changed"), 1);
    same($client->customer($id), [$id, "$name changed"]);
    same($client->ordersOf($id), [[$id, 'Customer', $record, [$id, $record]]]);
    same($client->customer($record)[0], $record);
    foreach (MODE === 'uuid' ? [] : FIRST as $old) {
        same($client->customer(MODE === 'ulid' ? to_ulid($old) : to_uuid($old)), [FIRST[MODE === 'ulid'], 'first']);
    }
    return $previous = $id;
}

function rounds(object $client): void
{
    while (($name = fgets(STDIN)) !== false) {
        $name = trim($name);
        try {
            $answer = "done\t" . round_of($name, $client);
        } catch (Throwable $error) {
            $answer = "error\t" . preg_replace('/\s+/', ' ', get_class($error) . ': ' . $error->getMessage());
        }
        echo "$name\t$answer\n";
    }
}
