<?php
// Eloquent.
error_reporting(E_ALL & ~E_DEPRECATED);
require 'Illuminate/Database/autoload.php';
if (file_exists('/usr/share/php/Symfony/Component/Uid/autoload.php')) {
    require_once 'Symfony/Component/Uid/autoload.php';
}

use Illuminate\Database\Capsule\Manager;
use Illuminate\Support\Str;

$capsule = new Manager();
$capsule->addConnection(['driver' => 'pgsql', 'host' => getenv('PGHOST'), 'username' => getenv('PGUSER'), 'database' => getenv('PGDATABASE')]);
$capsule->bootEloquent();
$capsule->setAsGlobal();
require 'tap.php';
if (($argv[1] ?? '') === 'artisan') { // `php eloquent.php artisan ...`, where it was restored
    exit(laravel()->make(Illuminate\Contracts\Console\Kernel::class)->handle(new Symfony\Component\Console\Input\ArgvInput(array_slice($argv, 1)),
        new Symfony\Component\Console\Output\StreamOutput(STDERR)));
}
require 'message_eloquent.php';

create_messages($capsule->schema());
$connection = $capsule->getConnection();
equal('the columns made', $connection->selectOne("SELECT string_agg(format_type(atttypid, atttypmod), ' ' ORDER BY attnum) AS types
    FROM pg_attribute WHERE attrelid = 'messages'::regclass AND attnum > 0")->types, 'ulid text ulid ulid[]');
equal('the foreign key', $connection->select("SELECT pg_get_constraintdef(oid) AS is FROM pg_constraint
    WHERE conrelid = 'messages'::regclass AND contype = 'f'")[0]->is ?? null,
    'FOREIGN KEY (answers_id) REFERENCES messages(id)');
$message = Message::create(['body' => 'hello']);
equal('the id comes back from the insert', [is_string($message->id), strlen($message->id)], [true, 26]);
equal('lookup by the id', Message::find($message->id)->body, 'hello');
$message->update(['body' => 'changed']);
equal('saved again, it is the same row', Message::pluck('body')->all(), ['changed']);
$answer = Message::create(['answers_id' => $message->id]);
equal('relations of what was just created', [$message->load('answeredBy')->answeredBy[0]->id, $answer->load('answers')->answers->id],
    [$answer->id, $message->id]);
equal('deleted', [$answer->delete(), $message->delete(), Message::count()], [true, true, 0]);
Message::insert(array_map(fn($id) => ['id' => $id, 'body' => 'x', 'mentions' => '{' . implode(',', IDS) . '}'], IDS));
equal('out as they went in, and in order', Message::orderBy('id')->pluck('id')->all(), IDS);
equal('any of many', Message::orderBy('id')->findMany([IDS[0], IDS[2]])->modelKeys(), [IDS[0], IDS[2]]);
equal('range by time', Message::madeBetween(hours(1), hours(2))->get()->modelKeys(), [IDS[1]]);
equal('to the millisecond', Message::madeBetween(hours(1)->modify('+1 msec'), hours(2)->modify('+1 msec'))->get()->modelKeys(), [IDS[2]]);
$first = Message::find(IDS[0]);
equal('an array column, and null', [$first->mentions, $first->answers_id], [IDS, null]);
$first->update(['answers_id' => IDS[1], 'mentions' => [IDS[2]]]);
equal('an array changed, a relation eager loaded', Message::with('answers')->find(IDS[0])->only('mentions') + ['id' =>
    Message::with('answers')->find(IDS[0])->answers->id], ['mentions' => [IDS[2]], 'id' => IDS[1]]);
$lower = Message::create(['answers_id' => strtolower(IDS[0])]);
equal('a key in lower case', $lower->load('answers')->answers->id, IDS[0]);
$lower->delete();
$nulls = Message::create(['mentions' => [IDS[0], null]])->fresh();
equal('an array with null, and one with nothing', [$nulls->mentions, Message::create(['mentions' => []])->fresh()->mentions],
    [[IDS[0], null], []]);
equal('an array in lower case', Message::create(['mentions' => [strtolower(IDS[0])]])->mentions, [IDS[0]]);
$raw = Message::create(['answers_id' => Manager::raw("'" . IDS[1] . "'::ulid")]);
equal('an expression', $raw->fresh()->answers_id, IDS[1]);
$digits = Message::create(['id' => str_repeat('0', 25) . '1']);
equal('an id of digits alone, as the page says', [$digits->id, Message::min('id')], [1, str_repeat('0', 25) . '1']);
Message::whereNotIn('id', IDS)->delete();
equal('chunked by id', count(iterator_to_array(Message::query()->lazyById(1))), 3);
equal('a page after a cursor', Message::pageAfter(IDS[0], 1)->get()->modelKeys(), [IDS[1]]);
if (class_exists(Illuminate\Pagination\Cursor::class)) equal("Laravel's own", Message::orderBy('id')->cursorPaginate(2, ['*'], 'cursor', new Illuminate\Pagination\Cursor(['id' => IDS[0]]))->modelKeys(), [IDS[1], IDS[2]]);
equal('a path', array_map(fn($id) => (new Message)->resolveRouteBinding($id)?->id,
    [IDS[0], strtolower(IDS[1]), to_uuid(IDS[2]), 'nope', str_repeat('U', 26), str_repeat('Z', 26), IDS[0] . "\n", substr(IDS[0], 1), '5', substr(IDS[0], 0, 25) . '9']),
    [IDS[0], IDS[1], IDS[2], null, null, null, null, null, null, null]);
fails('invalid input syntax for type ulid: "no ulid"', fn() => Message::find('no ulid'));
fails('invalid input syntax for type ulid: "no ulid"', fn() => Message::create(['id' => 'no ulid']));
fails('VALUES lists must all be the same length', fn() => Message::insert([['body' => 'a'], ['id' => '01HWT78YR004HMASW9NF6YY0R4', 'body' => 'b']]));
fails('invalid input syntax for type ulid: "2024-05-01 13:00:00"', fn() => Message::where('id', '>=', hours(1))->get());

// Columns renamed and changed, by Doctrine where Laravel is older.
$schema = $capsule->schema();
$types = fn() => $connection->selectOne("SELECT string_agg(attname || ' ' || format_type(atttypid, atttypmod), ', ' ORDER BY attnum) AS types
    FROM pg_attribute WHERE attrelid = 'others'::regclass AND attnum > 0")->types;
$schema->create('others', function ($table) {
    $table->serverUlid('id')->primary()->default(new Illuminate\Database\Query\Expression('gen_ulid()'));
    $table->serverUlids('mentions')->nullable();
    $table->string('body', 10);
});
if (method_exists($connection, 'getDoctrineConnection')) {
    fails('Unknown database type ulid requested', fn() => $schema->table('others', fn($table) => $table->renameColumn('body', 'text')));
    tell_doctrine_of_ulid($connection);
}
$schema->table('others', fn($table) => $table->renameColumn('body', 'text'));
$schema->table('others', fn($table) => $table->string('text', 20)->nullable()->change());
$schema->table('others', fn($table) => $table->renameColumn('mentions', 'ids'));
equal('renamed and changed', $types(), 'id ulid, ids ulid[], text character varying(20)');
equal('and the default is there', strlen($connection->selectOne('INSERT INTO others DEFAULT VALUES RETURNING id')->id), 26);

// What the page warns of.
Message::insert([['body' => 'a'], ['id' => '01HWT78YR004HMASW9NF6YY0R4']]);
equal('insert of rows with other keys', Message::where('body', '01HWT78YR004HMASW9NF6YY0R4')->delete(), 1);
Message::where('body', 'a')->delete();
eval('class WithoutType extends Illuminate\Database\Eloquent\Model {
    protected $table = "messages";
    protected $guarded = [];
    public $timestamps = false;
}
class NotIncrementing extends WithoutType {
    protected $keyType = "string";
    public $incrementing = false;
}');
$models = WithoutType::whereIn('id', IDS)->get();
equal('without keyType ids are numbers, and models the same', [$models->modelKeys(), $models[0]->is($models[1]), $models->unique()->count()], [[1, 1, 1], true, 1]);
$made = new NotIncrementing(['body' => 'x']);
equal('not incrementing, no id comes back', [$made->save(), $made->id, Message::whereNotIn('id', IDS)->delete()], [true, null, 1]);
$connection->statement("SET timezone = 'Asia/Tokyo'");
equal('a time as a parameter has no zone', Message::whereRaw('id >= ?::timestamptz', [hours(1)])->count(), 3);
equal('formatted, it has', Message::madeBetween(hours(1), hours(9))->count(), 2);
if (trait_exists('Illuminate\Database\Eloquent\Concerns\HasUlids')) {
    eval('class Upper extends Message {
        use Illuminate\Database\Eloquent\Concerns\HasUlids;
        protected $table = "messages";
        public function answeredBy() { return $this->hasMany(Message::class, "answers_id"); }
    }
    class Lower extends Upper {
        protected $casts = [];
    }');
    foreach (['Lower' => 0, 'Upper' => 1] as $class => $loaded) {
        $message = $class::create([]);
        Message::create(['answers_id' => $message->id]);
        equal("HasUlids, $class: what a relation loads", $message->load('answeredBy')->answeredBy->count(), $loaded);
    }
}
// Ids that the program makes, as the page says, as an object too, and paths to them.
const PAGE = '/`(use HasUuids, BindsUlids \{.*?\})`/';
foreach (['HasUuids', 'HasUlids'] as $trait) {
    if (!trait_exists("Illuminate\Database\Eloquent\Concerns\\$trait")) {
        continue;
    }
    preg_match(PAGE, file_get_contents(getenv('PAGES') . '/php.md'), $use);
    eval('namespace Illuminate\Database\Eloquent\Concerns; use BindsUlids; class By' . $trait . ' extends \Message { ' . str_replace('HasUuids', $trait, $use[1]) . '
        protected $table = "messages";
        public function answeredBy() { return $this->hasMany(\Message::class, "answers_id"); }
    }');
    $class = "Illuminate\Database\Eloquent\Concerns\By$trait";
    foreach (['makes it' => [], 'is given a UUID' => ['id' => (string) Str::uuid()], 'is given an object' => ['id' => Str::uuid()]] as $how => $given) {
        $message = $class::create($given);
        Message::create(['answers_id' => $message->id]);
        equal("$trait, $how", [$message->id, $message->load('answeredBy')->answeredBy->count(), $message->resolveRouteBinding($message->getRouteKey())?->id,
            $message->resolveRouteBinding(to_uuid($message->id))?->id, $message->resolveRouteBinding('nope')], [$message->fresh()->id, 1, $message->id, $message->id, null]);
    }
}
eval('class Numbered extends Illuminate\Database\Eloquent\Model { use BindsUlids; public $timestamps = false; protected $table = "numbered"; }');
$schema->create('numbered', fn($table) => $table->increments('id'));
$connection->statement('INSERT INTO numbered DEFAULT VALUES');
equal('a path by a number', (new Numbered)->resolveRouteBinding('1')?->id, 1);
// Laravel itself: an application of what the page shows, and of as few files besides as Laravel takes.
function laravel(): Illuminate\Foundation\Application
{
    require_once 'Illuminate/autoload.php';
    spl_autoload_register(fn($class) => str_starts_with($class, 'App\\') && require 'laravel/app/' . strtr(substr($class, 4), '\\', '/') . '.php');
    $app = new Illuminate\Foundation\Application(getcwd() . '/laravel');
    // Debian's has its own configuration where it does not look for it.
    method_exists($app, 'dontMergeFrameworkConfiguration') && $app->dontMergeFrameworkConfiguration();
    foreach (['Http', 'Console'] as $kind) {
        $app->singleton("Illuminate\Contracts\\$kind\Kernel", "Illuminate\Foundation\\$kind\Kernel");
    }
    $app->singleton(Illuminate\Contracts\Debug\ExceptionHandler::class, Illuminate\Foundation\Exceptions\Handler::class);
    return $app;
}

if (file_exists('/usr/share/php/Illuminate/Foundation')) {
    $page = file_get_contents('message_eloquent.php');
    preg_match('/^    (\$schema->create.*?^    \}\);)/ms', $page, $create);
    preg_match('/^class Message.*/ms', $page, $model);
    preg_match("/`(\\['nullable.*?\\])`/", file_get_contents(getenv('PAGES') . '/php.md'), $rule);
    $providers = array_map(fn($name) => "Illuminate\\$name" . 'ServiceProvider', ['Auth\Auth', 'Cache\Cache', 'Foundation\Providers\ConsoleSupport',
        'Database\Database', 'Encryption\Encryption', 'Filesystem\Filesystem', 'Foundation\Providers\Foundation', 'Pagination\Pagination', 'Queue\Queue',
        'Session\Session', 'Translation\Translation', 'Validation\Validation', 'View\View']);
    $files = ['config/app.php' => '<?php return ' . var_export(['env' => 'local', 'debug' => true, 'timezone' => 'UTC', 'locale' => 'en', 'fallback_locale' => 'en',
            'key' => str_repeat('k', 32), 'cipher' => 'AES-256-CBC', 'providers' => [...$providers, 'App\Providers\AppServiceProvider'], 'aliases' => []], true) . ';',
        'config/database.php' => "<?php return ['default' => 'pgsql', 'migrations' => 'migrations', 'connections' => ['pgsql' => ['driver' => 'pgsql',
            'host' => getenv('PGHOST'), 'port' => getenv('PGPORT') ?: 5432, 'username' => getenv('PGUSER'), 'password' => '', 'database' => getenv('PGDATABASE')]]];",
        'config/session.php' => "<?php return ['driver' => 'array'];", 'config/cache.php' => "<?php return ['default' => 'array', 'stores' => ['array' => ['driver' => 'array']]];",
        'config/view.php' => "<?php return ['paths' => [], 'compiled' => '/tmp'];", 'bootstrap/cache/.keep' => '', 'storage/logs/.keep' => '',
        'app/Models/Message.php' => "<?php namespace App\Models;\nuse BindsUlids, ServerUlid, UlidArray, DateTimeInterface, Illuminate\Database\Eloquent\Model;\n$model[0]",
        'app/Providers/AppServiceProvider.php' => '<?php namespace App\Providers; class AppServiceProvider extends \Illuminate\Support\ServiceProvider {
            public function register() { require_once app_path("ulid_eloquent.php"); }
            public function boot() { \Illuminate\Support\Facades\Route::middleware(\Illuminate\Routing\Middleware\SubstituteBindings::class)->group(base_path("routes/web.php")); } }',
        'database/migrations/2024_05_01_000000_create_messages_table.php' => '<?php
            use Illuminate\Database\{Migrations\Migration, Query\Expression, Schema\Blueprint}; use Illuminate\Support\Facades\{DB, Schema};
            return new class extends Migration { public function up() {
                DB::statement("CREATE EXTENSION IF NOT EXISTS ulid"); ' . str_replace('$schema->', 'Schema::', $create[1]) . ' } };',
        'routes/web.php' => '<?php use App\Models\Message; use Illuminate\Http\Request; use Illuminate\Support\Facades\Route;
            Route::get("/messages", fn() => Message::orderBy("id")->cursorPaginate(2)); Route::get("/messages/{message}", fn(Message $message) => $message);
            Route::post("/messages", fn(Request $request) => Message::create($request->validate(["answers_id" => ' . $rule[1] . '])));
            Route::post("/newer", fn(Request $request) => Message::create($request->validate(["answers_id" => ["ulid", "exists:messages,id"]])));
            Route::post("/bare", fn(Request $request) => Message::create($request->validate(["answers_id" => "exists:messages,id"])));'];
    foreach ($files as $name => $text) {
        is_dir($directory = dirname("laravel/$name")) || mkdir($directory, 0755, true);
        file_put_contents("laravel/$name", $text);
    }
    symlink('../../ulid_eloquent.php', 'laravel/app/ulid_eloquent.php');
    $connection->statement('DROP TABLE messages, others');
    $artisan = 'php eloquent.php artisan';
    equal('migrate and schema:dump', shell_exec("$artisan migrate --force && $artisan schema:dump && echo done"), "done\n");
    equal('restored from schema:dump, it goes on', shell_exec("bash restored.sh '$artisan migrate --force' '$artisan migrate --force 2>&1 | grep -c Nothing'"), "same\n1\n");
    $kernel = laravel()->make(Illuminate\Contracts\Http\Kernel::class);
    $ask = function (string $path, ?array $body = null) use ($kernel) {
        $answer = $kernel->handle(Illuminate\Http\Request::create($path, $body ? 'POST' : 'GET', [], [], [],
            ['HTTP_ACCEPT' => 'application/json', 'CONTENT_TYPE' => 'application/json'], json_encode($body)));
        return [$answer->getStatusCode(), json_decode($answer->getContent(), true)];
    };
    $made = array_map(fn() => $ask('/messages', ['answers_id' => null])[1]['id'], IDS);
    $lower = strtolower($made[0]);
    equal('requests', array_map(fn($path) => $ask($path)[0], ["/messages/$made[0]", "/messages/$lower", '/messages/nope', '/messages/' . IDS[0]]), [200, 200, 404, 404]);
    equal('validated', array_map(fn($id) => $ask('/messages', ['answers_id' => $id])[0], [$lower, 'nope', 5, [], IDS[0]]), [201, 422, 422, 422, 422]);
    if (Illuminate\Foundation\Application::VERSION >= 9) {
        equal('by the rule ulid', array_map(fn($id) => $ask('/newer', ['answers_id' => $id])[0], [$lower, 'nope', 5, IDS[0]]), [201, 422, 422, 422]);
    }
    $cursor = strtr(base64_encode('{"id":"no ulid","_pointsToNextItems":true}'), '+/', '-_');
    $page = $ask('/messages')[1];
    $next = $ask($page['next_page_url'])[1];
    equal('two pages', array_column([...$page['data'], ...array_slice($next['data'], 0, 1)], 'id'), $made);
    foreach ([$ask('/bare', ['answers_id' => 'no ulid']), $ask("/messages?cursor=$cursor")] as [$status, $answer]) {
        fails('invalid input syntax for type ulid: "no ulid"', fn() => throw new Exception(strtr($answer['message'], ['\\"' => '"'])));
    }
}
done();
