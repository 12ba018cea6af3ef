#!/usr/bin/env python3
"""Makes the tables of BENCHMARKS.md, and the chart of README.md with its words, from the results in test/bench/data.

  page.py          writes them
  page.py check    fails if the pages are not what the files give
"""
import csv
import re
import statistics
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
CHECKOUT = HERE.parent.parent

# Comparisons of `make bench` in the tables of a server, and what ulid is compared with there.
COMPARISONS = {
    "generation": "ids made", "bulk insert": "rows inserted by one statement", "index after it": "rows per MB of the index after it",
    "text output": "ids written as text", "text input": "ids read from text", "sort": "ids sorted", "CREATE INDEX": "rows indexed",
    "CREATE INDEX USING gist": "rows indexed by GiST", "lookups by primary key": "lookups by primary key",
    "hash join": "rows joined by hashing", "range of time": "rows of a range of time",
    "join with 999 ranges of time": "rows joined with 999 ranges of time", "GROUP BY minute": "rows grouped by minute"}
OTHERS = ("uuid v4", "uuid v7", "bigint", "text")
# The other pairs: the comparison, the variant, and the one that it is compared with.
PAIRS = [
    ("generation", "gen_uuidv7()", "ulid"), ("generation", "gen_uuidv7()", "uuid v4"), ("bulk insert", "gen_uuidv7()", "uuid v7"),
    ("generation", "gen_monotonic_ulid()", "uuid v4"), ("<> ALL with uuids", "ulid", "uuid, same bytes"),
    ("planning of a range", "ulid, by times", "timestamptz column"),
    ("join with 999 ranges of time", "ulid, by the cast", "uuid v4"),
    ("planning of a join of 3 tables", "with the library", "without the library"),
]
# Kinds of key in the chart, from the top.
COLORS = {"uuid v4": "#d0462c", "text": "#999999", "bigint": "#999999", "uuid v7": "#8fb08c", "ulid": "#336791"}


def read_results(path):
    """The head and the rows of a file of results."""
    lines = path.read_text().splitlines()
    head = dict(line[2:].split(": ", 1) for line in lines if line.startswith("# "))
    return head, list(csv.DictReader(line for line in lines if not line.startswith("# ")))


def quartiles(values):
    """The lower quartile, the median, and the upper quartile."""
    return [values[0]] * 3 if len(values) < 2 else statistics.quantiles(values, n=4, method="inclusive")


def times(ratio):
    return f"{ratio:.{0 if ratio >= 10 else 1 if ratio >= 2 else 2 if ratio >= 0.01 else 5}f}"


def number(value):
    return f"{value:,.{0 if value >= 100 else 1 if value >= 10 else 2}f}"


def spread(values, form=number):
    low, middle, high = map(form, quartiles(values))
    return middle if low == high else f"{middle} ({low} to {high})"


def server_of(head):
    return re.split(r" \(| on ", head["Server"])[0]


def provenance(head):
    return (f"\n{server_of(head)}; {head['Machine']}; commit {head['Commit']}; {head['Date']}; load before it "
            f"{head['Load before']}; {head['Settings']}.\n")


def table(head, *lines):
    return "".join("| " + " | ".join(cells) + " |\n" for cells in (head, ["---"] * len(head), *lines))


# `make bench` -------------------------------------------------------------------------------------------------------

def ratio(rows, comparison, ours, theirs):
    """How many times as many rows a second, or per MB, of the same round: by the time of the processor, where there is."""
    values = {line["variant"]: [float(v) for v in (line["cpu"] or line["values"]).split()]
              for line in rows if line["comparison"] == comparison}
    if ours not in values or theirs not in values:
        return ""
    found = [b / a for a, b in zip(values[ours], values[theirs])]
    low, _, high = quartiles(found)
    said = "no difference" if len(found) > 1 and low <= 1 <= high else spread(found, times)
    if comparison.startswith("planning"):
        said += " ({:.0f} beside {:.0f} µs)".format(*(statistics.median(values[name]) for name in (ours, theirs)))
    return said


