#!/usr/bin/env python3
"""Makes the tables of BENCHMARKS.md and the charts from the files of results in test/bench/data.

  page.py          writes them
  page.py check    fails if the tables are not what the files give
"""
import re
import statistics
import subprocess
import sys
from pathlib import Path

from common import CHECKOUT, HERE, quartiles, read_results

# What of `make bench` is on the page: the comparison, what is compared, with what, and the goal: how many times as fast
# at least or, for a size, how many times as large at most.
COUNTED, SERIES = "generation, counted over a table", "generation, rows of generate_series"
UUID, TEXT = "uuid, same bytes", 'text COLLATE "C"'
LINES = [
    (SERIES, "gen_ulid()", "clock_timestamp()", 0.91),
    (COUNTED, "gen_ulid()", "gen_random_uuid()", 5.9),
    *((COUNTED, "gen_ulid()", other, None) for other in ("uuidv7()", "pg_uuidv7", "pg-ulid")),
    ("bulk insert", "ulid", "uuid v4", 2),
    ("bulk insert", "ulid", "bigint identity", 0.83),
    *(("bulk insert", "ulid", other, None) for other in ("uuid v7", "pg_uuidv7", "pg-ulid")),
    ("bulk insert", "ulid, random", "uuid v4", None),
    ("index after the bulk insert", "ulid", "uuid v4", 0.8),
    *(("index after the bulk insert", "ulid", other, None) for other in ("bigint identity", TEXT)),
    ("index after the bulk insert", "ulid, random", "uuid v4", None),
    *((comparison, "ulid", UUID, goal) for comparison, goal in (
        ("text output", 1.43), ("text input", 1.25), ("sort in memory", 1.05),
        ("sort in memory, ids of one statement", 1.05), ("CREATE INDEX", 1.05), ("primary key lookups", None),
        ("hash join", 1), ("range by time", None), ("CREATE INDEX USING gist", None))),
    ("range by time", "ulid", "uuid v4, index on created", None),
    ("the 20 nearest by time", "ORDER BY id <-> t, by gist", "two ranges of the key", None),
    ("search by prefix", "id ^@ prefix", "a range of the key", None),
    ("codec: encode", "the codec", "plain loop over a 128-bit integer", 2),
    ("codec: decode", "the codec", "plain loop over a 128-bit integer", 2),
]
COLORS = {"ulid": "#336791", "monotonic": "#6fa0c8", "bigint": "#777777", "uuid v7": "#8fb08c", "uuid v4": "#d0462c",
          "text": "#d0a24c"}


def number(value):
    return f"{value:,.{0 if value >= 100 else 1 if value >= 10 else 2}f}"


def times(ratio):
    return f"{ratio:.{0 if ratio >= 10 else 1 if ratio >= 2 else 2}f}"


def spread(values, form=number):
    low, middle, high = map(form, quartiles(values))
    return middle if low == high else f"{middle} ({low} to {high})"


# `make bench` -------------------------------------------------------------------------------------------------------

def ratios(rows):
    """For each line that was measured: its texts, whether it is a size, the goal, and by number of rows the quartiles
    of the ratio. Speeds are of the same round, by the processor time of the server's process where there is one."""
    measured = {}
    for row in rows:
        name = re.sub(r"^\d+ |, (\d|at|all|one side|by index|a hundredth).*|: search.*", "", row["comparison"])
        values = [float(v) for v in (row["cpu"] or row["values"]).split()]
        measured[int(row["rows"]), name, row["variant"]] = row["unit"], values
    sizes = sorted({n for n, _, _ in measured if n})
    for comparison, ours, theirs, goal in LINES:
        cells = {}
        for n in sizes:
            a, b = (measured.get((n, comparison, v)) or measured.get((0, comparison, v)) for v in (ours, theirs))
            if a and b:
                is_size = a[0] == "MB"
                cells[n] = quartiles([x / y if is_size else y / x for x, y in zip(a[1], b[1])])
        if cells:
            yield name_of(comparison, ours), theirs, is_size, goal, cells


def name_of(comparison, ours):
    if comparison.startswith("generation"):
        return ours + comparison.removeprefix("generation")
    return comparison if ours in ("ulid", "the codec") else f"{comparison}, {ours}"


def cell(quartile, is_size, goal):
    low, middle, high = quartile
    between = f" ({times(low)} to {times(high)})" if times(low) != times(high) else ""
    if low <= 1 <= high:
        return f"no difference{between}" + (", **missed**" if goal and goal > 1 else "")
    missed = goal and (middle > goal + 0.005 if is_size else middle < goal - 0.005)
    return f"{times(middle)} times as {'large' if is_size else 'fast'}{between}" + (", **missed**" if missed else "")


