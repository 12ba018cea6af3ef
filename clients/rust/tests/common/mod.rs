//! What the tests share.
#![allow(dead_code)] // no test uses all of it
use std::fmt::Display;

/// The ids of noon, in seconds, and of one and two hours later.
pub const NOON: u64 = 1714564800;
pub const IDS: [&str; 3] = ["01HWT0D7G004HMASW9NF6YY081", "01HWT3V34004HMASW9NF6YY0G2", "01HWT78YR004HMASW9NF6YY0R3"];

/// Of the database with the tables. Tests change it in transactions that they do not commit.
pub fn url() -> String {
    std::env::var("DATABASE_URL").unwrap()
}

#[track_caller]
pub fn fails(message: &str, error: Option<impl ToString>) {
    let got = error.map_or("no error".into(), |error| error.to_string());
    assert!(got.contains(message), "{got}, not {message}");
}

/// `read` answers to the texts of ids.csv as the server does, but may refuse I, L, O and UUIDs.
#[track_caller]
pub fn reads<T: Display, E>(read: impl Fn(&str) -> Result<T, E>) {
    for line in include_str!("../ids.csv").lines() {
        let (text, expected) = line.split_once(',').unwrap();
        match read(&text.replace("\\n", "\n")) {
            Ok(id) => assert_eq!(id.to_string(), expected, "{text}"),
            Err(_) => assert_ne!(text.to_uppercase(), expected, "{text} is refused"),
        }
    }
}