def comparisons(head, rows):
    """A run of `test/bench/run` as a table in Markdown."""
    lines = [(what, *(ratio(rows, comparison, "ulid", other) for other in OTHERS))
             for comparison, what in COMPARISONS.items()]
    return table((server_of(head), *(f"ulid ÷ {other}" for other in OTHERS)), *lines) + provenance(head)


def pairs(*runs):
    lines = [(COMPARISONS.get(comparison, comparison), ours, theirs, *(ratio(rows, comparison, ours, theirs) for _, rows in runs))
             for comparison, ours, theirs in PAIRS]
    return table(("what", "this", "÷ this", *(server_of(head) for head, _ in runs)), *lines)


# `test/bench/scale` ---------------------------------------------------------------------------------------------------

def points(rows):
    """{(rows, clients): {key: {measure: [value of each round]}}}, the keys in the order of the chart"""
    found = {}
    for line in sorted(rows, key=lambda line: [*COLORS].index(line["key"])):
        measures = found.setdefault((int(line["rows"]), int(line["clients"])), {}).setdefault(line["key"], {})
        for name, value in line.items():
            if name != "key":
                measures.setdefault(name, []).append(float(value))
    return found


def headline(rows):
    """The number of rows, that of clients, and what was measured of each key, of the measurement with all keys."""
    found = points(rows)
    point = max(found, key=lambda point: (len(found[point]), point[0]))
    return *point, found[point]


def compared(ours, theirs, name):
    """How many times as much ours is, by medians."""
    (low, middle, high), (other_low, other, other_high) = quartiles(ours[name]), quartiles(theirs[name])
    return "no difference" if low <= other_high and other_low <= high else times(middle / other)


def scale(head, rows):
    """A run of `test/bench/scale` as tables in Markdown."""
    size, clients, keys = headline(rows)
    text = f"{size:,} rows, {clients} clients:\n\n" + table(
        ("key", "rows a second", "ulid ÷ this key", "bytes of WAL a row", "index pages read a row", "pages written a row",
         "index, MiB"),
        *((key, spread(own["rows/s"]), "" if key == "ulid" else compared(keys["ulid"], own, "rows/s"),
           spread(own["WAL bytes/row"]), spread(own["index pages read/row"]), spread(own["pages written/row"]),
           number(own["index MiB"][0])) for key, own in keys.items()))
    others = [key for key in ("uuid v4", "uuid v7") if key in keys]
    columns = [(what, name, key) for what, name in (("WAL", "WAL bytes/row"), ("pages read", "index pages read/row"))
               for key in ("ulid", *others)]
    lines = [(f"{n:,}", str(clients), spread(own["ulid"]["rows/s"]),
              *(compared(own["ulid"], own[key], "rows/s") for key in others),
              *(number(statistics.median(own[key][name])) for _, name, key in columns))
             for (n, clients), own in sorted(points(rows).items())]
    text += "\n" + table(("rows", "clients", "ulid, rows a second", *(f"ulid ÷ {key}" for key in others),
                          *(f"{what}, {key}" for what, _, key in columns)), *lines)
    return text + provenance(head)