def comparisons(*runs):
    """The results of runs of `test/bench/run`, the head and the rows of each, as a table in Markdown."""
    found = [{line[:2]: line for line in ratios(rows)} for _, rows in runs]
    names = [version(head) for head, _ in runs]
    table = [f"| what | compared with | goal | {' | '.join(names)} |", "| --- " * (3 + len(runs)) + "|"]
    for (what, theirs), (_, _, is_size, goal, _) in found[0].items():
        target = f"at {'most' if is_size else 'least'} {times(goal)}" if goal else ""
        cells = [lines[what, theirs][4] if (what, theirs) in lines else {} for lines in found]
        table.append(f"| {what} | {theirs} | {target} | "
                     f"{' | '.join(cell(c[min(c)], is_size, goal) if c else '' for c in cells)} |")
    return "\n".join(table) + "\n" + "".join(told_of(head) for head, _ in runs)


def version(head):
    return head["Server"].split(" (")[0].split(" on ")[0]


def told_of(head):
    return (f"\n{version(head)}; {head['Machine']}; commit {head['Commit']}; {head['Date']}; "
            f"load before it {head['Load before']}; {head['Settings']}.\n")


def comparisons_chart(head, rows, svg):
    """Bars from 1, to the right where ulid is faster than uuid, with the quartiles."""
    lines = [(what, cells[min(cells)]) for what, theirs, is_size, _, cells in ratios(rows)
             if not is_size and theirs in (UUID, "uuid v4", "gen_random_uuid()")]
    data = "\n".join(f'"{what}" {i} {middle} {low} {high}' for i, (what, (low, middle, high)) in enumerate(lines))
    draw(f"""$data << END
{data}
END
        set terminal svg size 900,{90 + 16 * len(lines)} noenhanced font 'sans-serif,10' background '#ffffff'
        set output '{svg}'
        set title "How many times as fast as uuid, medians and quartiles"
        set logscale x
        set xrange [0.6:*]
        set xtics (0.7, 1, 1.5, 2, 3, 5, 10, 20)
        set grid xtics lc rgb '#dddddd'
        set yrange [{len(lines) - 0.4}:-0.6]
        set tics nomirror scale 0
        set border 1
        unset key
        set arrow 1 from 1, graph 0 to 1, graph 1 nohead lc rgb '#777777'
        plot $data using (1):2:(1):3:($2 - 0.35):($2 + 0.35):ytic(1) with boxxyerror fs solid 0.8 noborder \\
                 lc rgb '#336791', \\
             '' using 3:2:4:5 with xerrorbars pt -1 lc rgb '#000000'
    """, svg)


# `make bench-scale` ---------------------------------------------------------------------------------------------------

def points(rows):
    """{(rows, clients, cycle): {key: {measure: [value of each round]}}}"""
    found = {}
    for row in rows:
        point = found.setdefault((int(row["rows"]), int(row["clients"]), int(row["cycle"] or 0)), {})
        measures = point.setdefault(row["key"], {})
        for name, value in row.items():
            measures.setdefault(name, []).append(value if name in ("key", "waits for", "cycle") else float(value))
    return found


def overlap(one, other):
    (low, _, high), (other_low, _, other_high) = one, other
    return low <= other_high and other_low <= high


def compared(name, measures, ulid):
    """How many times the one measure is the other: of inserts ulid's to this key's, else this key's to ulid's."""
    if measures is ulid:
        return ""
    if overlap(quartiles(measures[name]), quartiles(ulid[name])):
        return "no difference"
    ratio = statistics.median(measures[name]) / statistics.median(ulid[name])
    return f"{times(1 / ratio)} times as many" if name == "rows/s" else f"{times(ratio)} times as much"


def scale(head, rows):
    """The results of `test/bench/scale` as tables in Markdown."""
    found = points(rows)
    last, clients, _ = next(point for point in found if point[0] == max(n for n, _, _ in found))
    keys = found[last, clients, 0]
    ulid = keys["ulid"]
    lines = [f"{last:,} rows, {clients} clients:", "",
             "| key | rows a second | ulid inserts | WAL, bytes a row | of ulid's | blocks read a row "
             "| blocks written a row | index, MiB |", "| --- " * 8 + "|"]
    for key, measures in keys.items():
        lines.append(f"| {key} | {spread(measures['rows/s'])} | {compared('rows/s', measures, ulid)} | "
                     f"{spread(measures['WAL bytes/row'])} | {compared('WAL bytes/row', measures, ulid)} | "
                     + " | ".join(spread(measures[f"blocks {what}/row"]) for what in ("read", "written"))
                     + f" | {number(statistics.median(measures['index MiB']))} |")
    cycle = next((point for point in found if point[2]), None)
    if cycle:
        lines += ["", f"With {cycle[2]:,} rows between two checkpoints, bytes of WAL a row: " + ", ".join(
            f"{key} {spread(measures['WAL bytes/row'])}" for key, measures in found[cycle].items()) + "."]
    lines += ["", "| clients | ulid, rows a second | uuid v4 | ulid inserts |", "| --- " * 4 + "|"]
    for n, clients, cycle in sorted(found):
        if n == last and not cycle and "uuid v4" in found[n, clients, cycle]:
            ulid, random = (found[n, clients, cycle][key] for key in ("ulid", "uuid v4"))
            lines.append(f"| {clients} | {spread(ulid['rows/s'])} | {spread(random['rows/s'])} | "
                         f"{compared('rows/s', random, ulid)} |")
    return "\n".join(lines) + "\n" + told_of(head)


