//! The crates postgres and tokio-postgres, which go by the type.
mod common;

use common::{IDS, NOON, fails, reads, url};
use pgulid::Id;
use postgres::{Client, NoTls};
use postgres::types::ToSql;
use std::error::Error;
use std::time::{Duration, SystemTime};
use ulid::Ulid;
use uuid::Uuid;

pub fn between(
    client: &mut Client, begin: SystemTime, end: SystemTime,
) -> Result<Vec<Id>, postgres::Error> {
    let query = "SELECT id FROM message WHERE id >= $1::timestamptz AND id < $2::timestamptz";
    Ok(client.query(query, &[&begin, &end])?.iter().map(|row| row.get(0)).collect())
}

fn ids() -> [Id; 3] {
    IDS.map(|text| text.parse().unwrap())
}

#[test]
fn texts_are_read_as_the_server_reads_them() {
    reads(|text| text.parse::<Id>());
    reads(|text| serde_json::from_value::<Id>(text.into()));
    assert_eq!(serde_json::to_string(&ids()).unwrap(), format!("{IDS:?}").replace(", ", ","));
    assert_eq!(serde_json::from_str::<Id>(&format!("{:?}", IDS[0].to_lowercase())).unwrap(), ids()[0]);
}

#[test]
fn ids_arrays_times_and_casts() {
    let client = &mut Client::connect(&url(), NoTls).unwrap();
    client.batch_execute("BEGIN").unwrap();
    let id: Id = client.query_one("INSERT INTO message (body) VALUES ('hello') RETURNING id", &[]).unwrap().get(0);
    let own: String = client.query_one("DELETE FROM message RETURNING id::text", &[]).unwrap().get(0);
    assert_eq!(id.to_string(), own);

    let ids = ids();
    for id in &ids {
        client.execute("INSERT INTO message (id) VALUES ($1)", &[id]).unwrap();
    }
    let hour = |n: u64| SystemTime::UNIX_EPOCH + Duration::from_secs(NOON + 3600 * n);
    assert_eq!(between(client, hour(1), hour(2)).unwrap(), [ids[1]]);
    let query = "SELECT array_agg(id ORDER BY id), NULL::ulid FROM message WHERE id = ANY($1)";
    let row = client.query_one(query, &[&&ids[1..]]).unwrap();
    assert_eq!((row.get::<_, Vec<Id>>(0), row.get::<_, Option<Id>>(1)), (ids[1..].to_vec(), None));
    let query = "SELECT id::text FROM message WHERE id = $1::text::ulid";
    assert_eq!(client.query_one(query, &[&IDS[1]]).unwrap().get::<_, String>(0), IDS[1]);
    let uuid: Uuid = client.query_one("SELECT id::uuid FROM message WHERE id = $1", &[&ids[1]]).unwrap().get(0);
    let found: Id = client.query_one("SELECT id FROM message WHERE id = $1::uuid", &[&uuid]).unwrap().get(0);
    assert_eq!((Id::from(Ulid::from(uuid)), found), (ids[1], ids[1]));
}

#[test]
fn other_types_are_refused() {
    let client = &mut Client::connect(&url(), NoTls).unwrap();
    let text = |error: postgres::Error| format!("{error}: {:?}", error.source().map(|source| source.to_string()));
    let read = client.query_one("SELECT gen_ulid()", &[]).unwrap().try_get::<_, String>(0).err();
    fails("cannot convert between the Rust type `alloc::string::String` and the Postgres type `ulid`", read.map(text));
    let (uuid, time) = (Uuid::nil(), SystemTime::now());
    let values: [(&str, &(dyn ToSql + Sync)); 3] =
        [("&str", &IDS[1]), ("uuid::Uuid", &uuid), ("std::time::SystemTime", &time)];
    for (name, value) in values {
        let error = client.query("SELECT FROM message WHERE id >= $1", &[value]).err();
        fails(&format!("cannot convert between the Rust type `{name}` and the Postgres type `ulid`"), error.map(text));
    }
}
