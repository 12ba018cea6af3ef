//! The crate as an application uses it, by path and by git.
use std::fs::{self, create_dir_all, write};
use std::path::Path;
use std::process::Command;

/// Of the cargo that runs the tests.
fn variable(name: &str) -> String {
    std::env::var(name).unwrap()
}

fn run(directory: &Path, program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).current_dir(directory).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program} {arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// Its dependencies have the versions of this test.
fn application(folder: &Path, dependency: &str) -> String {
    let path = folder.join("application");
    create_dir_all(path.join("src")).unwrap();
    let package = "[package]\nname = \"application\"\nversion = \"1.0.0\"\nedition = \"2024\"";
    write(path.join("Cargo.toml"), format!("{package}\n[dependencies]\npgulid = {{ {dependency} }}\n")).unwrap();
    let main = r#"fn main() { println!("{}", "01hwt3v34004hmasw9nf6yy0g2".parse::<pgulid::Id>().unwrap()) }"#;
    write(path.join("src/main.rs"), main).unwrap();
    fs::copy(variable("CARGO_MANIFEST_DIR") + "/Cargo.lock", path.join("Cargo.lock")).unwrap();
    run(&path, &variable("CARGO"), &["run", "--quiet", "--target-dir", "target"])
}

#[test]
fn by_path_and_by_git_as_a_folder_of_the_repository() {
    let folder = &Path::new(env!("CARGO_TARGET_TMPDIR")).join(std::process::id().to_string());
    let (repository, crate_path) = (&folder.join("repository"), variable("CARGO_MANIFEST_DIR"));
    let copy = repository.join("clients/rust");
    create_dir_all(copy.join("src")).unwrap();
    for file in ["Cargo.toml", "src/lib.rs"] {
        fs::copy(format!("{crate_path}/{file}"), copy.join(file)).unwrap();
    }
    run(repository, "git", &["init", "-q"]);
    run(repository, "git", &["add", "."]);
    run(repository, "git", &["-c", "user.name=test", "-c", "user.email=test@localhost", "commit", "-qm", "A crate"]);
    let features = r#"features = ["diesel", "postgres", "serde", "sqlx"]"#;
    let by_path = format!("path = {crate_path:?}, {features}");
    for dependency in [by_path, format!("git = \"file://{}\"", repository.display())] {
        assert_eq!(application(folder, &dependency), "01HWT3V34004HMASW9NF6YY0G2\n");
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_archive_has_the_code_the_license_and_the_readme() {
    let directory = variable("CARGO_MANIFEST_DIR");
    let list = run(directory.as_ref(), &variable("CARGO"), &["package", "--list", "--allow-dirty", "--offline"]);
    let mut files: Vec<_> = list.lines().filter(|file| !file.starts_with("Cargo") && !file.starts_with('.')).collect();
    files.sort();
    assert_eq!(files, ["LICENSE", "README.md", "src/lib.rs"]);
}
