//! Prints TAP, one line per test, and holds what the tests share.
use std::fmt::{Debug, Display};

/// The ids of noon, in seconds, and of one and two hours later.
#[allow(dead_code)] // not every test uses it
pub const NOON: u64 = 1714564800;
pub const IDS: [&str; 3] = ["01HWT0D7G004HMASW9NF6YY081", "01HWT3V34004HMASW9NF6YY0G2", "01HWT78YR004HMASW9NF6YY0R3"];

pub fn equal<T: PartialEq + Debug>(name: &str, got: T, expected: T) {
    if got == expected {
        println!("ok - {name}");
    } else {
        println!("not ok - {name}\n# got {got:?}\n# expected {expected:?}");
    }
}

pub fn fails(message: &str, error: Option<impl ToString>) {
    let got = error.map_or("no error".into(), |error| error.to_string());
    equal(&format!("fails: {message}"), if got.contains(message) { message } else { &got }, message);
}

/// `read` answers to the texts of ids.csv as the server does, but may refuse I, L, O and UUIDs.
#[allow(dead_code)]
pub fn reads<T: Display, E>(name: &str, read: impl Fn(&str) -> Result<T, E>) {
    let mut wrong = vec![];
    for line in include_str!("ids.csv").lines() {
        let (text, expected) = line.split_once(',').unwrap();
        match read(&text.replace("\\n", "\n")) {
            Ok(id) if id.to_string() != expected => wrong.push(format!("{text}: {id}")),
            Err(_) if text.to_uppercase() == expected => wrong.push(format!("{text}: refused")),
            _ => (),
        }
    }
    equal(&format!("{name} reads what the server reads"), wrong, vec![]);
}
