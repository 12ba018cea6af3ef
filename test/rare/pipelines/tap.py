"""Prints TAP, one line per test, and holds what the tests of pipelines share."""
import sys

IDS = ["01HWT0D7G004HMASW9NF6YY081", "01HWT3V34004HMASW9NF6YY0G2", "01HWT78YR004HMASW9NF6YY0R3"]
UUID = "018f343d-8c80-0123-4567-89abcdef0202"  # the bytes of the second


def equal(name, got, expected):
    if got == expected:
        print(f"ok - {name}")
    else:
        print(f"not ok - {name}\n# got {got!r}\n# expected {expected!r}")
    sys.stdout.flush()


def fails(message, function):
    """The function raises an error with this message."""
    try:
        got = function()
    except Exception as error:
        got = f"{type(error).__name__}: {error}"
    equal(f"fails: {message}", message if message in str(got) else got, message)
