// The crates postgres and tokio-postgres of Rust, which go by the type.
use bytes::{BufMut, BytesMut};
use postgres::types::{to_sql_checked, FromSql, IsNull, ToSql, Type};
use postgres::{Client, Config, NoTls};
use std::error::Error;
use std::fmt::Debug;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};
use ulid::Ulid;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Id(pub Ulid);

impl<'a> FromSql<'a> for Id {
    fn from_sql(_: &Type, raw: &'a [u8]) -> Result<Id, Box<dyn Error + Sync + Send>> {
        Ok(Id(Ulid::from_bytes(raw.try_into()?)))
    }
    fn accepts(ty: &Type) -> bool {
        ty.name() == "ulid"
    }
}

impl ToSql for Id {
    fn to_sql(&self, _: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        out.put_slice(&self.0.to_bytes());
        Ok(IsNull::No)
    }
    fn accepts(ty: &Type) -> bool {
        ty.name() == "ulid"
    }
    to_sql_checked!();
}

pub fn add(client: &mut Client, body: &str) -> Result<Id, postgres::Error> {
    Ok(client.query_one("INSERT INTO message (body) VALUES ($1) RETURNING id", &[&body])?.get(0))
}

pub fn between(client: &mut Client, begin: SystemTime, end: SystemTime) -> Result<Vec<Id>, postgres::Error> {
    let query = "SELECT id FROM message WHERE id >= $1::timestamptz AND id < $2::timestamptz";
    Ok(client.query(query, &[&begin, &end])?.iter().map(|row| row.get(0)).collect())
}

// Noon and one and two hours later.
const IDS: [&str; 3] = ["01HWT0D7G004HMASW9NF6YY081", "01HWT3V34004HMASW9NF6YY0G2", "01HWT78YR004HMASW9NF6YY0R3"];

fn main() -> Result<(), Box<dyn Error>> {
    let variable = |name| std::env::var(name).unwrap();
    let mut config = Config::new();
    config.host(&variable("PGHOST")).user(&variable("PGUSER")).dbname(&variable("PGDATABASE"));
    config.port(std::env::var("PGPORT").map_or(5432, |port| port.parse().unwrap()));
    let client = &mut config.connect(NoTls)?;

    let id = add(client, "hello")?;
    let text: String = client.query_one("SELECT id::text FROM message", &[])?.get(0);
    equal("the default comes back", id.0.to_string(), text);
    client.execute("DELETE FROM message", &[])?;
    let ids = IDS.map(|text| Id(Ulid::from_string(text).unwrap()));
    for id in &ids {
        client.execute("INSERT INTO message (id) VALUES ($1)", &[id])?;
    }
    let hour = |n| SystemTime::UNIX_EPOCH + Duration::from_secs(1714564800 + 3600 * n);
    equal("a range of time", between(client, hour(1), hour(2))?, vec![ids[1]]);
    let row = client.query_one("SELECT array_agg(id ORDER BY id), NULL::ulid FROM message WHERE id = ANY($1)", &[&&ids[1..]])?;
    equal("arrays and NULL", (row.get::<_, Vec<Id>>(0), row.get::<_, Option<Id>>(1)), (ids[1..].to_vec(), None));
    let text = client.query_one("SELECT id::text FROM message WHERE id = $1::text::ulid", &[&IDS[1]])?.get::<_, String>(0);
    equal("a String with casts", text, IDS[1].into());

    let read = client.query_one("SELECT id FROM message LIMIT 1", &[])?.try_get::<_, String>(0).err();
    fails("cannot convert between the Rust type `alloc::string::String` and the Postgres type `ulid`", read);
    fails("cannot convert between the Rust type `&str` and the Postgres type `ulid`",
        client.query("SELECT FROM message WHERE id = $1", &[&IDS[1]]).err());
    fails("cannot convert between the Rust type `std::time::SystemTime` and the Postgres type `ulid`",
        client.query("SELECT FROM message WHERE id >= $1", &[&hour(1)]).err());
    println!("1..{}", COUNT.load(Ordering::Relaxed));
    Ok(())
}

static COUNT: AtomicUsize = AtomicUsize::new(0);

fn equal<T: PartialEq + Debug>(name: &str, got: T, expected: T) {
    let count = COUNT.fetch_add(1, Ordering::Relaxed) + 1;
    if got == expected {
        println!("ok {count} - {name}");
    } else {
        println!("not ok {count} - {name}\n# got {got:?}\n# expected {expected:?}");
    }
}

fn fails(message: &str, error: Option<postgres::Error>) {
    let text = |error: postgres::Error| format!("{error}: {:?}", error.source().map(|source| source.to_string()));
    let got = error.map_or("no error".into(), text);
    equal(&format!("fails: {message}"), if got.contains(message) { message } else { &got }, message);
}
