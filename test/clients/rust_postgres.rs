// The crates postgres and tokio-postgres of Rust, which go by the type.
use pgulid::Id;
use postgres::types::ToSql;
use postgres::{Client, Config, NoTls};
use std::error::Error;
use std::time::{Duration, SystemTime};
use tap::{IDS, NOON, equal, fails, reads};
use ulid::Ulid;
use uuid::Uuid;

mod tap;

// clients/rust/README.md: client: &mut Client

fn text(error: postgres::Error) -> String {
    format!("{error}: {:?}", error.source().map(|source| source.to_string()))
}

fn main() -> Result<(), Box<dyn Error>> {
    let variable = |name| std::env::var(name).unwrap();
    let mut config = Config::new();
    config.host(&variable("PGHOST")).user(&variable("PGUSER")).dbname(&variable("PGDATABASE"));
    config.port(std::env::var("PGPORT").map_or(5432, |port| port.parse().unwrap()));
    let client = &mut config.connect(NoTls)?;

    let id: Id = client.query_one("INSERT INTO message (body) VALUES ('hello') RETURNING id", &[])?.get(0);
    let own: String = client.query_one("SELECT id::text FROM message", &[])?.get(0);
    equal("the default comes back", id.to_string(), own);
    client.execute("DELETE FROM message", &[])?;
    let ids = IDS.map(|text| text.parse::<Id>().unwrap());
    equal("JSON", serde_json::to_string(&ids)?, format!("{IDS:?}").replace(", ", ","));
    equal("JSON with another spelling", serde_json::from_str::<Id>(&format!("{:?}", IDS[0].to_lowercase()))?, ids[0]);
    reads("parse", |text| text.parse::<Id>());
    reads("JSON", |text| serde_json::from_value::<Id>(text.into()));
    for id in &ids {
        client.execute("INSERT INTO message (id) VALUES ($1)", &[id])?;
    }
    let hour = |n: u64| SystemTime::UNIX_EPOCH + Duration::from_secs(NOON + 3600 * n);
    equal("a range of time", between(client, hour(1), hour(2))?, vec![ids[1]]);
    let query = "SELECT array_agg(id ORDER BY id), NULL::ulid FROM message WHERE id = ANY($1)";
    let row = client.query_one(query, &[&&ids[1..]])?;
    equal("arrays and NULL", (row.get::<_, Vec<Id>>(0), row.get::<_, Option<Id>>(1)), (ids[1..].to_vec(), None));
    let query = "SELECT id::text FROM message WHERE id = $1::text::ulid";
    let cast = client.query_one(query, &[&IDS[1]])?.get::<_, String>(0);
    equal("a String with casts", cast, IDS[1].into());

    let uuid: Uuid = client.query_one("SELECT id::uuid FROM message WHERE id = $1", &[&ids[1]])?.get(0);
    let found: Id = client.query_one("SELECT id FROM message WHERE id = $1::uuid", &[&uuid])?.get(0);
    equal("a Uuid with casts", (Id::from(Ulid::from(uuid)), found), (ids[1], ids[1]));

    let read = client.query_one("SELECT id FROM message LIMIT 1", &[])?.try_get::<_, String>(0).err();
    fails("cannot convert between the Rust type `alloc::string::String` and the Postgres type `ulid`", read.map(text));
    let time = hour(1);
    let values: [(&str, &(dyn ToSql + Sync)); 3] =
        [("&str", &IDS[1]), ("uuid::Uuid", &uuid), ("std::time::SystemTime", &time)];
    for (name, value) in values {
        let error = client.query("SELECT FROM message WHERE id >= $1", &[value]).err();
        fails(&format!("cannot convert between the Rust type `{name}` and the Postgres type `ulid`"), error.map(text));
    }
    Ok(())
}
