//! A type for `ulid` columns, for the libraries that the features name.
use std::{fmt, str::FromStr};
use ulid::Ulid;
use uuid::Uuid;

/// The 16 bytes, which are those of a uuid. It prints as a ULID.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "diesel", derive(::diesel::expression::AsExpression, ::diesel::deserialize::FromSqlRow))]
#[cfg_attr(feature = "diesel", diesel(sql_type = sql_types::Ulid))]
pub struct Id(Uuid);

impl From<Ulid> for Id {
    fn from(ulid: Ulid) -> Id {
        Id(ulid.into())
    }
}

impl From<Id> for Ulid {
    fn from(id: Id) -> Ulid {
        id.0.into()
    }
}

impl FromStr for Id {
    type Err = ulid::DecodeError;

    fn from_str(text: &str) -> Result<Id, Self::Err> {
        if text.as_bytes().first() > Some(&b'7') {
            return Err(ulid::DecodeError::InvalidChar); // Ulid::from_string drops its upper bits
        }
        Ulid::from_string(text).map(Id::from)
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        Ulid::from(*self).fmt(f)
    }
}

/// As it prints, so that logs show what the database has.
impl fmt::Debug for Id {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Id {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Id {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Id, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// Import these in `table!`.
#[cfg(feature = "diesel")]
pub mod sql_types {
    #[derive(diesel::sql_types::SqlType, diesel::query_builder::QueryId)]
    #[diesel(postgres_type(name = "ulid"))]
    pub struct Ulid;

    /// For min and max.
    impl diesel::sql_types::SqlOrd for Ulid {}
}

#[cfg(feature = "diesel")]
mod diesel_impl {
    use super::{Id, Uuid, sql_types::Ulid};
    use diesel::deserialize::{self, FromSql};
    use diesel::pg::{Pg, PgValue};
    use diesel::serialize::{self, IsNull, Output, ToSql};
    use std::io::Write;

    impl ToSql<Ulid, Pg> for Id {
        fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
            out.write_all(self.0.as_bytes())?;
            Ok(IsNull::No)
        }
    }

    impl FromSql<Ulid, Pg> for Id {
        fn from_sql(value: PgValue) -> deserialize::Result<Id> {
            Ok(Id(Uuid::from_slice(value.as_bytes())?))
        }
    }
}

#[cfg(feature = "postgres")]
mod postgres_impl {
    use super::{Id, Uuid};
    use bytes::{BufMut, BytesMut};
    use postgres_types::{FromSql, IsNull, ToSql, Type, to_sql_checked};
    use std::error::Error;

    impl<'a> FromSql<'a> for Id {
        fn from_sql(_: &Type, raw: &'a [u8]) -> Result<Id, Box<dyn Error + Sync + Send>> {
            Ok(Id(Uuid::from_slice(raw)?))
        }
        fn accepts(ty: &Type) -> bool {
            ty.name() == "ulid"
        }
    }

    impl ToSql for Id {
        fn to_sql(&self, _: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
            out.put_slice(self.0.as_bytes());
            Ok(IsNull::No)
        }
        fn accepts(ty: &Type) -> bool {
            ty.name() == "ulid"
        }
        to_sql_checked!();
    }
}

#[cfg(feature = "sqlx")]
mod sqlx_impl {
    use super::{Id, Uuid};
    use sqlx::encode::IsNull;
    use sqlx::error::BoxDynError;
    use sqlx::postgres::{PgArgumentBuffer, PgHasArrayType, PgTypeInfo, PgValueFormat, PgValueRef, Postgres};
    use sqlx::{Decode, Encode, Type};

    impl Type<Postgres> for Id {
        fn type_info() -> PgTypeInfo {
            PgTypeInfo::with_name("ulid")
        }
    }

    impl PgHasArrayType for Id {
        fn array_type_info() -> PgTypeInfo {
            PgTypeInfo::array_of("ulid")
        }
    }

    impl Encode<'_, Postgres> for Id {
        fn encode_by_ref(&self, buffer: &mut PgArgumentBuffer) -> Result<IsNull, BoxDynError> {
            buffer.extend_from_slice(self.0.as_bytes());
            Ok(IsNull::No)
        }
    }

    impl Decode<'_, Postgres> for Id {
        fn decode(value: PgValueRef) -> Result<Id, BoxDynError> {
            match value.format() {
                PgValueFormat::Binary => Ok(Id(Uuid::from_slice(value.as_bytes()?)?)),
                PgValueFormat::Text => Ok(value.as_str()?.parse()?), // of raw_sql
            }
        }
    }
}

#[test]
fn an_id_prints_as_it_is_read() {
    let text = "01HWT3V34004HMASW9NF6YY0G2";
    assert_eq!(text.parse::<Id>().unwrap().to_string(), text);
    assert_eq!(format!("{:?}", text.parse::<Id>().unwrap()), text);
    assert_eq!(text.to_lowercase().parse::<Id>().unwrap().to_string(), text);
    for wrong in ["", "not an id", &text[1..], "81HWT3V34004HMASW9NF6YY0G2", "01HWT3V34004HMASW9NF6YY0GU"] {
        assert!(wrong.parse::<Id>().is_err(), "{wrong}");
    }
}
