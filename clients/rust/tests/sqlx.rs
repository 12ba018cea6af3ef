//! sqlx. Its macros ask the database of DATABASE_URL when the test is compiled, and make others beside it.
mod common;

use common::{IDS, NOON, fails};
use pgulid::Id;
use sqlx::{Connection, PgConnection, PgPool, Row};
use sqlx::types::chrono::{DateTime, Utc};
use std::time::Duration;

pub async fn between(
    connection: &mut PgConnection, begin: DateTime<Utc>, end: DateTime<Utc>,
) -> sqlx::Result<Vec<Id>> {
    let query = sqlx::query_scalar("SELECT id FROM message WHERE id >= $1 AND id < $2");
    query.bind(begin).bind(end).fetch_all(connection).await
}

#[sqlx::test(fixtures("./tables.sql"))]
async fn a_changed_type_needs_a_new_connection_and_a_schema_the_search_path(pool: PgPool) -> sqlx::Result<()> {
    let connect = || async { PgConnection::connect_with(&pool.connect_options()).await.unwrap() };
    let connection = &mut connect().await;
    sqlx::raw_sql("ALTER TABLE message ALTER id TYPE uuid").execute(&mut *connection).await?;
    let uuids = "SELECT id FROM message";
    sqlx::query(uuids).fetch_all(&mut *connection).await?;
    sqlx::raw_sql("ALTER TABLE message ALTER id TYPE ulid").execute(&mut *connection).await?;
    for _ in 0..2 {
        fails("cached plan must not change result type", sqlx::query(uuids).fetch_all(&mut *connection).await.err());
    }
    sqlx::query(uuids).fetch_all(&mut connect().await).await?;
    let connection = &mut connect().await; // which has not seen the type
    let id = IDS[0].parse::<Id>().unwrap();
    sqlx::raw_sql("SET search_path = pg_catalog").execute(&mut *connection).await?;
    fails("type named ulid not found", sqlx::query("SELECT $1").bind(id).execute(&mut *connection).await.err());
    sqlx::raw_sql("SET search_path = pg_catalog, public").execute(&mut *connection).await?;
    assert_eq!(sqlx::query_scalar::<_, Id>("SELECT $1").bind(id).fetch_one(&mut *connection).await?, id);
    Ok(())
}

#[sqlx::test(fixtures("./tables.sql"))]
async fn ids_arrays_times_and_null(pool: PgPool) -> sqlx::Result<()> {
    let insert = sqlx::query_scalar("INSERT INTO message (body) VALUES ('hello') RETURNING id");
    let id: Id = insert.fetch_one(&pool).await?;
    let query = sqlx::query!(r#"SELECT id AS "id: Id", body FROM message WHERE id = $1"#, id as Id);
    let row = query.fetch_one(&pool).await?;
    assert_eq!((row.id, row.body), (id, Some("hello".into())));
    sqlx::query("DELETE FROM message").execute(&pool).await?;

    let ids = IDS.map(|text| text.parse::<Id>().unwrap());
    for id in &ids {
        sqlx::query("INSERT INTO message (id) VALUES ($1)").bind(id).execute(&pool).await?;
    }
    let query = sqlx::query_scalar("SELECT id::text FROM message ORDER BY id");
    let texts: Vec<String> = query.fetch_all(&pool).await?;
    assert_eq!(texts, IDS);
    let noon = DateTime::<Utc>::from_timestamp(NOON as i64, 0).unwrap();
    let hour = Duration::from_secs(3600);
    assert_eq!(between(&mut *pool.acquire().await?, noon + hour, noon + hour * 2).await?, [ids[1]]);
    let query = sqlx::query_scalar("SELECT array_agg(id ORDER BY id) FROM message WHERE id = ANY($1)");
    let array: Vec<Id> = query.bind(&ids[1..]).fetch_one(&pool).await?;
    assert_eq!(array, ids[1..]);
    let null: Option<Id> = sqlx::query_scalar("SELECT NULL::ulid").fetch_one(&pool).await?;
    assert_eq!(null, None);
    let query = sqlx::query_scalar("SELECT id FROM message WHERE id = $1::ulid");
    assert_eq!(query.bind(IDS[1]).fetch_one(&pool).await.ok(), Some(ids[1]));

    sqlx::raw_sql("CREATE TABLE visit (id uuid DEFAULT gen_uuidv7()); INSERT INTO visit VALUES (DEFAULT)")
        .execute(&pool).await?;
    let now = Utc::now();
    let visits = "SELECT id FROM visit WHERE id >= uuidv7_min($1) AND id < uuidv7_min($2)";
    let query = sqlx::query_scalar(visits);
    let visits: Vec<sqlx::types::Uuid> = query.bind(now - hour).bind(now + hour).fetch_all(&pool).await?;
    assert_eq!(visits.len(), 1);

    let rows = sqlx::raw_sql("SELECT id, ARRAY[id] AS ids FROM message ORDER BY id").fetch_all(&pool).await?;
    assert_eq!(rows.iter().map(|row| row.get::<Id, _>("id")).collect::<Vec<_>>(), ids);
    assert_eq!(rows[0].get::<Vec<Id>, _>("ids"), ids[..1]);

    let text = sqlx::query("SELECT FROM message WHERE id = $1").bind(IDS[1]).execute(&pool).await;
    fails("operator does not exist: ulid = text", text.err());
    let text = sqlx::query_scalar::<_, String>("SELECT id FROM message").fetch_one(&pool).await;
    fails("is not compatible with SQL type `ulid`", text.err());
    let query = sqlx::query_scalar::<_, Vec<Id>>("SELECT ARRAY[NULL::ulid]");
    fails("unexpected null; try decoding as an `Option`", query.fetch_one(&pool).await.err());
    Ok(())
}