def scale_chart(head, rows, svg):
    """How the costs of a row change with the table, and the rate with the clients: medians, with the quartiles as error
    bars."""
    found = points(rows)
    sizes, first = sorted({n for n, _, _ in found}), next(iter(found))[1]
    by_size = [(n, found[n, first, 0]) for n in sizes]
    by_clients = sorted((clients, keys) for (n, clients, cycle), keys in found.items() if n == sizes[-1] and not cycle)
    # The lines of ordered keys are one on top of another: ours is drawn last.
    keys = sorted(by_size[-1][1], key=lambda key: key == "ulid")
    data, panels = [], []
    for name, title, series, tic in (
            ("WAL bytes/row", f"Bytes of WAL a row, {first} clients", by_size, short),
            ("blocks read/row", f"Blocks read a row, {first} clients", by_size, short),
            ("rows/s", f"Rows a second, {short(sizes[-1])}, by clients", by_clients, str)):
        lines = []
        for key in (key for key in keys if all(key in measured for _, measured in series)):
            block = f"$d{len(panels)}{keys.index(key)}"
            values = [(n, *quartiles(measured[key][name])) for n, measured in series]
            data += [f"{block} << END", *(f"{n} {middle} {low} {high}" for n, low, middle, high in values), "END"]
            width = 3 if key in ("ulid", "uuid v4") else 2
            lines.append(f"{block} using 1:2:3:4 with yerrorlines pt 7 ps 0.4 lw {width} "
                         f"lc rgb '{COLORS[key]}' title '{key}'")
        tics = ", ".join(f'"{tic(n)}" {n}' for n, _ in series)
        panels.append(f"""set title '{title}'
        set xrange [{series[0][0]} * 0.7:{series[-1][0]} * 1.4]
        set xtics ({tics})
        plot {', '.join(lines)}
        unset key""")
    draw("\n".join(data) + f"""
        set terminal svg size 900,350 noenhanced font 'sans-serif,11' background '#ffffff'
        set output '{svg}'
        set multiplot layout 1,3 title "Clients insert single rows; {head['Settings'].split(';')[0]}"
        set bmargin 6
        set logscale x
        set yrange [0:*]
        set grid lc rgb '#dddddd'
        set tics nomirror scale 0.5
        set border 3
        set key at screen 0.5, screen 0.07 center center horizontal font ',10' samplen 2 width 2
        {chr(10).join(panels)}
        unset multiplot
    """, svg)


def short(n):
    return f"{n // 1000000} M rows" if n >= 1000000 else f"{n:,} rows"


def draw(script, svg):
    """With gnuplot, without the empty lines and the breaks that it makes."""
    subprocess.run(["gnuplot"], input=script, text=True, check=True)
    text = re.sub(r"\s*\n\s*", " ", Path(svg).read_text())
    Path(svg).write_text(re.sub(r" (?=<g |</?svg|<defs)", "\n", text).strip() + "\n")


# The page -------------------------------------------------------------------------------------------------------------

def main(check):
    page = CHECKOUT / "BENCHMARKS.md"
    before = text = page.read_text()
    runs = {name: read_results(HERE / f"data/{name}.csv") for name in ("18", "15", "18-scale")}
    for name, table in (("comparisons", comparisons(runs["18"], runs["15"])), ("scale", scale(*runs["18-scale"]))):
        text, replaced = re.subn(f"(<!-- {name} -->\n).*?(<!-- end -->)", lambda found: found[1] + table + found[2], text,
                                 flags=re.S)
        if replaced != 1:
            sys.exit(f"BENCHMARKS.md has no <!-- {name} --> ... <!-- end -->")
    if check:
        sys.exit("BENCHMARKS.md is not what the files of results give: test/bench/page.py" if text != before else 0)
    page.write_text(text)
    comparisons_chart(*runs["18"], HERE / "charts/18.svg")
    scale_chart(*runs["18-scale"], HERE / "charts/18-scale.svg")


if __name__ == "__main__":
    main(sys.argv[1:] == ["check"])
