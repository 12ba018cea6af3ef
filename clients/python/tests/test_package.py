"""The package as a user installs it, in an environment that has no other package."""
import os
import pathlib
import subprocess
import sys
import tarfile
import venv
import zipfile
from typing import Any

import pytest

ROOT = pathlib.Path(__file__).parents[1]
USE = """
import importlib.metadata, pathlib, sys
import pgulid
root = pathlib.Path(pgulid.__file__).parent
assert str(root).startswith(sys.prefix) and (root / "py.typed").exists()
metadata = importlib.metadata.metadata("pgulid")
print(pgulid.parse("018f343d-8c80-0123-4567-89abcdef0202"), len(pgulid.gen_ulid()), metadata["License-Expression"])
try:
    import pgulid.django
except ModuleNotFoundError as error:
    print(error)
"""
USED = "01HWT3V34004HMASW9NF6YY0G2 26 PostgreSQL\nNo module named 'django'\n"


def run(*command: object, **options: Any) -> str:
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PIP_CONSTRAINT")}
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, env=environment, **options)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> dict[str, pathlib.Path]:
    folder = tmp_path_factory.mktemp("archives")
    run(sys.executable, "-m", "hatchling", "build", "-d", folder, cwd=ROOT)
    return {"wheel": next(folder.glob("*.whl")), "sdist": next(folder.glob("*.tar.gz"))}


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=True)
    return folder / "bin"


def test_the_archives_have_the_license_the_readme_and_the_tests(archives: dict[str, pathlib.Path]) -> None:
    with zipfile.ZipFile(archives["wheel"]) as wheel:
        names = wheel.namelist()
        info = next(name for name in names if name.endswith("/METADATA")).removesuffix("METADATA")
        assert wheel.read(f"{info}licenses/LICENSE") == (ROOT / "LICENSE").read_bytes()
        assert wheel.read(f"{info}METADATA").decode().endswith((ROOT / "README.md").read_text())
        modules = {str(path.relative_to(ROOT / "src")) for path in (ROOT / "src").rglob("*.*") if path.suffix != ".pyc"}
        assert {name for name in names if not name.startswith(info)} == modules
    with tarfile.open(archives["sdist"]) as sdist:
        names = [name.partition("/")[2] for name in sdist.getnames()]
    assert {"LICENSE", "README.md", "django.md", "pyproject.toml", "tests/ids.csv", "tests/oldest.txt"} < set(names)
    tests = {str(path.relative_to(ROOT)) for path in (ROOT / "tests").rglob("*.py")}
    assert tests < set(names) and not [name for name in names if "__pycache__" in name or name.startswith(".t")]


@pytest.mark.parametrize("source", ["wheel", "sdist", "git"])
def test_it_installs(archives: Any, empty: pathlib.Path, source: str, tmp_path: pathlib.Path) -> None:
    what: object = archives.get(source)
    if source == "git":
        if subprocess.run(["git", "ls-files", "--error-unmatch", "LICENSE"], cwd=ROOT, capture_output=True).returncode:
            pytest.skip("not a checkout of git")
        root = run("git", "rev-parse", "--show-toplevel", cwd=ROOT).strip()
        what = f"pgulid @ git+file://localhost{root}#subdirectory={ROOT.relative_to(root)}"
    run(empty / "pip", "install", "-q", "--disable-pip-version-check", "--force-reinstall", what, cwd=tmp_path)
    assert run(empty / "python", "-I", "-c", USE, cwd=tmp_path) == USED
    assert run(empty / "pip", "list", "--format=freeze", "--exclude", "setuptools").count("==") == 2  # it and pip
