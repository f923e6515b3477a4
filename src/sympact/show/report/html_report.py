"""A report of a run on one page: the model, its numbers, the events, and an audit of the energy."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np

from sympact.integrate.export.whole_file import whole_file
from sympact.integrate.measure.energy_balance import known_work
from sympact.integrate.trajectory.about import About, Formula
from sympact.show.graphs.mode_drawing import draw_modes
from sympact.show.kit.typeset import equation_html
from sympact.show.plots.timeline import NOTHING, plot_energy, plot_result
from sympact.show.report.sections import folded, page, paragraph, picture, section, table
from sympact.version import __version__

if TYPE_CHECKING:
    from sympact.integrate.result import Result

__all__ = ["write_report"]

_GAIN = 1e-10
"""Of the kinetic energy before an impact: the possible rounding."""

_OPEN_EQUATIONS = 12
"""Equations under one heading that are shown without being unfolded."""

_MOST_MODES = 40
"""Modes whose graph is readable on a page."""


def write_report(
    result: Result,
    path: str | PathLike,
    *,
    title: str = "Report of a simulation",
    units: Mapping[str, str] = NOTHING,
) -> None:
    """Write a run to one HTML file that opens without a network: pictures and equations are part of it.

    Its sections are a summary, the model with its equations, parameters and contacts, the start and the settings, the
    motion, the audit of the energy, the modes, and a table of all events. The same run gives the same file.

    Parameters
    ----------
    result : Result
    path : path-like
        The file to write, such as ``"cube.html"``.
    title : str
    units : mapping of str to str
        Units of the states, of ``"t"``, ``"gaps"`` and ``"energy"``, as `plot_result` takes them.

    Raises
    ------
    ValueError
        If `units` contains a name that the result does not have.
    """
    about = result._model.about()
    sections = [
        _summary(result),
        _model(about),
        _settings(result, units),
        section("Motion", picture(plot_result(result, units=units), "States and gaps over time")),
        _energy(result),
        _modes(result),
        _events(result),
    ]
    with whole_file(path, text=True) as file:
        file.write(page(title, sections))


def _summary(result: Result) -> str:
    begin, end = result.t_span
    kinds = ", ".join(f"{count} {kind}" for kind, count in Counter(result.events.kinds()).items()) or "none"
    rows = [
        ["time", f"{begin:.12g} to {end:.12g}"],
        ["ended", f"{result.status.name}: {result.message}"],
        ["samples", str(len(result.t))],
        ["events", f"{len(result.events)} ({kinds})"],
        ["made with", f"sympact {__version__}"],
    ]
    return section("Summary", table([], rows))


def _model(about: About | None) -> str:
    if about is None:
        text = "This run was made from plain functions or read from a file: its equations and parameters are unknown."
        return section("Model", paragraph(text))
    parts = [table([], [list(row) for row in about.letters])]
    if about.parameters:
        parts.append(table(["parameter", "value"], [list(row) for row in about.parameters]))
    if about.contacts:
        parts.append(table(["contact", "of", "restitution", "friction"], [list(row) for row in about.contacts]))
    return section("Model", *parts, *map(_formula, about.formulas))


def _formula(formula: Formula) -> str:
    """The equations under one heading, a line each; plain text where there is no LaTeX."""
    pairs = zip(formula.latex or [""] * len(formula.text), formula.text, strict=True)
    lines = [equation_html(latex, text) if latex else paragraph(text) for latex, text in pairs]
    body = "".join(f'<div class="equation">{line}</div>\n' for line in lines)
    return folded(f"{formula.title} ({len(lines)})", body, unfolded=len(lines) <= _OPEN_EQUATIONS)


def _settings(result: Result, units: Mapping[str, str]) -> str:
    start = result(result.t_span[0], side="left")
    rows = [[name, float(value), units.get(name, "")] for name, value in zip(result.state_names, start, strict=True)]
    asked = [[name, str(value)] for name, value in result.settings.items()]
    work = [[name.replace("_", " "), count] for name, count in result.counts.items()]
    return section("Start and settings", table(["state", "start", "unit"], rows), table([], asked), table([], work))


def _energy(result: Result) -> str:
    """The energy change of every impact, gains with a warning, and the balance over the run."""
    if not result._model.knows("kinetic_energy"):
        why = result._facts.without_kinetic
        unknown = f"The energy is unknown: {why}." if why else ""
        return section(
            "Energy", paragraph(unknown or "This run was made without a mechanical model, which has masses.")
        )
    columns = result.events.columns()
    chosen = np.flatnonzero(np.isfinite(columns["impulse"]))
    changes = columns["energy"][chosen]
    before = _kinetic_before(result, chosen)
    gained = np.flatnonzero(changes > _GAIN * before)
    parts = _balance(result, changes)
    if gained.size:
        worst = chosen[gained[np.argmax(changes[gained])]]
        text = (
            f"{gained.size} impact(s) gained energy, {changes[gained].sum():.6g} J in all, the largest at"
            f" t = {columns['t'][worst]:.9g}: impacts of several contacts with different restitutions can cause this."
        )
        parts.append(paragraph(text, warned=True))
    parts.append(picture(plot_energy(result), "Energy over time, and its change in each impact"))
    parts.append(_losses(columns, chosen, changes, before, gained))
    return section("Energy", *parts)


def _losses(
    columns: Mapping[str, Sequence], chosen: np.ndarray, changes: np.ndarray, before: np.ndarray, gained: np.ndarray
) -> str:
    """A row for every event that has an energy; those that gained are marked."""
    if not chosen.size:
        return paragraph("There were no impacts.")
    impulses = columns["impulse"][chosen].tolist()
    percent = np.round(100 * changes / np.where(before > 0, before, math.nan), 6).tolist()
    rows = [
        [int(k) + 1, float(columns["t"][k]), columns["contacts"][k], *(float(f"{number:.7g}") for number in numbers)]
        for k, *numbers in zip(chosen, impulses, before.tolist(), changes.tolist(), percent, strict=True)
    ]
    headings = ["event", "t", "contacts", "impulse (N s)", "kinetic energy before (J)", "change (J)", "change (%)"]
    return table(headings, rows, warned=gained.tolist())


def _kinetic_before(result: Result, chosen: np.ndarray) -> np.ndarray:
    """The kinetic energy just before some of the events."""
    if not chosen.size:
        return np.empty(0)
    before, stage = np.array([result.events[k].x_minus for k in chosen]).T, result._record.event_source[chosen]
    return result._model.quantity("kinetic_energy")(result.events.t[chosen], before, stage)


def _balance(result: Result, changes: np.ndarray) -> list[str]:
    """The energy at the start and the end, and the difference that the impacts do not explain."""
    lost, gained = -changes[changes < 0].sum(), changes[changes > 0].sum()
    rows = [["lost in impacts", float(lost)], ["gained in impacts", float(gained)]]
    if not result._model.knows("potential_energy"):
        loads = ", ".join(result._facts.without_potential) or "its loads"
        return [table(["", "J"], rows), paragraph(f"There is no total energy: no potential is known for {loads}.")]
    energy, work = result.energy, known_work(result)
    works = {} if work is None else {name: float(done[-1]) for name, done in work.items()}
    rest = energy[-1] - energy[0] + lost - gained - sum(works.values())
    rows = [
        ["kinetic and potential energy at the start", float(energy[0])],
        *rows,
        *([f"work of {name}", float(f"{done:.9g}")] for name, done in works.items()),
        ["at the end", float(energy[-1])],
        ["not explained", float(f"{rest:.3g}")],
    ]
    unknown = "the work of dampers, of inputs and of moving surfaces, and " if work is None else ""
    return [table(["", "J"], rows), paragraph(f"The remainder is {unknown}the error of the integration.")]


def _modes(result: Result) -> str:
    modes = result.modes
    rows = [[of["order"] + 1, str(name), of["visits"], float(of["time"])] for name, of in modes.nodes(data=True)]
    drawn = picture(draw_modes(modes), "The modes of the run, and the events between them")
    if len(modes) > _MOST_MODES:
        drawn = paragraph(f"{len(modes)} modes are too many for a picture.")
    return section("Modes", drawn, table(["", "mode", "visits", "time (s)"], rows))


def _events(result: Result) -> str:
    if not len(result.events):
        return section("Events", paragraph("There were no events."))
    columns = result.events.columns()
    shown = {name: values for name, values in columns.items() if name == "t" or not _empty(values)}
    rows = [
        [k + 1, *(value if isinstance(value, str) else float(value) for value in row)]
        for k, row in enumerate(zip(*shown.values(), strict=True))
    ]
    return section("Events", table(["", *shown], rows))


def _empty(values: object) -> bool:
    """Whether a column contains no number."""
    return isinstance(values, np.ndarray) and not np.isfinite(values).any()
