<?php
// Eloquent, outside of Laravel.
require 'Illuminate/Database/autoload.php';
require 'Illuminate/Validation/autoload.php';
require 'tap.php';

use Illuminate\Database\Capsule\Manager;
use Illuminate\Database\Eloquent\Model;
use Illuminate\Database\Query\Expression;
use Illuminate\Database\Schema\Blueprint;
use PgUlid\Eloquent\BindsUlids;
use PgUlid\Eloquent\Columns;
use PgUlid\Eloquent\ServerUlid;
use PgUlid\Eloquent\UlidArray;

database('ulid_php_eloquent');
Columns::register();
$capsule = new Manager();
$capsule->addConnection(['driver' => 'pgsql', 'host' => getenv('PGHOST'), 'port' => getenv('PGPORT') ?: 5432,
    'username' => getenv('PGUSER'), 'database' => getenv('PGDATABASE')]);
$capsule->bootEloquent();
$capsule->setAsGlobal();
class Schema
{
    public static function __callStatic(string $name, array $arguments)
    {
        Manager::schema()->$name(...$arguments);
    }
}
class_alias(Manager::class, 'DB');

class Message extends Model
{
    use BindsUlids;

    protected $keyType = 'string'; // leave $incrementing true, so that the id is read back
    protected $guarded = [];
    protected $casts = [
        'id' => ServerUlid::class, 'answers_id' => ServerUlid::class,
        'mentions' => UlidArray::class];
    public $timestamps = false;

    public function scopeMadeBetween($query, DateTimeInterface $begin, DateTimeInterface $end)
    {
        return $query->whereRaw('id >= ?::timestamptz AND id < ?::timestamptz',
            [$begin->format('Y-m-d H:i:s.uP'), $end->format('Y-m-d H:i:s.uP')]);
    }

    public function friends()
    {
        return $this->belongsToMany(self::class, 'friends', 'message_id', 'friend_id')->withPivot('since');
    }

    public function answers()
    {
        return $this->belongsTo(self::class, 'answers_id');
    }
}

class Uncast extends Model
{
    protected $table = 'messages';
    public $timestamps = false;
}

