//! What the tests share.
#![allow(dead_code)] // no test uses all of it
use postgres::{Client, Config, NoTls};
use std::error::Error;
use std::fmt::Display;
use std::io::{Write, stderr};

/// The ids of noon, in seconds, and of one and two hours later.
pub const NOON: u64 = 1714564800;
pub const IDS: [&str; 3] = ["01HWT0D7G004HMASW9NF6YY081", "01HWT3V34004HMASW9NF6YY0G2", "01HWT78YR004HMASW9NF6YY0R3"];

/// A database with the tables, on the server that PGHOST and the like name. It is dropped at the end.
pub struct Database {
    pub name: String,
    server: Client,
}

pub fn connect(database: &str) -> Result<Client, postgres::Error> {
    let variable = |name, default: &str| std::env::var(name).unwrap_or(default.into());
    let mut config = Config::new();
    config.host(&variable("PGHOST", "/var/run/postgresql")).port(variable("PGPORT", "5432").parse().unwrap());
    config.user(&variable("PGUSER", "postgres")).password(variable("PGPASSWORD", "")).dbname(database);
    config.connect(NoTls)
}

fn create(name: &str) -> Result<Client, postgres::Error> {
    let mut server = connect(&std::env::var("PGDATABASE").unwrap_or("postgres".into()))?;
    server.execute(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"), &[])?;
    server.execute(&format!("CREATE DATABASE {name}"), &[])?;
    connect(name)?.batch_execute(include_str!("../tables.sql"))?;
    Ok(server)
}

impl Database {
    pub fn new(name: &str) -> Database {
        let name = format!("ulid_rust_{name}");
        let server = create(&name).unwrap_or_else(|error| {
            let why = error.source().map_or(String::new(), |source| format!(": {source}"));
            // Not by eprintln!, whose output the test runner keeps.
            let _ = writeln!(stderr(), "name a server with the extension ulid in PGHOST and the like: {error}{why}");
            std::process::exit(1)
        });
        Database { name, server }
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        self.server.execute(&format!("DROP DATABASE {} WITH (FORCE)", self.name), &[]).unwrap();
    }
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
