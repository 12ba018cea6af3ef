"""Prints TAP, one line per test, and holds what the tests share."""
import datetime
import pathlib
import sys

try:
    from ulid import ULID
except ImportError:  # Debian 12 does not package it
    ULID = None

NOON = datetime.datetime(2024, 5, 1, 12, tzinfo=datetime.timezone.utc)
HOUR = datetime.timedelta(hours=1)
# Noon and one and two hours later.
IDS = ["01HWT0D7G004HMASW9NF6YY081", "01HWT3V34004HMASW9NF6YY0G2", "01HWT78YR004HMASW9NF6YY0R3"]
UUID = "018f343d-8c80-0123-4567-89abcdef0202"  # the bytes of the second
# Texts, each with the id that the server reads, or the SQLSTATE of its error.
LINES = pathlib.Path(__file__).with_name("ids.csv").read_text("utf-8").split("\n")[:-1]
CASES = [line.replace("\\n", "\n").split(",") for line in LINES]


def equal(name, got, expected):
    if got == expected:
        print(f"ok - {name}")
    else:
        print(f"not ok - {name}\n# got {got!r}\n# expected {expected!r}")
    sys.stdout.flush()


def error_of(function):
    """The error that the function raises, or else what it returns."""
    try:
        return function()
    except Exception as error:
        return error


def fails(message, function):
    """The function raises an error with this message."""
    error = error_of(function)
    got = f"{type(error).__name__}: {error}"
    equal(f"fails: {message}", message if message in str(got) else got, message)


def reads(name, read):
    """`read` answers to the texts of ids.csv as the server does."""
    def answer(text, expected):
        got = error_of(lambda: read(text))
        return expected if isinstance(got, Exception) and len(expected) == 5 else got

    equal(f"{name} reads what the server reads",
          {text: got for text, expected in CASES if (got := answer(text, expected)) != expected}, {})