# On a phone GitHub shows a picture 358 pixels wide.
SVG = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 {height}" width="400" height="{height}">
<title>{title}</title>
<style>
	text {{ fill: #1f2328; font: 14px sans-serif }} path {{ stroke: #1f2328; stroke-width: 1.5 }}
	@media (prefers-color-scheme: dark) {{ text {{ fill: #e6edf3 }} path {{ stroke: #e6edf3 }} }}
</style>
{body}
</svg>
"""


def chart(head, rows):
    """Three panels of bars, a bar for each kind of key: medians, with the quartiles and the value."""
    size, clients, keys = headline(rows)
    body, y = [], 0
    for name, what in (("WAL bytes/row", "Bytes of WAL per row"),
                       ("index pages read/row", "Index pages read per row"), ("rows/s", "Rows per second")):
        body.append(f'<text x="234" y="{y + 20}" text-anchor="middle">{what}</text>')
        values = {key: quartiles(own[name]) for key, own in keys.items()}
        width = 250 / max(high for _, _, high in values.values())
        y += 30
        for key, value in values.items():
            low, middle, high = (68 + v * width for v in value)
            body.append(f'<text x="62" y="{y + 14}" text-anchor="end">{key}</text>'
                        f'<rect x="68" y="{y + 1}" width="{middle - 68:.1f}" height="16" fill="{COLORS[key]}"/>'
                        f'<path d="M{low:.1f} {y + 9}H{high:.1f}"/>'
                        f'<text x="{high + 8:.1f}" y="{y + 14}">{number(value[1])}</text>')
            y += 22
    return SVG.format(height=y + 8, title=f"Single-row inserts into a table of {size // 1000000} million rows, {clients} clients",
                      body="\n".join(body))


def prose(head, rows):
    """The measurements in three sentences; and the chart in README.md with its alternative text, and what it shows."""
    size, clients, keys = headline(rows)
    sizes = keys, points(rows)[(1000000, clients)]
    median = {key: {name: statistics.median(values) for name, values in own.items()} for key, own in keys.items()}
    more, more_small = (times(statistics.median(at["uuid v4"]["WAL bytes/row"]) / statistics.median(at["ulid"]["WAL bytes/row"]))
                        for at in sizes)
    faster, faster_small = (compared(at["ulid"], at["uuid v4"], "rows/s") for at in sizes)
    bars = "; ".join(
        f"{key}: {number(own['WAL bytes/row'])} bytes of WAL and {number(own['index pages read/row'])} index pages read "
        f"per row, {number(own['rows/s'])} rows per second" for key, own in median.items())
    cycle = head["Settings"].split("; ")[1]
    return (f"On a table larger than memory, a random UUID as key writes {more} times as much WAL as a `ulid`, and {faster} times as many\n"
            f"ulids are inserted per second. In memory, it costs {more_small} times the WAL, and {faster_small} times as many ulids are inserted.\n"
            f"Beside the server's `uuidv7()`, inserts show {compared(keys['ulid'], keys['uuid v7'], 'rows/s')}.\n",
            f"![Bars by kind of key, for single-row inserts into a table of {size // 1000000} million rows. {bars}.]"
            "(test/bench/charts/18-scale.svg)\n\n"
            f"At {size // 1000000} million rows, larger than memory, a row with a random UUID writes {more} times as much WAL as one "
            f"with a ULID, and {clients} clients insert {faster} times as many ULIDs per second. In memory, at 1 million rows, a random "
            f"UUID costs {more_small} times the WAL. ({server_of(head)}, 1 GiB of memory, fsync on, {cycle}. Medians of "
            f"{len(keys['ulid']['rows/s'])} rounds, with the quartiles.)\n")


# The pages ------------------------------------------------------------------------------------------------------------

def main(check):
    new, old, large = (read_results(HERE / f"data/{name}.csv") for name in ("18", "15", "18-scale"))
    made = {HERE / "charts/18-scale.svg": chart(*large)}
    summary, shown = prose(*large)
    blocks = {"README.md": {"chart": shown},
              "BENCHMARKS.md": {"summary": summary, "scale": scale(*large), "memory": f"{comparisons(*new)}\n{comparisons(*old)}",
                                "pairs": pairs(new, old)}}
    for name, parts in blocks.items():
        text = (CHECKOUT / name).read_text()
        for part, block in parts.items():
            text, replaced = re.subn(f"(?s)(<!-- {part} -->\n).*?(<!-- end -->)", lambda found: found[1] + block + found[2], text)
            if replaced != 1:
                sys.exit(f"{name} has no <!-- {part} --> ... <!-- end -->")
        made[CHECKOUT / name] = text
    for path, text in made.items():
        if not check:
            path.write_text(text)
        elif path.read_text() != text:
            sys.exit(f"{path} is not what the files of results give: test/bench/page.py")


if __name__ == "__main__":
    main(sys.argv[1:] == ["check"])
