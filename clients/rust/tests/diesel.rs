//! Diesel.
mod common;

use chrono::{DateTime, Utc};
use common::{IDS, NOON, fails, url};
use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::{Text, Timestamptz};
use pgulid::Id;

#[diesel::declare_sql_function]
extern "SQL" {
    fn ulid_lower_bound(time: Timestamptz) -> pgulid::sql_types::Ulid;
}

diesel::table! {
    use diesel::sql_types::*;
    use pgulid::sql_types::*;

    boat (id) {
        id -> Ulid,
        name -> Nullable<Text>,
        friends -> Nullable<Array<Nullable<Ulid>>>,
    }
}

diesel::table! {
    use diesel::sql_types::*;
    use pgulid::sql_types::*;

    oar (id) {
        id -> Ulid,
        boat_id -> Nullable<Ulid>,
    }
}

#[derive(Queryable, Selectable, Identifiable, Debug, PartialEq)]
#[diesel(table_name = boat)]
pub struct Boat {
    pub id: Id,
    pub name: Option<String>,
    pub friends: Option<Vec<Option<Id>>>,
}

#[derive(Queryable, Selectable, Identifiable, Associations, Debug, PartialEq)]
#[diesel(table_name = oar, belongs_to(Boat))]
pub struct Oar {
    pub id: Id,
    pub boat_id: Option<Id>,
}

pub fn between(
    connection: &mut PgConnection, begin: DateTime<Utc>, end: DateTime<Utc>,
) -> QueryResult<Vec<Boat>> {
    let window = boat::id.ge(ulid_lower_bound(begin)).and(boat::id.lt(ulid_lower_bound(end)));
    boat::table.filter(window).load(connection)
}

#[test]
fn ids_arrays_times_and_references() {
    let connection = &mut PgConnection::establish(&url()).unwrap();
    connection.begin_test_transaction().unwrap();
    let insert = diesel::insert_into(boat::table).values(boat::name.eq("hello"));
    let made: Id = insert.returning(boat::id).get_result(connection).unwrap();
    let text: String = boat::table.select(sql::<Text>("id::text")).first(connection).unwrap();
    assert_eq!(made.to_string(), text);
    diesel::delete(boat::table).execute(connection).unwrap();

    let ids = IDS.map(|text| text.parse::<Id>().unwrap());
    let friends = Some(vec![Some(ids[2]), None]);
    let rows: Vec<_> = ids.iter().map(|id| (boat::id.eq(id), boat::friends.eq(&friends))).collect();
    let boats: Vec<Boat> = diesel::insert_into(boat::table).values(&rows).get_results(connection).unwrap();
    assert_eq!(boats.iter().map(|boat| boat.id).collect::<Vec<_>>(), ids);
    assert_eq!(boats[0].friends, friends);
    assert_eq!(boat::table.find(ids[1]).first::<Boat>(connection).unwrap(), boats[1]);
    assert_eq!(boat::table.filter(boat::id.eq_any(&ids[1..])).count().get_result(connection), Ok(2i64));
    let hour = |n: i64| DateTime::from_timestamp(NOON as i64 + 3600 * n, 0).unwrap();
    assert_eq!(between(connection, hour(1), hour(2)).unwrap()[0].id, ids[1]);
    let ends = boat::table.select((diesel::dsl::min(boat::id), diesel::dsl::max(boat::id))).first(connection);
    assert_eq!(ends, Ok((Some(ids[0]), Some(ids[2]))));
    let oars = [oar::boat_id.eq(Some(ids[1])), oar::boat_id.eq(None)];
    diesel::insert_into(oar::table).values(&oars).execute(connection).unwrap();
    let oars: Vec<Oar> = Oar::belonging_to(&boats).load(connection).unwrap();
    assert_eq!(oars.grouped_by(&boats).iter().map(Vec::len).collect::<Vec<_>>(), [0, 1, 0]);
    let invalid = sql::<pgulid::sql_types::Ulid>("SELECT 'x'::ulid").load::<Id>(connection);
    fails("invalid input syntax for type ulid", invalid.err());
}
