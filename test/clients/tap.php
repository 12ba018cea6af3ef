<?php
// Prints TAP: a line a test. And what the tests share.
const IDS = ['01HWT0D7G004HMASW9NF6YY081', '01HWT3V34004HMASW9NF6YY0G2', '01HWT78YR004HMASW9NF6YY0R3'];
$count = 0;

function hours(int $hours): DateTimeImmutable // 12, 13 and 14 hours into that day are the times of IDS
{
    return new DateTimeImmutable('2024-05-01T' . (12 + $hours) . ':00:00Z');
}

function equal(string $name, $got, $expected): void
{
    global $count;
    ++$count;
    if ($got === $expected) {
        echo "ok $count - $name\n";
    } else {
        echo "not ok $count - $name\n# got ", json_encode($got), "\n# expected ", json_encode($expected), "\n";
    }
}

// The work fails with this message, and a page quotes it.
function fails(string $message, callable $work): void
{
    $got = 'no error';
    try {
        $work();
    } catch (Throwable $error) {
        $got = $error->getMessage();
    }
    equal("fails: $message", str_contains($got, $message) ? $message : $got, $message);
    $pages = implode(array_map('file_get_contents', glob(getenv('PAGES') . '/*.md')));
    equal('as a page says', str_contains($pages, $message), true);
}

function done(): void
{
    global $count;
    echo "1..$count\n";
}
