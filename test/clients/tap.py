"""Prints TAP: a line a test. And what the tests share."""
import datetime
import os
import pathlib
import subprocess
import sys

NOON = datetime.datetime(2024, 5, 1, 12, tzinfo=datetime.timezone.utc)
HOUR = datetime.timedelta(hours=1)
MILLISECOND = datetime.timedelta(milliseconds=1)
FILES = pathlib.Path.cwd()
# 12, 13 and 14 hours into that day
IDS = ["01HWT0D7G004HMASW9NF6YY081", "01HWT3V34004HMASW9NF6YY0G2", "01HWT78YR004HMASW9NF6YY0R3"]
PAGES = "".join(page.read_text() for page in pathlib.Path(os.environ["PAGES"]).glob("*.md"))

_count = 0


def equal(name, got, expected):
    global _count
    _count += 1
    if got == expected:
        print(f"ok {_count} - {name}")
    else:
        print(f"not ok {_count} - {name}\n# got {got!r}\n# expected {expected!r}")
    sys.stdout.flush()


# Rows of a bulk insert, of which one has an id. Each must be stored with its own, the one that the caller is told.
MIXED = [{"body": "a"}, {"id": IDS[0], "body": "b"}, {"body": "c"}]


def stored(name, told, rows):
    """Both are pairs of id and body."""
    told, rows = sorted(told), sorted(rows)
    equal(name, (told, (IDS[0], "b") in told), (rows, True))


def fails(message, function):
    """The function raises an error with this message, and a page quotes it."""
    try:
        result = function()
    except Exception as error:
        got = f"{type(error).__name__}: {error}"
        equal(f"fails: {message}", message if message in got else got, message)
    else:
        equal(f"fails: {message}", result, message)
    equal("as a page says", message in PAGES, True)


def restored(*commands):
    """What restored.sh prints."""
    return subprocess.run(["bash", FILES / "restored.sh", *commands], stdout=subprocess.PIPE, text=True).stdout


# Where the program dies before its end, the missing plan says so.
def done():
    print(f"1..{_count}")
