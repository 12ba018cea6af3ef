// sqlx.
mod checks;
#[allow(dead_code)] // its main
#[path = "message_sqlx.rs"]
mod page;

use checks::{done, equal, fails, IDS, NOON};
use page::{add, between, page_after, those, Id};
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::types::chrono::{DateTime, Utc};
use sqlx::types::Uuid;
use sqlx::Connection;
use std::time::Duration;

#[tokio::main(flavor = "current_thread")]
async fn main() -> sqlx::Result<()> {
    let mut connection = PgConnection::connect_with(&PgConnectOptions::new()).await?;
    sqlx::query("DROP TABLE message").execute(&mut connection).await?;
    for run in ["migrate!", "and again"] {
        equal(run, sqlx::migrate!().run(&mut connection).await.is_ok(), true);
    }
    std::process::Command::new("rust/debug/message_sqlx").status()?;
    let made: Vec<Id> = sqlx::query_scalar("SELECT id FROM message").fetch_all(&mut connection).await?;
    equal("the page's program has added a message", made.len(), 1);
    sqlx::query("DELETE FROM message").execute(&mut connection).await?;

    let id = add(&mut connection, "hello").await?;
    let text: String = sqlx::query_scalar("SELECT id::text FROM message").fetch_one(&mut connection).await?;
    equal("a default comes back", id.to_string(), text);
    let query = sqlx::query!(r#"SELECT id AS "id: Id", body FROM message WHERE id = $1"#, id as Id);
    let row = query.fetch_one(&mut connection).await?;
    equal("the macro finds it", (row.id, row.body), (id, Some("hello".into())));
    sqlx::query("DELETE FROM message").execute(&mut connection).await?;

    let ids = IDS.map(|text| text.parse::<Id>().unwrap());
    for id in &ids {
        sqlx::query("INSERT INTO message VALUES ($1, 'x')").bind(id).execute(&mut connection).await?;
    }
    let query = sqlx::query_scalar("SELECT id::text FROM message ORDER BY id");
    let texts: Vec<String> = query.fetch_all(&mut connection).await?;
    equal("stored as given", texts, IDS.map(String::from).to_vec());
    equal("any of many", those(&mut connection, &[ids[0], ids[2]]).await?, vec![ids[0], ids[2]]);
    let noon = DateTime::<Utc>::from_timestamp(NOON, 0).unwrap();
    let (hour, millisecond) = (Duration::from_secs(3600), Duration::from_millis(1));
    let (begin, end) = (noon + hour, noon + hour * 2);
    equal("range by time", between(&mut connection, begin, end).await?, vec![ids[1]]);
    let later = between(&mut connection, begin + millisecond, end + millisecond).await?;
    equal("to the millisecond", later, vec![ids[2]]);
    equal("a page after a cursor", page_after(&mut connection, ids[0], 1).await?, vec![ids[1]]);
    let query = sqlx::query_scalar("SELECT array_agg(id ORDER BY id) FROM message");
    let array: Vec<Id> = query.fetch_one(&mut connection).await?;
    equal("an array comes back", array, ids.to_vec());
    let null: Option<Id> = sqlx::query_scalar("SELECT NULL::ulid").fetch_one(&mut connection).await?;
    equal("null", null, None);
    let query = sqlx::query_scalar("SELECT id FROM message WHERE id = $1::ulid");
    let cast: Id = query.bind(IDS[1]).fetch_one(&mut connection).await?;
    equal("a text with a cast", cast, ids[1]);

    let text = sqlx::query("SELECT FROM message WHERE id = $1").bind(IDS[1]).execute(&mut connection).await;
    fails("operator does not exist: ulid = text", text);
    let select = "SELECT id FROM message";
    let text = sqlx::query_scalar::<_, String>(select).fetch_one(&mut connection).await;
    fails("is not compatible with SQL type `ulid`", text);
    let uuid = sqlx::query_scalar::<_, Uuid>(select).fetch_one(&mut connection).await;
    fails("is not compatible with SQL type `ulid`", uuid);
    let number = sqlx::query("SELECT FROM message WHERE id = $1 OR false").bind(5).execute(&mut connection).await;
    fails("operator does not exist: ulid = integer", number);
    let query = sqlx::query_scalar::<_, Vec<Id>>("SELECT ARRAY[NULL::ulid]");
    fails("unexpected null; try decoding as an `Option`", query.fetch_one(&mut connection).await);
    let query = sqlx::query_scalar::<_, Vec<Option<Id>>>("SELECT ARRAY[NULL::ulid]");
    equal("an array with null", query.fetch_one(&mut connection).await?, vec![None]);
    let refused = std::fs::read_to_string("refused.txt")?;
    fails("no built-in mapping found for type ulid of column #1 (\"id\")", Err::<(), _>(&refused));
    fails("no built-in mapping for type ulid of param #1", Err::<(), _>(&refused));
    fails("invalid length", "0".parse::<Id>());
    fails("invalid character", "no ulid".parse::<Id>());
    // The first of these would be another id by the crate alone.
    for wrong in ["8ZZZZZZZZZZZZZZZZZZZZZZZZZ", "", "U1HWT0D7G004HMASW9NF6YY081", "01HWT0D7G004HMASW9NF6YY0811"] {
        equal(&format!("no ULID: {wrong}"), wrong.parse::<Id>().is_err(), true);
    }
    done();
    Ok(())
}
