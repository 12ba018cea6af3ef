// sqlx of Rust.
use pgulid::Id;
use sqlx::Connection;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::types::chrono::{DateTime, Utc};
use std::time::Duration;
use tap::{IDS, NOON, equal, fails};

mod tap;

// clients/rust/README.md: pub async fn between

#[tokio::main(flavor = "current_thread")]
async fn main() -> sqlx::Result<()> {
    let mut connection = PgConnection::connect_with(&PgConnectOptions::new()).await?;
    let insert = sqlx::query_scalar("INSERT INTO message (body) VALUES ('hello') RETURNING id");
    let id: Id = insert.fetch_one(&mut connection).await?;
    let text: String = sqlx::query_scalar("SELECT id::text FROM message").fetch_one(&mut connection).await?;
    equal("the default comes back", id.to_string(), text);
    let query = sqlx::query!(r#"SELECT id AS "id: Id", body FROM message WHERE id = $1"#, id as Id);
    let row = query.fetch_one(&mut connection).await?;
    equal("the macro finds it", (row.id, row.body), (id, Some("hello".into())));
    sqlx::query("DELETE FROM message").execute(&mut connection).await?;

    let ids = IDS.map(|text| text.parse::<Id>().unwrap());
    for id in &ids {
        sqlx::query("INSERT INTO message (id) VALUES ($1)").bind(id).execute(&mut connection).await?;
    }
    let query = sqlx::query_scalar("SELECT id::text FROM message ORDER BY id");
    let texts: Vec<String> = query.fetch_all(&mut connection).await?;
    equal("stored as given", texts, IDS.map(String::from).to_vec());
    let noon = DateTime::<Utc>::from_timestamp(NOON as i64, 0).unwrap();
    let hour = Duration::from_secs(3600);
    equal("a range of time", between(&mut connection, noon + hour, noon + hour * 2).await?, vec![ids[1]]);
    let query = sqlx::query_scalar("SELECT array_agg(id ORDER BY id) FROM message WHERE id = ANY($1)");
    let array: Vec<Id> = query.bind(&ids[1..]).fetch_one(&mut connection).await?;
    equal("arrays", array, ids[1..].to_vec());
    let null: Option<Id> = sqlx::query_scalar("SELECT NULL::ulid").fetch_one(&mut connection).await?;
    equal("NULL", null, None);
    let query = sqlx::query_scalar("SELECT id FROM message WHERE id = $1::ulid");
    equal("a String with a cast", query.bind(IDS[1]).fetch_one(&mut connection).await.ok(), Some(ids[1]));

    let text = sqlx::query("SELECT FROM message WHERE id = $1").bind(IDS[1]).execute(&mut connection).await;
    fails("operator does not exist: ulid = text", text.err());
    let text = sqlx::query_scalar::<_, String>("SELECT id FROM message").fetch_one(&mut connection).await;
    fails("is not compatible with SQL type `ulid`", text.err());
    let query = sqlx::query_scalar::<_, Vec<Id>>("SELECT ARRAY[NULL::ulid]");
    fails("unexpected null; try decoding as an `Option`", query.fetch_one(&mut connection).await.err());
    Ok(())
}
