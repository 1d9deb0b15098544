#!/usr/bin/env python3
"""Draws the charts of docs/ from the tables of docs/, so that both say the same.

    charts.py FOLDER     writes queries.svg and scale.svg there
"""

import math
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
WIDTH = 760
INK, GREY, LINE = "#222", "#666", "#d8d8d8"
# Told apart by lightness too, and by people who see fewer colours.
COLOURS = ["#9a9a9a", "#e69f00", "#56b4e9", "#a3457a", "#003f6f"]


def number(cell):
    """The first figure of a cell: 1,842 of '1,842 (4.4)', and the sum of '22 + 2'."""
    plain = cell.split("(")[0].replace(",", "").replace("**", "")
    return sum(float(part) for part in plain.split("+"))


def table_of(page, head):
    """The rows of the table that begins with `head`: by the first cell, then by column."""
    lines = iter((ROOT / "docs" / page).read_text().splitlines())
    for line in lines:
        if line.startswith(head):
            break
    else:
        raise SystemExit(f"charts.py: docs/{page} has no table that begins with {head}")
    names = [cell.strip() for cell in line.strip("|").split("|")]
    next(lines)
    rows = {}
    for line in lines:
        if not line.startswith("|"):
            break
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        rows[cells[0]] = dict(zip(names[1:], cells[1:]))
    return rows


class Picture:
    def __init__(self, height, title, about):
        self.height = height
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
            f'viewBox="0 0 {WIDTH} {height}" role="img" font-family="system-ui, sans-serif">',
            f"<title>{title}</title>",
            f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>']
        self.text(16, 26, title, size=16, weight=600)
        self.text(16, 46, about, colour=GREY)

    def text(self, x, y, words, size=12, anchor="start", colour=INK, weight=400):
        self.parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" '
            f'fill="{colour}" font-weight="{weight}">{words}</text>')

    def line(self, x1, y1, x2, y2, colour=LINE, width=1):
        self.parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
                          f'stroke="{colour}" stroke-width="{width}"/>')

    def dot(self, x, y, colour, radius=5):
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{colour}"/>')

    def legend(self, y, names):
        x = 16
        for name, colour in zip(names, COLOURS):
            self.dot(x + 5, y - 4, colour)
            self.text(x + 15, y, name)
            x += 33 + 6.3 * len(name)

    def write(self, path):
        path.write_text("\n".join(self.parts + ["</svg>", ""]))


class Scale:
    """Positions of figures, by their logarithms or as they are."""

    def __init__(self, low, high, begin, end, logarithmic=True):
        self.of = math.log10 if logarithmic else float
        self.low, self.begin = self.of(low), begin
        self.factor = (end - begin) / (self.of(high) - self.of(low))

    def __call__(self, value):
        return self.begin + (self.of(value) - self.low) * self.factor


def grouped(value):
    return f"{value:,.0f}" if value >= 10 else f"{value:g}"


def draw_queries(path):
    base = table_of("benchmarks/searches.md", "| base heuristic |")
    landmarks = table_of("benchmarks/searches.md", "| landmarks |")
    names = ["Boost Graph, octile distance", "cells", "cells, 16 landmarks", "jump points",
             "jump points, 16 landmarks"]
    picture = Picture(120 + 34 * len(base), "Time of a shortest path",
                      "Microseconds of a query: each line is ten times the one before it.")
    picture.legend(72, names)
    top, bottom = 92, 92 + 34 * len(base)
    x = Scale(0.5, 60000, 130, WIDTH - 20)
    for power in range(0, 5):
        picture.line(x(10 ** power), top, x(10 ** power), bottom)
        picture.text(x(10 ** power), bottom + 18, grouped(10 ** power), anchor="middle",
                     colour=GREY)
    for at, name in enumerate(base):
        y = top + 34 * at + 17
        times = [number(cell) for cell in (base[name]["Boost"], base[name]["cells"],
                                           landmarks[name]["cells"], base[name]["jump"],
                                           landmarks[name]["jump"])]
        picture.text(16, y + 4, name)
        picture.line(x(min(times)), y, x(max(times)), y, "#b8b8b8", 2)
        for time, colour in zip(times, COLOURS):
            picture.dot(x(time), y, colour)
    picture.write(path)


def draw_scale(path):
    rows = table_of("SCALE.md", "| side |")
    names = ["build", "verify", "load"]
    picture = Picture(360, "Time for each entry of a table",
                      "Nanoseconds of processor time, by open cells of the map.")
    shades = [COLOURS[4], COLOURS[1], COLOURS[2]]
    cells = [number(row["open cells"]) for row in rows.values()]
    x = Scale(4000, 4e8, 60, WIDTH - 90)
    y = Scale(0, 75, 310, 70, logarithmic=False)
    for tick in range(0, 76, 25):
        picture.line(60, y(tick), WIDTH - 90, y(tick))
        picture.text(52, y(tick) + 4, tick, anchor="end", colour=GREY)
    for power in range(4, 9):
        picture.text(x(10 ** power), 330, grouped(10 ** power), anchor="middle", colour=GREY)
    picture.text((WIDTH - 30) / 2, 350, "open cells", anchor="middle", colour=GREY)
    for name, colour in zip(names, shades):
        points = [(x(n), y(number(row[f"{name}, ns"]))) for n, row in zip(cells, rows.values())]
        for (x1, y1), (x2, y2) in zip(points, points[1:]):
            picture.line(x1, y1, x2, y2, colour, 2)
        for at in points:
            picture.dot(*at, colour, 4)
        picture.text(points[-1][0] + 12, points[-1][1] + 4, name, colour=colour, weight=600)
    picture.write(path)


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__.strip(), file=sys.stderr)
        return 0 if sys.argv[1:] in (["-h"], ["--help"]) else 2
    folder = pathlib.Path(sys.argv[1])
    draw_queries(folder / "queries.svg")
    draw_scale(folder / "scale.svg")
    return 0


if __name__ == "__main__":
    sys.exit(main())
