"""Shared by the benchmarks: the machine, the server, and files of results."""
import csv
import os
import platform
import re
import subprocess
import sys
import time
from pathlib import Path

from page import CHECKOUT, HERE

SERVER = CHECKOUT / "test/tools/server"
QUICK = os.environ.get("BENCH_QUICK") == "1"
# A machine with a greater load than this one is not quiet.
MOST_LOAD = 0.5


def prepare():
    """Builds and installs the extension. Returns the load before; waits for it to fade, and ends the program if it does not."""
    tries = 0 if QUICK else 60
    while (load := os.getloadavg()[0]) > MOST_LOAD and tries:
        tries -= 1
        time.sleep(5)
    if load > MOST_LOAD and not QUICK:
        sys.exit(f"The load is {load:.2f}. Stop what else is running: above {MOST_LOAD} nothing is measured.")
    make = ["make", "-s", "-C", CHECKOUT, f"PG_CONFIG={os.environ.get('PG_CONFIG', 'pg_config')}"]
    sudo = ["sudo"] if os.getuid() else []
    for command in [CHECKOUT / "test/tools/setup", "build", "bench"], make + ["clean"], make, sudo + make + ["install"]:
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return load


class Session:
    """A connection, so one server process. It ends when nothing refers to it."""

    def __init__(self, server, database="postgres"):
        import psycopg2  # which prepare() installs
        self.connection = psycopg2.connect(host=str(server), user="postgres", dbname=database)
        self.connection.autocommit = True
        self.cursor = self.connection.cursor()

    def run(self, *statements):
        """The rows of the last statement; a single value by itself."""
        for statement in statements:
            self.cursor.execute(statement)
        rows = self.cursor.fetchall() if self.cursor.description else []
        return rows[0][0] if len(rows) == 1 and len(rows[0]) == 1 else rows


def write_results(session, name, load, settings, rows):
    """Writes a file of results, and returns its head. That of a quick run is named so."""
    cpu = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    memory = int(re.search(r"MemTotal:\s*(\d+)", Path("/proc/meminfo").read_text())[1]) / 2**20
    describe = ["git", "-c", "safe.directory=*", "-C", CHECKOUT, "describe", "--always", "--dirty", "--exclude=*"]
    head = {
        "Date": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime()),
        "Commit": subprocess.run(describe, capture_output=True, text=True).stdout.strip() or "unknown",
        "Server": session.run("SELECT version()"),
        "Machine": f"{cpu[1] if cpu else platform.machine()}, {os.cpu_count()} processors, {memory:.0f} GiB, "
                   f"{platform.system()} {platform.release()}",
        "Load before": f"{load:.2f}", "Settings": settings}
    path = HERE / "results" / f"{'quick-' if QUICK else ''}{session.connection.server_version // 10000}{name}.csv"
    path.parent.mkdir(exist_ok=True)
    with path.open("w", newline="") as file:
        file.writelines(f"# {key}: {value}\n" for key, value in head.items())
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return head
