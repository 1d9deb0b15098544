#!/usr/bin/env python3
"""Figures of docs/benchmarks that do not depend on the machine, beside those of a run.

    python3 tests/docs/figures.py CAIRN WORK      CAIRN: the program; WORK: a folder for tables

Prints a line for each figure that differs, and nothing where all are the same. Bytes are those of
files that hold no large deflated parts, which two libraries pack differently. The maps are those
of CAIRN_TEST_DATA; without them only figures that stand in two places are compared.
"""
import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MAPS = Path(os.environ.get("CAIRN_TEST_DATA") or ROOT.parent / "shared/data") / "movingai"
PATHS = {"lak303d": "dao", "brc202d": "dao", "AR0700SR": "bg512"}


def section(page, heading):
    """The lines below a heading, up to the next one."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.search(rf"^#+ {re.escape(heading)}\n(.*?)(?=^#|\Z)", text, re.M | re.S)[1]


def tables(text):
    """Each table as a list of rows, which map heads to cells."""
    found = []
    for block in re.findall(r"(?:^\|.*\n)+", text, re.M):
        lines = [[cell.strip(" *`") for cell in line.strip("|\n").split("|")]
                 for line in block.splitlines()]
        found.append([dict(zip(lines[0], line)) for line in lines[2:]])
    return found


class Run:
    """The program, and the tables that it has built."""

    def __init__(self, program, work):
        self.program, self.work = program, Path(work)

    def answer(self, *words):
        """What a command says with --json. A scenario that is wrong would be said by others."""
        done = subprocess.run([self.program, *map(str, words), "--json"], stdout=subprocess.PIPE,
                              check=False)
        return json.loads(done.stdout)

    def build(self, name, *options):
        """The path of a table of 16 rows."""
        path = self.work / ("-".join([name, *options]).replace("/", "_") + ".cairn")
        if not path.exists():
            self.answer("build", map_of(name), "-k", "16", "-o", path, *options)
        return path


def map_of(name):
    """The file of a map."""
    return MAPS / PATHS[name] / f"{name}.map"


def number(text):
    """A count as the documents write it."""
    return int(text.replace(",", ""))


def tell(where, written, found):
    """Says so if a figure is another one."""
    if written != found:
        print(f"{where}: {written:,} is written, {found:,} found")


def check_files(run):
    """Bytes of files of octile and compact metric."""
    for row in tables(section("docs/benchmarks/files.md", "Bytes and loading"))[0]:
        if row["map"] in PATHS:
            metric = row["metric, bits of an entry"].split(",")[0]
            path = run.build(row["map"], *(["--metric", metric] if metric == "compact" else []))
            tell(f"Files: {row['map']}, {metric}", number(row["bytes"]), path.stat().st_size)


def check_steps(run):
    """Bytes and expansions of tables that count steps, and of one that does not."""
    rows = tables(section("docs/benchmarks/searches.md", "Tables that count steps"))[0]
    names = [re.split(r"[ ,]", row["rows count"])[0] for row in rows[:-1]]
    paths = [run.build("brc202d", *(["--table-metric", name] if name != names[0] else []))
             for name in names]
    scenario = f"{map_of('brc202d')}.scen"
    searches = {search["name"]: search["expanded"]
                for search in run.answer("compare", *paths, scenario, "--every", 20)["searches"]}
    for row, path in zip(rows, paths):
        tell(f"Steps: {path.name}, file", number(row["file, bytes"]), path.stat().st_size)
    for row, name in zip(rows, [path.name for path in paths] + ["base"]):
        jump = f"jump {name}" if name != "base" else "jump"
        tell(f"Steps: {name}, cells", number(row["expanded, cells"]), searches[name])
        tell(f"Steps: {name}, jump", number(row["expanded, jump points"]), searches[jump])


def check_readme():
    """Times at the head of README are those of the searches."""
    bare, rows = tables(section("docs/benchmarks/searches.md", "Beside Boost Graph"))[:2]
    for row in tables((ROOT / "README.md").read_text(encoding="utf-8"))[0]:
        name = row["mean time of a query"].split("`")[0].strip(" ,")
        beside = [next(line for line in table if line["base heuristic" if table is bare else
                                                      "landmarks"] == name)
                  for table in (bare, rows)]
        written = [cell.strip(" *µs") for cell in list(row.values())[1:]]
        found = [beside[0]["Boost"], *(line["jump"].split(" ")[0] for line in beside)]
        if written != found:
            print(f"README: {name}: {written}, and in searches.md {found}")


def main():
    """Checks everything."""
    run = Run(sys.argv[1], sys.argv[2])
    check_readme()
    if MAPS.is_dir():
        check_files(run)
        check_steps(run)


main()
