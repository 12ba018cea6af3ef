"""Prints TAP: a line a test."""
import sys

_count = 0
_failed = 0


def equal(name, got, expected):
    global _count, _failed
    _count += 1
    if got == expected:
        print(f"ok {_count} - {name}")
    else:
        _failed += 1
        print(f"not ok {_count} - {name}\n# got {got!r}\n# expected {expected!r}")
    sys.stdout.flush()


def raises(name, exception, function):
    try:
        function()
    except exception:
        equal(name, exception, exception)
    else:
        equal(name, None, exception)


# Where the program dies before its end, the missing plan says so.
def done():
    print(f"1..{_count}")