DB::statement('CREATE EXTENSION IF NOT EXISTS ulid');
Schema::create('messages', function (Blueprint $table) {
    $table->serverUlid('id')->default(new Expression('gen_ulid()'));
    $table->primary('id'); // before the foreign key that refers to it
    $table->text('body')->nullable();
    $table->serverUlid('answers_id')->nullable();
    $table->foreign('answers_id')->references('id')->on('messages');
    $table->serverUlids('mentions')->nullable();
});
$connection = $capsule->getConnection();
equal('the columns', $connection->selectOne("
    SELECT string_agg(format_type(atttypid, atttypmod), ' ' ORDER BY attnum) AS types
    FROM pg_attribute WHERE attrelid = 'messages'::regclass AND attnum > 0")->types, 'ulid text ulid ulid[]');
$message = Message::create(['body' => 'hello']);
equal('the id comes back', [is_string($message->id), strlen($message->id)], [true, 26]);
equal('find', Message::find($message->id)->body, 'hello');
$answer = Message::create(['answers_id' => strtolower($message->id), 'mentions' => [strtolower(IDS[0]), null]]);
equal('a relation by a key in lower case', $answer->load('answers')->answers->id, $message->id);
equal('an array with NULL', [$answer->mentions, $answer->fresh()->mentions], [[IDS[0], null], [IDS[0], null]]);
$array = fn($column) => (new Message())->setRawAttributes(['mentions' => $column])->mentions;
equal('an array with a lower bound', $array('[2:3]={' . IDS[0] . ',NULL}'), [IDS[0], null]);
fails('not an array of one dimension', fn() => $array('{{' . IDS[0] . '},{' . IDS[1] . '}}'));
foreach ([IDS[0] . ',' . IDS[1], 'NULL', '', '{}', '"', '\\'] as $wrong) {
    fails("invalid input syntax for type ulid: \"$wrong\"", fn() => Message::create(['mentions' => [$wrong]]));
    equal('before, it is kept as it is', (new Message(['mentions' => [$wrong, null]]))->mentions, [$wrong, null]);
}
equal('an empty array', Message::create(['mentions' => []])->fresh()->mentions, []);
Message::query()->delete();
Message::insert(array_map(fn($id) => ['id' => $id], IDS));
equal('a range of time', Message::madeBetween(hours(1), hours(2))->get()->modelKeys(), [IDS[1]]);
$later = Message::madeBetween(hours(1)->modify('+1 msec'), hours(2)->modify('+1 msec'));
equal('to the millisecond', $later->get()->modelKeys(), [IDS[2]]);
reads('a cast', fn($id) => ServerUlid::is($id) ? (new Message(['id' => $id]))->id : throw new Exception());
DB::statement('CREATE TABLE friends (message_id ulid, friend_id ulid, since int)');
$message = Message::find(IDS[0]);
$message->friends()->attach(IDS[1], ['since' => 5]);
equal('sync() by another spelling changes nothing', array_map(
    fn($id) => [array_filter($message->friends()->sync([$id])), $message->friends()->first()->pivot->since],
    [strtolower(IDS[1]), UUID]), [[[], 5], [[], 5]]);
equal('a path', array_map(fn($id) => (new Message())->resolveRouteBinding($id)?->id,
    [IDS[0], strtolower(IDS[1]), UUID, 'nope']), [IDS[0], IDS[1], IDS[1], null]);
equal('a column that is no key', (new Message())->resolveRouteBinding('hello', 'body'), null);
fails('invalid input syntax for type ulid: "not an id"', fn() => Message::find('not an id'));
fails('invalid input syntax for type ulid: "2024-05-01 13:00:00"', fn() => Message::where('id', '>=', hours(1))->get());
$unlike = [['body' => 'a'], ['id' => IDS[0], 'body' => 'b']];
fails('VALUES lists must all be the same length', fn() => Message::insert($unlike));
$exists = function (string $id, array $rules) use ($capsule) {
    $translator = new Illuminate\Translation\Translator(new Illuminate\Translation\ArrayLoader(), 'en');
    $validator = new Illuminate\Validation\Validator($translator, ['id' => $id], ['id' => $rules]);
    $validator->setPresenceVerifier(new Illuminate\Validation\DatabasePresenceVerifier($capsule->getDatabaseManager()));
    return $validator->passes();
};
fails('invalid input syntax for type ulid: "not an id"', fn() => $exists('not an id', ['exists:messages,id']));
equal('an exists rule', $exists(strtolower(IDS[0]), ['exists:messages,id']), true);
if (trait_exists(Illuminate\Database\Eloquent\Concerns\HasUlids::class)) { // Laravel 9 and later
    equal('with the rule ulid before', array_map(fn($id) => $exists($id, ['bail', 'ulid', 'exists:messages,id']),
        [IDS[0], strtolower(IDS[0]), 'not an id', '8' . substr(IDS[0], 1)]), [true, true, false, false]);
    class Own extends Uncast
    {
        use Illuminate\Database\Eloquent\Concerns\HasUlids;

        protected $casts = ['id' => ServerUlid::class];
    }
    $own = new Own();
    $own->save();
    equal('HasUlids with the cast', [$own->id === strtoupper($own->id), Own::find($own->id)->id], [true, $own->id]);
    $own->delete();
}
// A reference whose type is not that of the key.
class Person extends Uncast
{
    protected $table = 'people';
    protected $keyType = 'string';

    public function visits()
    {
        return $this->hasMany(Visit::class);
    }
}
class Visit extends Uncast { protected $table = 'visits'; }
DB::statement('CREATE TABLE people (id uuid PRIMARY KEY DEFAULT gen_uuidv7())');
DB::statement('CREATE TABLE visits (id ulid PRIMARY KEY DEFAULT gen_ulid(), person_id ulid REFERENCES people)');
DB::statement('WITH p AS (INSERT INTO people DEFAULT VALUES RETURNING id)
    INSERT INTO visits (person_id) SELECT id FROM p');
$visits = function () {
    $person = Person::with('visits')->withCount('visits')->first();
    return [count($person->visits), $person->visits_count];
};
equal('a reference of the other type is silently empty', $visits(), [0, 1]);
DB::statement('ALTER TABLE people ALTER id TYPE ulid');
equal('with one type, it is read', $visits(), [1, 1]);
DB::statement('ALTER TABLE people ALTER id TYPE uuid');
$code = fn($id) => error_of(fn() => Message::find($id))?->getCode();
equal('the SQLSTATE', [$code('not an id'), $code('8' . substr(IDS[0], 1))], ['22P02', '22003']);
$connection->statement("SET timezone = 'Asia/Tokyo'");
equal('a time as a parameter loses its zone', Message::whereRaw('id >= ?::timestamptz', [hours(1)])->count(), 3);
equal('without keyType ids are numbers', Uncast::whereIn('id', IDS)->get()->modelKeys(), [1, 1, 1]);
$made = new Person();
$made->incrementing = false;
equal('not incrementing, no id comes back', [$made->save(), $made->id], [true, null]);
DB::statement('TRUNCATE people CASCADE');
DB::statement("INSERT INTO people VALUES (gen_uuidv7(?)), (gen_uuidv7())", [hours(0)->format('c')]);
$since = [hours(1)->format('Y-m-d H:i:s.uP')];
equal('a range of time of a uuid column', Person::whereRaw('id >= uuidv7_min(?)', $since)->count(), 1);
