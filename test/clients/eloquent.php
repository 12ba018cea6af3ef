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
require 'message_eloquent.php';
require 'tap.php';

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
Message::whereNotIn('id', IDS)->delete();
equal('chunked by id', count(iterator_to_array(Message::query()->lazyById(1))), 3);
equal('a page after a cursor', Message::pageAfter(IDS[0], 1)->get()->modelKeys(), [IDS[1]]);
if (class_exists(Illuminate\Pagination\Cursor::class)) equal("Laravel's own", Message::orderBy('id')->cursorPaginate(2, ['*'], 'cursor', new Illuminate\Pagination\Cursor(['id' => IDS[0]]))->modelKeys(), [IDS[1], IDS[2]]);
equal('a path', array_map(fn($id) => (new Message)->resolveRouteBinding($id)?->id,
    [IDS[0], strtolower(IDS[1]), 'nope', str_repeat('U', 26), str_repeat('Z', 26), IDS[0] . "\n", substr(IDS[0], 1), '5', substr(IDS[0], 0, 25) . '9']),
    [IDS[0], IDS[1], null, null, null, null, null, null, null]);
fails('invalid input syntax for type ulid: "no ulid"', fn() => Message::find('no ulid'));
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
done();
