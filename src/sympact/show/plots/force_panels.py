"""Contacts along a run: gaps, forces while they are closed, impulses at events."""

from __future__ import annotations

from functools import partial

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from sympact.show.plots.curves import Side, broken_curves
from sympact.show.plots.drawn import Drawn
from sympact.show.plots.panels import (
    CONTACTS_HEIGHT,
    EVENTS_WITH_DOTS,
    Curves,
    contact_strip,
    curve_style,
    labelled,
    name_contacts,
)
from sympact.show.plots.sheet import Strip
from sympact.show.plots.timing import Timing, finish_panel

__all__ = ["force_parts", "gap_parts", "impulse_parts"]

WIDER = 1.3
"""The additional width of the curve of a force relative to that of the next contact (points)."""

STRAIGHT = 1e-6
"""Of the largest friction: the permitted part of it across its line."""

_CURE = "run a HybridModel with contacts"


def gap_parts(drawn: Drawn) -> list[Strip]:
    """The gaps over zero, where contacts close; they depend on the position, which no impact changes: none jumps."""
    if not drawn.gaps:
        cure = "give functions of your own: gaps={'ground': lambda t, x: x[0]}"
        raise drawn.lacks("gaps", "gaps, for it was made without contacts", cure)
    t, none = drawn.curves[0], np.zeros((len(drawn.gaps), len(drawn.events)))
    values = np.array([gap(*drawn.curves) for gap in drawn.gaps.values()])
    curves = Curves([*drawn.gaps], [""] * len(drawn.gaps), t, values, none, none)
    return [contact_strip(curves, labelled("gaps", drawn.units.get("gaps", "")))]


def force_parts(drawn: Drawn) -> list[Strip]:
    """The normal force of each contact while it is closed, and its friction where there is any.

    Of equal curves the later ones lie within the earlier ones.
    """
    result = drawn.result
    if not drawn.model.knows("force"):
        cure = f"{_CURE}, or read its file by load(path, model=model)"
        raise drawn.lacks("forces", "contact forces, for it was made without contacts or read from a file", cure)
    t, values = broken_curves(result.normal_force_at, drawn.times, drawn.events.t)
    none = np.zeros((len(values), len(drawn.events)))
    curves = Curves(result.contact_names, [""] * len(values), t, _pressing(values), none, none)
    return [contact_strip(curves, labelled("normal force", drawn.units.get("forces", "")), WIDER), *_frictions(drawn)]


def _frictions(drawn: Drawn) -> list[Strip]:
    """Friction over time: signed where that of every contact is along one line, else its magnitude."""
    result = drawn.result
    if not drawn.model.knows("friction_force"):
        return []

    def flat(t: NDArray, side: Side) -> NDArray:
        return result.friction_force_at(t, side).reshape(-1, len(t))

    t, values = broken_curves(flat, drawn.times, drawn.events.t)
    forces = values.reshape(-1, 3, len(t))
    if not np.nan_to_num(forces).any():
        return []
    along, straight = _along_lines(forces)
    none = np.zeros((len(forces), len(drawn.events)))
    curves = Curves(result.contact_names, [""] * len(forces), t, _pressing(along), none, none)
    what = "friction" if straight else "size of friction"
    return [contact_strip(curves, labelled(what, drawn.units.get("forces", "")), WIDER)]


def _along_lines(forces: NDArray) -> tuple[NDArray, bool]:
    """Each contact's component along its own line, or the magnitudes of all where one turns in its plane; and which.

    The line points to where its largest component in the inertial frame is positive.

    >>> _along_lines(np.array([[[1.0, -2.0], [0.0, 0.0], [0.5, -1.0]]]))[0].round(3)
    array([[ 1.118, -2.236]])
    >>> _along_lines(np.array([[[1.0, 0.0], [0.0, 2.0], [0.0, 0.0]]]))
    (array([[1., 2.]]), False)
    """
    sizes = np.linalg.norm(forces, axis=1)
    along = np.empty_like(sizes)
    for k, force in enumerate(forces):
        size = np.nan_to_num(sizes[k])
        line = np.nan_to_num(force[:, np.argmax(size)])
        line = line / max(size.max(), np.finfo(float).tiny)
        along[k] = (line * np.sign(line[np.argmax(np.abs(line))])) @ force
    straight = np.nanmax(np.abs(sizes - np.abs(along))) <= STRAIGHT * np.nanmax(sizes)
    return (along if straight else sizes), bool(straight)


def _pressing(values: NDArray) -> NDArray:
    """Forces with NaN in place of zeros, but for the ends at which a force vanishes.

    >>> _pressing(np.array([[2.0, 1.0, 0.0, np.nan, 0.0, 0.0]]))
    array([[ 2.,  1.,  0., nan, nan, nan]])
    """
    idle = np.pad(np.nan_to_num(values) == 0, ((0, 0), (1, 1)), constant_values=True)
    return np.where(idle[:, :-2] & idle[:, 1:-1] & idle[:, 2:], np.nan, values)


def impulse_parts(drawn: Drawn) -> list[Strip]:
    """The impulse of each contact at each event, as a stem."""
    columns = drawn.events.columns()
    known = {name.removeprefix("impulse "): values for name, values in columns.items() if name.startswith("impulse ")}
    if not known and not drawn.facts.contact_names:
        raise drawn.lacks("impulses", "impulses, for it was made without contacts", _CURE)
    label = labelled("impulse", drawn.units.get("impulses", ""))
    return [Strip(CONTACTS_HEIGHT, partial(_draw_impulses, columns["t"], known, label))]


def _draw_impulses(
    times: NDArray, known: dict[str, NDArray], label: str, panel: Axes, timing: Timing, width: float
) -> None:
    """Stems from zero; where contacts share an impulse, the dots of later ones lie within those of earlier ones."""
    finish_panel(panel, timing, width)
    panel.axhline(0, color="0.2", linewidth=1)
    few = len(timing.events) <= EVENTS_WITH_DOTS
    pushed = [(rank, name) for rank, name in enumerate(known) if (np.nan_to_num(known[name]) != 0).any()]
    for place, (rank, name) in enumerate(pushed):
        met = np.nan_to_num(known[name]) != 0
        inner = min(len(pushed) - 1 - place, 5)
        style, size = curve_style(rank), 3.2 + 1.5 * inner if few else 1.6 + 0.8 * inner
        panel.vlines(times[met], 0, known[name][met], linewidth=0.9 if few else 0.5, alpha=0.7, **style)
        dots = {"marker": "o", "linestyle": "none", "markersize": size, "markeredgewidth": 0}
        panel.plot(times[met], known[name][met], color=style["color"], label=name, **dots)
    panel.set_ylabel(label)
    name_contacts(panel, len(pushed))
