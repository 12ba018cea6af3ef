// SeaORM.
use sea_orm::entity::prelude::*;
use sea_orm::{ActiveValue::NotSet, ConnectOptions, Database, QueryOrder, Set};
use tap::{IDS, equal, fails};

mod tap;

mod boat {
    use sea_orm::entity::prelude::*;

    #[sea_orm::model]
    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "boat")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false, select_as = "text", save_as = "ulid")]
        pub id: String,
        pub name: Option<String>,
        #[sea_orm(has_many)]
        pub oars: HasMany<super::oar::Entity>,
    }

    impl ActiveModelBehavior for ActiveModel {}
}

mod oar {
    use sea_orm::entity::prelude::*;

    // doc/clients/rust.md: #[sea_orm(table_name = "oar")]

    impl ActiveModelBehavior for ActiveModel {}
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), DbErr> {
    let variable = |name| std::env::var(name).unwrap();
    let (host, port, database) = (variable("PGHOST"), variable("PGPORT"), variable("PGDATABASE"));
    let url = format!("postgres://{}@localhost/{database}?host={host}&port={port}", variable("PGUSER"));
    let db = &Database::connect(ConnectOptions::new(url)).await?;
    db.execute_unprepared(include_str!("V1__tables.sql")).await?;

    let first = boat::ActiveModel { id: NotSet, name: Set(Some("first".into())) }.insert(db).await?;
    let second = boat::ActiveModel { id: NotSet, name: NotSet }.insert(db).await?;
    equal("the default comes back", (first.id.len(), first.id < second.id), (26, true));
    let given = boat::ActiveModel { id: Set(IDS[1].into()), name: NotSet }.insert(db).await?;
    equal("an id that is given", given.id, IDS[1].to_string());
    equal("find", boat::Entity::find_by_id(&first.id).one(db).await?, Some(first.clone()));
    let some = boat::Entity::find().filter(boat::Column::Id.is_in([&first.id, &second.id])).all(db).await?;
    equal("a list of ids", some.len(), 2);
    let begin: ChronoDateTimeUtc = (std::time::SystemTime::now() - std::time::Duration::from_secs(60)).into();
    let recent = Expr::cust_with_values("id >= $1", [begin]);
    equal("a range of time", boat::Entity::find().filter(recent).all(db).await?.len(), 2);
    let oar = oar::ActiveModel { id: NotSet, boat_id: Set(Some(first.id.clone())) }.insert(db).await?;
    equal("a relation", oar.find_related(boat::Entity).one(db).await?, Some(first.clone()));
    let with = boat::Entity::find().find_with_related(oar::Entity).order_by_asc(boat::Column::Id).all(db).await?;
    equal("a join", with.iter().map(|row| row.1.len()).collect::<Vec<_>>(), vec![0, 1, 0]);
    fails("invalid input syntax for type ulid", boat::Entity::find_by_id("not an id").one(db).await.err());
    Ok(())
}
