"""Writes the tables and plots of the manual's page "How fast, and how right" from ``docs/peers/measured.json``.

python benchmarks/peers/report.py
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter
from problems import PROBLEMS, TITLES

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "peers"
SMOOTH = ("ball", "links", "cube")
COLUMNS = ("engine", "CPU time", "set-up", "error of impacts", "missed", "penetration", "energy created")
MARKS, COLORS = "os^vD*PpXh<>", [*(f"C{k}" for k in range(10)), "black", "navy"]
"""Of the engines, in the order in which they have rows."""


def seconds(value: float | None) -> str:
    """A time with its unit."""
    if value is None or value != value:
        return "\\-"
    for scale, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "us")):
        if value >= scale:
            return f"{value / scale:.3g} {unit}"
    return f"{value:.1e} s"


def small(value: float | None, unit: str, least: float) -> str:
    """A figure that may be rounding."""
    if value is None or value != value:
        return "\\-"
    return f"below {least:.0e} {unit}" if value < least else f"{value:.1e} {unit}"


def cells(row: dict) -> list[str]:
    """The cells of a row that was measured."""
    missed = "\\-" if row.get("missed") is None else f"{row['missed']} of {row['impacts']}"
    return [
        f"{row['engine']}, {row['how']}",
        seconds(row["run"]),
        seconds(row["setup"]) if row["setup"] > 1e-3 else "below 1 ms",
        small(row.get("error"), "s", 1e-12),
        missed,
        small(row.get("penetration"), "m", 1e-11),
        small(row.get("created"), "J", 1e-7),
    ]


def package(engine: str) -> str:
    """The package of an engine, without the way it is used."""
    return engine.partition(",")[0].partition(" with")[0]


def table(problem: str, rows: list[dict], engines: list[str]) -> list[str]:
    """A table of restructured text, the fastest engine first, and below it who is left out and why."""
    measured = sorted((row for row in rows if "run" in row), key=lambda row: row["run"])
    lines = []
    if measured:
        lines += [f".. list-table:: {TITLES[problem]}", "   :header-rows: 1", "   :widths: 40 10 10 12 10 10 10", ""]
        for line in [list(COLUMNS), *map(cells, measured)]:
            lines += [f"   {'* -' if k == 0 else '  -'} {cell}" for k, cell in enumerate(line)]
    else:
        lines.append(f"*{TITLES[problem]}*")
    lines.append("")
    said: dict[str, list[str]] = {}
    for row in rows:
        if row.get("said"):
            name = f"{row['engine']} ({row['setting']})" if "run" in row or "not done" in row["said"] else row["engine"]
            said.setdefault(row["said"], []).append(name)
    left_out = [engine for engine in engines if engine not in {row["engine"] for row in rows}]
    if left_out:
        said["not measured on this machine"] = left_out
    lines += [f"* {', '.join(dict.fromkeys(names))}: {what}." for what, names in said.items()]
    return [*lines, ""]


def draw(rows: list[dict]) -> Figure:
    """CPU time against the error of impact times, for the problems whose impacts are known exactly."""
    figure = Figure(figsize=(9.5, 4.2), layout="constrained")
    names = list(dict.fromkeys(row["engine"] for row in rows if "run" in row))
    for problem, axes in zip(SMOOTH, figure.subplots(1, 3, sharey=True), strict=True):
        for row in rows:
            if row["problem"] != problem or row.get("error") is None:
                continue
            k = names.index(row["engine"])
            full = row["missed"] == 0
            axes.loglog(
                1e3 * row["run"], max(row["error"], 1e-13), MARKS[k], color=COLORS[k], markersize=7,
                fillstyle="full" if full else "none", label=row["engine"],
            )  # fmt: skip
        axes.set(xlabel="CPU time of a run (ms)", title=TITLES[problem].split(",")[0])
        whole_decades(axes)
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(alpha=0.3)
    figure.axes[0].set_ylabel("largest error of an impact time (s)")
    handles = {}
    for axes in figure.axes:
        handles |= dict(zip(*reversed(axes.get_legend_handles_labels()), strict=True))
    figure.legend(
        handles.values(), handles.keys(), loc="outside lower center", ncols=5, frameon=False, fontsize="small"
    )
    return figure


def draw_contacts(rows: list[dict]) -> Figure:
    """CPU time against the worst penetration, for the problems with friction."""
    problems = ("die", "chain", "pile")
    figure = Figure(figsize=(9.5, 3.8), layout="constrained")
    names = list(dict.fromkeys(row["engine"] for row in rows if "run" in row))
    for problem, axes in zip(problems, figure.subplots(1, 3, sharey=True), strict=True):
        for row in rows:
            if row["problem"] == problem and "run" in row:
                k = names.index(row["engine"])
                axes.loglog(
                    1e3 * row["run"], max(row["penetration"], 1e-16), MARKS[k], color=COLORS[k],
                    markersize=7, label=row["engine"],
                )  # fmt: skip
        axes.set(xlabel="CPU time of a run (ms)", title=TITLES[problem].split(",")[0])
        whole_decades(axes)
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(alpha=0.3)
    figure.axes[0].set_ylabel("worst penetration (m)")
    handles = {}
    for axes in figure.axes:
        handles |= dict(zip(*reversed(axes.get_legend_handles_labels()), strict=True))
    figure.legend(
        handles.values(), handles.keys(), loc="outside lower center", ncols=5, frameon=False, fontsize="small"
    )
    return figure


def whole_decades(axes) -> None:
    """Let the horizontal axis begin and end at powers of ten, and label these alone."""
    low, high = axes.get_xlim()
    axes.set_xlim(10.0 ** np.floor(np.log10(low)), 10.0 ** np.ceil(np.log10(high)))
    axes.xaxis.set_minor_formatter(NullFormatter())


def main() -> None:
    """Write tables and plots."""
    found = json.loads((FOLDER / "measured.json").read_text(encoding="utf-8"))
    rows, machine = found["rows"], found["machine"]
    versions = dict.fromkeys(f"{package(row['engine'])} {row['version']}" for row in rows if row.get("version"))
    where = f"{machine['processor']}, {machine['cores']} cores, {machine['system']}, Python {machine['python']}"
    told = (
        f"Measured on {where}, with other work on the machine: all times are CPU times, and a third more or less says "
        f"nothing. Versions: {', '.join(versions)}."
    )
    lines = [told, ""]
    engines = list(dict.fromkeys(row["engine"] for row in rows))
    for problem in PROBLEMS:
        own = [row for row in rows if row["problem"] == problem]
        lines += table(problem, own, engines)
    (FOLDER / "tables.inc").write_text("\n".join(lines), encoding="utf-8")
    draw(rows).savefig(FOLDER / "error.png", dpi=110)
    draw_contacts(rows).savefig(FOLDER / "penetration.png", dpi=110)


if __name__ == "__main__":
    main()
