// Prints TAP: a line a test. And what the tests share.
use std::fmt::Debug;
use std::sync::atomic::{AtomicUsize, Ordering};

// 12, 13 and 14 hours into the first of May 2024
pub const NOON: i64 = 1714564800;
pub const IDS: [&str; 3] = ["01HWT0D7G004HMASW9NF6YY081", "01HWT3V34004HMASW9NF6YY0G2", "01HWT78YR004HMASW9NF6YY0R3"];

static COUNT: AtomicUsize = AtomicUsize::new(0);

pub fn equal<T: PartialEq + Debug>(name: &str, got: T, expected: T) {
    let count = COUNT.fetch_add(1, Ordering::Relaxed) + 1;
    if got == expected {
        println!("ok {count} - {name}");
    } else {
        println!("not ok {count} - {name}\n# got {got:?}\n# expected {expected:?}");
    }
}

/// The error has this message, and the page quotes it.
pub fn fails<T>(message: &str, result: Result<T, impl std::fmt::Display>) {
    let got = result.err().map_or("no error".into(), |error| error.to_string());
    equal(&format!("fails: {message}"), if got.contains(message) { message } else { &got }, message);
    let page = std::env::var("PAGES").unwrap() + "/rust.md";
    equal("as the page says", std::fs::read_to_string(page).unwrap().contains(message), true);
}

pub fn done() {
    println!("1..{}", COUNT.load(Ordering::Relaxed));
}
