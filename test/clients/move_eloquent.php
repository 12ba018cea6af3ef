<?php
// Eloquent, through the move: see move.pl.
// can happen: cached plan must not change result type
require 'moving.php';
require 'Illuminate/Database/autoload.php';
require_once 'Illuminate/Queue/autoload.php';

use Illuminate\Contracts\Database\Eloquent\CastsAttributes;
use Illuminate\Database\Capsule\Manager;
use Illuminate\Database\Eloquent\Model;

require 'ulid_eloquent.php';
require 'uuid_or_ulid_eloquent.php';
require 'uuid_or_ulid_pdo.php';

$capsule = new Manager();
$capsule->addConnection(['driver' => 'pgsql', 'host' => getenv('PGHOST'), 'port' => getenv('PGPORT') ?: 5432, 'username' => getenv('PGUSER'), 'database' => getenv('PGDATABASE'),
    'options' => MODE === 'both' ? [PDO::ATTR_STATEMENT_CLASS => [UuidOrUlidStatement::class]] : []]);
$capsule->bootEloquent();
$capsule->setAsGlobal();

const ONE = MODE === 'ulid' ? ServerUlid::class : 'string';

class Customer extends Model
{
    use FindsBoth;

    protected $keyType = 'string';
    protected $guarded = [];
    protected $casts = ['id' => ONE];
    public $timestamps = false;

    public function orders()
    {
        return $this->hasMany(Order::class);
    }

    public function records() // orders as a pivot
    {
        return $this->belongsToMany(self::class, 'orders', 'customer_id', 'record_id')->withPivot('id', 'record_type');
    }

    public function recordsThrough()
    {
        return $this->hasManyThrough(self::class, Order::class, 'customer_id', 'id', 'id', 'record_id');
    }
}

class Queued // what a job holds
{
    use Illuminate\Queue\SerializesAndRestoresModelIdentifiers;

    public function customers(array $ids): array
    {
        return $this->getRestoredPropertyValue(new Illuminate\Contracts\Database\ModelIdentifier(Customer::class, $ids, [], null))->modelKeys();
    }
}

class MadeHere extends Customer // whose ids the program makes, as HasUuids does, also in the last step
{
    protected $table = 'customers';
    public $incrementing = false;
}

class Order extends Model
{
    protected $keyType = 'string';
    protected $guarded = [];
    protected $casts = ['id' => ONE, 'customer_id' => ONE, 'record_id' => ONE, 'others' => UlidArray::class];
    public $timestamps = false;

    public function record()
    {
        return $this->morphTo();
    }
}

class Client
{
    public function addCustomer(string $name): string
    {
        if (MODE !== 'ulid') {
            return Customer::create(['name' => $name])->id;
        }
        $uuid = preg_replace('/^(.{8})(.{4})(.{4})(.{4})/', '$1-$2-$3-$4-', bin2hex(random_bytes(16)));
        $customer = MadeHere::create(['id' => $uuid, 'name' => $name]);
        same($customer->id, to_ulid($uuid));
        return $customer->id;
    }

    public function addOrder(string $customer, string $type, string $record, array $others): void
    {
        Order::create(['customer_id' => $customer, 'record_type' => $type, 'record_id' => $record, 'others' => $others]);
    }

    public function rename(string $id, string $name): int
    {
        return (int) Customer::find($id)->update(['name' => $name]);
    }

    public function customer(string $id): array
    {
        if (MODE === 'both') { // as a path of Laravel finds it
            same(array_map(fn($path) => (new Customer())->resolveRouteBinding($path)?->id, [...FIRST, 'nope', '']), [FIRST[0], FIRST[0], null, null]);
        }
        // which waits since before the last step, as the page says
        same((new Queued())->customers([FIRST[0]]), MODE === 'ulid' ? [] : [FIRST[0]]);
        return array_values(Customer::findOrFail($id)->only('id', 'name'));
    }

    public function ordersOf(string $id): array // which it finds again in PHP, by the strings
    {
        $customer = Customer::with('orders.record', 'records', 'recordsThrough')->findMany([$id])->first();
        $orders = $customer->orders;
        [$order, $record] = [$orders[0], $orders[0]->record_id];
        same($order->record->id, $record);
        same($customer->records->map(fn($record) => [$record->id, $record->pivot->customer_id, $record->pivot->id])->all(), [[$record, $id, $order->id]]);
        same($customer->recordsThrough->modelKeys(), [$record]);
        same($customer->records()->sync([$record]), ['attached' => [], 'detached' => [], 'updated' => []]);
        if (MODE === 'ulid') { // a UUID that a form has kept: without to_ulid a second row, as the page says
            foreach ([$record => 0, to_uuid($record) => 1] as $kept => $attached) {
                Manager::connection()->beginTransaction();
                same(count($customer->records()->syncWithoutDetaching([$kept])['attached']), $attached);
                Manager::connection()->rollBack();
            }
        }
        same(Customer::where('customers.id', $id)->pluck('customers.id', 'id')->all(), [$id => $id]);
        same($order->fill(['customer_id' => $id, 'record_id' => $record])->getDirty(), []);
        return $orders->map(fn($order) => array_values($order->only('customer_id', 'record_type', 'record_id', 'others')))->all();
    }
}

rounds(new Client());
