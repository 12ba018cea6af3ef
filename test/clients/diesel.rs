// Diesel.
use chrono::{DateTime, Utc};
use diesel::connection::SimpleConnection;
use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::{Text, Timestamptz};
use pgulid::Id;
use tap::{IDS, NOON, equal, fails};

mod tap;

// clients/rust/README.md: fn ulid_lower_bound

diesel::table! {
    use diesel::sql_types::*;
    use pgulid::sql_types::*;

    oar (id) {
        id -> Ulid,
        boat_id -> Nullable<Ulid>,
    }
}

// clients/rust/README.md: pub struct Boat

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let connection = &mut PgConnection::establish("")?;
    connection.batch_execute(include_str!("V1__tables.sql"))?;
    let insert = diesel::insert_into(boat::table).values(boat::name.eq("hello"));
    let made: Id = insert.returning(boat::id).get_result(connection)?;
    let text: String = boat::table.select(sql::<Text>("id::text")).first(connection)?;
    equal("the default comes back", made.to_string(), text);
    diesel::delete(boat::table).execute(connection)?;

    let ids = IDS.map(|text| text.parse::<Id>().unwrap());
    let rows: Vec<_> = ids.iter().map(|id| (boat::id.eq(id), boat::friends.eq(Some(vec![Some(made), None])))).collect();
    let boats: Vec<Boat> = diesel::insert_into(boat::table).values(&rows).get_results(connection)?;
    equal("several rows", boats.iter().map(|boat| boat.id).collect::<Vec<_>>(), ids.to_vec());
    equal("an array with NULL", boats[0].friends.clone(), Some(vec![Some(made), None]));
    equal("find", &boat::table.find(ids[1]).first::<Boat>(connection)?, &boats[1]);
    equal("a list of ids", boat::table.filter(boat::id.eq_any(&ids[1..])).count().get_result(connection)?, 2i64);
    let hour = |n: i64| DateTime::from_timestamp(NOON as i64 + 3600 * n, 0).unwrap();
    equal("a range of time", between(connection, hour(1), hour(2))?[0].id, ids[1]);
    let oars = [oar::boat_id.eq(Some(ids[1])), oar::boat_id.eq(None)];
    diesel::insert_into(oar::table).values(&oars).execute(connection)?;
    let oars: Vec<Oar> = Oar::belonging_to(&boats).load(connection)?;
    equal("a relation", oars.grouped_by(&boats).iter().map(Vec::len).collect::<Vec<_>>(), vec![0, 1, 0]);
    let invalid = sql::<pgulid::sql_types::Ulid>("SELECT 'x'::ulid").load::<Id>(connection);
    fails("invalid input syntax for type ulid", invalid.err());
    Ok(())
}
