"""Shared by the benchmarks: the load, files of results, and quartiles."""
import csv
import os
import platform
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
CHECKOUT = HERE.parent.parent
PG_CONFIG = os.environ.get("PG_CONFIG", "pg_config")
QUICK = os.environ.get("BENCH_QUICK") == "1"
OUT = Path(os.environ.get("BENCH_OUT", HERE / "results")).resolve()
# A machine with a greater load than this one is not quiet.
MOST_LOAD = 0.5


def pg_config(option):
    return subprocess.check_output([PG_CONFIG, option], text=True).strip()


def prepare():
    """Builds and installs the extension. Returns the load before; waits for it to fade, and ends the program if it does not."""
    tries = 0 if QUICK else 60
    while (load := os.getloadavg()[0]) > MOST_LOAD and tries:
        tries -= 1
        time.sleep(5)
    if load > MOST_LOAD and not QUICK:
        sys.exit(f"The load is {load:.2f}. Stop what else is running: above {MOST_LOAD} nothing is measured.")
    make = ["make", "-s", "-C", CHECKOUT, f"PG_CONFIG={PG_CONFIG}"]
    sudo = ["sudo"] if os.getuid() else []
    for command in [CHECKOUT / "test/tools/setup", "build", "bench"], make + ["clean"], make, sudo + make + ["install"]:
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return load


def commit():
    git = ["git", "-c", "safe.directory=*", "-C", CHECKOUT]
    head = subprocess.run(git + ["rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    changed = head and subprocess.run(git + ["diff", "--quiet", "HEAD", "--", "src", "sql", "Makefile"]).returncode
    return (head or "unknown") + (" with changes" if changed else "")


def head_of_results(load, server, settings):
    cpu = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    memory = int(re.search(r"MemTotal:\s*(\d+)", Path("/proc/meminfo").read_text())[1]) / 2**20
    return {
        "Date": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime()), "Commit": commit(), "Server": server,
        "Machine": f"{cpu[1] if cpu else platform.machine()}, {os.cpu_count()} processors, {memory:.0f} GiB, "
                   f"{platform.system()} {platform.release()}",
        "Load before": f"{load:.2f}", "Settings": settings}


def write_results(name, head, rows):
    """Writes a file of results. That of a quick run is named so."""
    OUT.mkdir(parents=True, exist_ok=True)
    with (OUT / (f"quick-{name}" if QUICK else name)).open("w", newline="") as file:
        file.writelines(f"# {key}: {value}\n" for key, value in head.items())
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def read_results(path):
    """The head and the rows of a file of results."""
    with Path(path).open(newline="") as file:
        lines = file.readlines()
    head = dict(line[2:].rstrip("\n").split(": ", 1) for line in lines if line.startswith("# "))
    return head, list(csv.DictReader(line for line in lines if not line.startswith("# ")))


def quartiles(values):
    """The lower quartile, the median, and the upper quartile."""
    return [values[0]] * 3 if len(values) < 2 else statistics.quantiles(values, n=4, method="inclusive")
