//! SeaORM: a smoke test. Ids are strings, with casts.
mod common;
use common::{IDS, NOON, fails};
use sea_orm::entity::prelude::*;
use sea_orm::{ExprTrait, IntoActiveModel, QueryOrder, SqlxPostgresConnector};

#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "message")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false, select_as = "text", save_as = "ulid")]
    pub id: String,
    #[sea_orm(select_as = "text", save_as = "ulid")]
    pub answers: Option<String>,
    #[sea_orm(select_as = "text[]", save_as = "ulid[]")]
    pub mentions: Option<Vec<String>>,
}

impl ActiveModelBehavior for ActiveModel {}

#[sqlx::test(fixtures("./tables.sql"))]
async fn ids_null_lists_arrays_times_and_errors(pool: sqlx::PgPool) -> Result<(), DbErr> {
    sqlx::raw_sql("ALTER TABLE message ADD answers ulid, ADD mentions ulid[]").execute(&pool).await.unwrap();
    let db = &SqlxPostgresConnector::from_sqlx_postgres_pool(pool);
    let made = ActiveModel { ..Default::default() }.insert(db).await?;
    assert_eq!((made.id.len(), &made.answers), (26, &None));
    assert_eq!(Entity::find_by_id(made.id.to_lowercase()).one(db).await?, Some(made));
    let row = |id: &str| Model { id: id.into(), answers: Some(id.into()), mentions: Some(vec![id.into()]) };
    Entity::insert_many(IDS.map(|id| row(id).into_active_model())).exec(db).await?;
    let later = Entity::find().filter(Column::Id.is_in(IDS)).filter(Column::Id.gt(IDS[0])).order_by_asc(Column::Id);
    let list = later.all(db).await?;
    assert_eq!((list.len(), &list[0].mentions), (2, &Some(vec![IDS[1].into()])));
    let [begin, end] = [1, 2].map(|n| DateTimeUtc::from_timestamp(NOON as i64 + 3600 * n, 0).unwrap());
    let window = Entity::find().filter(Expr::col(Column::Id).gte(begin).and(Expr::col(Column::Id).lt(end)));
    assert_eq!(window.all(db).await?, &list[..1]);
    let page = Entity::find().cursor_by(Column::Id).after(IDS[0]).all(db).await;
    fails("operator does not exist: ulid > text", page.err());
    fails("invalid input syntax for type ulid", Entity::find_by_id("not an id").one(db).await.err());
    Ok(())
}
