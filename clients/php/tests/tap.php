<?php
// Prints TAP, one line per test, and holds what the tests share.
error_reporting(E_ALL & ~E_DEPRECATED & ~E_USER_DEPRECATED);

const IDS = ['01HWT0D7G004HMASW9NF6YY081', '01HWT3V34004HMASW9NF6YY0G2', '01HWT78YR004HMASW9NF6YY0R3'];
const UUID = '018f343d-8c80-0123-4567-89abcdef0202'; // the bytes of the second

$tests = 0;
register_shutdown_function(fn() => (error_get_last()['type'] ?? 0) === E_ERROR || print "1..{$GLOBALS['tests']}\n");
spl_autoload_register(function ($class) {
    $file = __DIR__ . '/../src/' . strtr(substr($class, 7), '\\', '/') . '.php';
    str_starts_with($class, 'PgUlid\\') && is_file($file) && require_once $file;
});

function connect(): PDO
{
    return new PDO('pgsql:dbname=' . getenv('PGDATABASE'), getenv('PGUSER') ?: null);
}

// A database with the extension, on the server that PGHOST and the like name. It is dropped at the end.
function database(string $name): void
{
    try {
        getenv('PGDATABASE') || putenv('PGDATABASE=postgres');
        $server = connect();
        $server->exec("DROP DATABASE IF EXISTS $name WITH (FORCE)");
        $server->exec("CREATE DATABASE $name");
        register_shutdown_function(fn() => $server->exec("DROP DATABASE $name WITH (FORCE)"));
        putenv("PGDATABASE=$name");
        connect()->exec('CREATE EXTENSION ulid');
    } catch (PDOException $error) {
        [$line] = explode("\n", $error->getMessage());
        echo "Bail out! Name a server with the extension ulid in PGHOST and the like: $line\n";
        exit(1);
    }
}

function hours(int $hours): DateTimeImmutable // the times of IDS are noon and one and two hours later
{
    return new DateTimeImmutable('2024-05-01T' . (12 + $hours) . ':00:00Z');
}

function equal(string $name, $got, $expected): void
{
    $GLOBALS['tests']++;
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
    foreach (file(__DIR__ . '/ids.csv', FILE_IGNORE_NEW_LINES) as $line) {
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
