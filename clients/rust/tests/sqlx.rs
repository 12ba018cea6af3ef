//! sqlx, whose macros ask the database of DATABASE_URL when the test is compiled.
mod common;

use common::{Database, IDS, NOON, fails};
use pgulid::Id;
use sqlx::{Connection, Row};
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::types::chrono::{DateTime, Utc};
use std::time::Duration;

pub async fn between(
    connection: &mut PgConnection, begin: DateTime<Utc>, end: DateTime<Utc>,
) -> sqlx::Result<Vec<Id>> {
    let query = sqlx::query_scalar("SELECT id FROM message WHERE id >= $1 AND id < $2");
    query.bind(begin).bind(end).fetch_all(connection).await
}

async fn connect(database: &Database) -> PgConnection {
    PgConnection::connect_with(&PgConnectOptions::new().database(&database.name)).await.unwrap()
}

#[tokio::test]
async fn the_default_comes_back() -> sqlx::Result<()> {
    let database = tokio::task::spawn_blocking(|| Database::new("sqlx_default")).await.unwrap();
    let mut connection = connect(&database).await;
    let insert = sqlx::query_scalar("INSERT INTO message (body) VALUES ('hello') RETURNING id");
    let id: Id = insert.fetch_one(&mut connection).await?;
    let text: String = sqlx::query_scalar("SELECT id::text FROM message").fetch_one(&mut connection).await?;
    assert_eq!(id.to_string(), text);
    let query = sqlx::query!(r#"SELECT id AS "id: Id", body FROM message WHERE id = $1"#, id as Id);
    let row = query.fetch_one(&mut connection).await?;
    assert_eq!((row.id, row.body), (id, Some("hello".into())));
    tokio::task::spawn_blocking(|| drop(database)).await.unwrap();
    Ok(())
}

#[tokio::test]
async fn a_changed_type_needs_a_new_connection_and_a_schema_the_search_path() -> sqlx::Result<()> {
    let database = tokio::task::spawn_blocking(|| Database::new("sqlx_changed")).await.unwrap();
    let mut connection = connect(&database).await;
    sqlx::raw_sql("ALTER TABLE message ALTER id TYPE uuid").execute(&mut connection).await?;
    let uuids = "SELECT id FROM message";
    sqlx::query(uuids).fetch_all(&mut connection).await?;
    sqlx::raw_sql("ALTER TABLE message ALTER id TYPE ulid").execute(&mut connection).await?;
    for _ in 0..2 {
        fails("cached plan must not change result type", sqlx::query(uuids).fetch_all(&mut connection).await.err());
    }
    let mut connection = connect(&database).await;
    sqlx::query(uuids).fetch_all(&mut connection).await?;
    let id = IDS[0].parse::<Id>().unwrap();
    let mut connection = connect(&database).await; // which has not seen the type
    sqlx::raw_sql("SET search_path = pg_catalog").execute(&mut connection).await?;
    fails("type named ulid not found", sqlx::query("SELECT $1").bind(id).execute(&mut connection).await.err());
    sqlx::raw_sql("SET search_path = pg_catalog, public").execute(&mut connection).await?;
    assert_eq!(sqlx::query_scalar::<_, Id>("SELECT $1").bind(id).fetch_one(&mut connection).await?, id);
    tokio::task::spawn_blocking(|| drop(database)).await.unwrap();
    Ok(())
}

#[tokio::test]
async fn ids_arrays_times_and_null() -> sqlx::Result<()> {
    let database = tokio::task::spawn_blocking(|| Database::new("sqlx")).await.unwrap();
    let mut connection = connect(&database).await;
    let ids = IDS.map(|text| text.parse::<Id>().unwrap());
    for id in &ids {
        sqlx::query("INSERT INTO message (id) VALUES ($1)").bind(id).execute(&mut connection).await?;
    }
    let query = sqlx::query_scalar("SELECT id::text FROM message ORDER BY id");
    let texts: Vec<String> = query.fetch_all(&mut connection).await?;
    assert_eq!(texts, IDS);
    let noon = DateTime::<Utc>::from_timestamp(NOON as i64, 0).unwrap();
    let hour = Duration::from_secs(3600);
    assert_eq!(between(&mut connection, noon + hour, noon + hour * 2).await?, [ids[1]]);
    let query = sqlx::query_scalar("SELECT array_agg(id ORDER BY id) FROM message WHERE id = ANY($1)");
    let array: Vec<Id> = query.bind(&ids[1..]).fetch_one(&mut connection).await?;
    assert_eq!(array, ids[1..]);
    let null: Option<Id> = sqlx::query_scalar("SELECT NULL::ulid").fetch_one(&mut connection).await?;
    assert_eq!(null, None);
    let query = sqlx::query_scalar("SELECT id FROM message WHERE id = $1::ulid");
    assert_eq!(query.bind(IDS[1]).fetch_one(&mut connection).await.ok(), Some(ids[1]));

    sqlx::raw_sql("CREATE TABLE visit (id uuid DEFAULT gen_uuidv7()); INSERT INTO visit VALUES (DEFAULT)")
        .execute(&mut connection).await?;
    let now = Utc::now();
    let visits = "SELECT id FROM visit WHERE id >= uuidv7_min($1) AND id < uuidv7_min($2)";
    let query = sqlx::query_scalar(visits);
    let visits: Vec<sqlx::types::Uuid> = query.bind(now - hour).bind(now + hour).fetch_all(&mut connection).await?;
    assert_eq!(visits.len(), 1);

    let rows = sqlx::raw_sql("SELECT id, ARRAY[id] AS ids FROM message ORDER BY id").fetch_all(&mut connection).await?;
    assert_eq!(rows.iter().map(|row| row.get::<Id, _>("id")).collect::<Vec<_>>(), ids);
    assert_eq!(rows[0].get::<Vec<Id>, _>("ids"), ids[..1]);

    let text = sqlx::query("SELECT FROM message WHERE id = $1").bind(IDS[1]).execute(&mut connection).await;
    fails("operator does not exist: ulid = text", text.err());
    let text = sqlx::query_scalar::<_, String>("SELECT id FROM message").fetch_one(&mut connection).await;
    fails("is not compatible with SQL type `ulid`", text.err());
    let query = sqlx::query_scalar::<_, Vec<Id>>("SELECT ARRAY[NULL::ulid]");
    fails("unexpected null; try decoding as an `Option`", query.fetch_one(&mut connection).await.err());
    tokio::task::spawn_blocking(|| drop(database)).await.unwrap();
    Ok(())
}
