<?php
// Prints TAP, one line per test, and holds what the tests share.
const IDS = ['01HWT0D7G004HMASW9NF6YY081', '01HWT3V34004HMASW9NF6YY0G2', '01HWT78YR004HMASW9NF6YY0R3'];
const UUID = '018f343d-8c80-0123-4567-89abcdef0202'; // the bytes of the second

function hours(int $hours): DateTimeImmutable // the times of IDS are noon and one and two hours later
{
    return new DateTimeImmutable('2024-05-01T' . (12 + $hours) . ':00:00Z');
}

function equal(string $name, $got, $expected): void
{
    if ($got === $expected) {
        echo "ok - $name\n";
    } else {
        echo "not ok - $name\n# got ", json_encode($got), "\n# expected ", json_encode($expected), "\n";
    }
}

// It answers to the texts of ids.csv as the server does. A type that holds 16 bytes may refuse I, L, O and UUIDs.
function reads(string $name, callable $read, bool $bytes = false): void
{
    $wrong = [];
    foreach (file('ids.csv', FILE_IGNORE_NEW_LINES) as $line) {
        [$text, $expected] = explode(',', str_replace('\n', "\n", $line));
        $got = null;
        $error = error_of(function () use ($read, $text, &$got) {
            $got = (string) $read($text);
        });
        $refused = strlen($expected) === 5 || ($bytes && strtoupper($text) !== $expected);
        if ($error ? !$refused : $got !== $expected) {
            $wrong[$text] = $error?->getMessage() ?? $got;
        }
    }
    equal("$name reads what the server reads", $wrong, []);
}

function error_of(callable $work): ?Throwable
{
    try {
        $work();
    } catch (Throwable $error) {
        return $error;
    }
    return null;
}

function fails(string $message, callable $work): void
{
    $got = error_of($work)?->getMessage() ?? 'no error';
    equal("fails: $message", str_contains($got, $message) ? $message : $got, $message);
}
