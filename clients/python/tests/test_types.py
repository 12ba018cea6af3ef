import os
import pathlib
import subprocess
import sys

import pytest


def test_mypy() -> None:
    """--strict, of the package and of tests/types, as pyproject.toml says."""
    pytest.importorskip("mypy")
    pytest.importorskip("mypy_django_plugin")
    root = pathlib.Path(__file__).parents[1]
    command = [sys.executable, "-m", "mypy", "--cache-dir", os.devnull]
    paths = os.pathsep.join(["src", "tests/django_project"])
    result = subprocess.run(command, cwd=root, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
