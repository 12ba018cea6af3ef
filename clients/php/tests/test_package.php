<?php
// Composer installs the package from a clone, into a project elsewhere.
require 'tap.php';

$project = sys_get_temp_dir() . '/ulid_php_' . getmypid();
mkdir($project);
register_shutdown_function(fn() => exec('rm -rf ' . escapeshellarg($project)));
putenv("COMPOSER_HOME=$project/home");
putenv('COMPOSER_ALLOW_SUPERUSER=1');
chdir($project);
function run(string $command): string
{
    exec("$command 2>&1", $lines, $status);
    return $status === 0 ? implode("\n", $lines) : "status $status: " . implode("\n", $lines);
}

equal('composer.json is valid', run('composer -d ' . dirname(__DIR__) . ' validate --no-check-version --no-check-lock'),
    './composer.json is valid');
file_put_contents('composer.json', '{"repositories": [{"packagist.org": false}]}');
run('composer config repositories.pgulid path ' . dirname(__DIR__));
$installed = run('composer require pgulid/pgulid');
equal('composer requires it', str_contains($installed, 'Generating autoload files') ? '' : $installed, '');
equal('the class is loaded, and needs neither Laravel nor Doctrine',
    run("php -r 'require \"vendor/autoload.php\"; echo PgUlid\\ArrayText::encode([\"" . IDS[0] . "\", null]);'"),
    '{"' . IDS[0] . '",NULL}');
run('composer archive --format=tar --dir=archive pgulid/pgulid');
exec('tar -tf archive/*.tar', $files);
sort($files);
equal('the archive has the license, the README and the classes, and no tests',
    array_values(preg_grep('/^(LICENSE|README.md|tests|src.Eloquent.Columns.php)$/', $files)),
    ['LICENSE', 'README.md', 'src/Eloquent/Columns.php']);
file_put_contents('composer.json', '{"repositories": [{"packagist.org": false}, {"type": "package", "package":
    {"name": "illuminate/database", "version": "8.0.0"}}], "require": {"illuminate/database": "*"}}');
run('composer config repositories.pgulid path ' . dirname(__DIR__));
equal('beside an older Laravel, Composer says which it conflicts with',
    str_contains(run('composer require pgulid/pgulid'), 'conflicts with illuminate/database 8.0.0'), true);
