"""A run as notebooks show it: its end, its states, its observations, and its events when they are unfolded."""

from __future__ import annotations

from collections import Counter

import numpy as np

from sympact.integrate.history import counters, outcome
from sympact.integrate.history.run_view import RunView
from sympact.integrate.present.table import Html, Sheet, Table, folded, middle_out, number

__all__ = ["result_html"]

_MOST_STATES, _MOST_WARNINGS = 12, 3
"""States and warnings that are shown; further ones are counted."""


def result_html(result: RunView) -> str:
    """The run as HTML with tables."""
    first, last = result.t_span
    status, unproven = outcome.status(result).name, counters.unproven(result)
    warnings, more = middle_out([str(warning) for warning in outcome.warnings(result)], _MOST_WARNINGS)
    facts = {
        "time": f"{first:.6g} to {last:.6g} s",
        "end": status if outcome.success(result) else f"{status}: {outcome.message(result)}",
        "samples": f"{len(result.t):,}",
        "events": ", ".join(f"{count:,} {kind}" for kind, count in Counter(result.events.kinds()).items()) or "none",
        "not proven": f"{unproven:,} steps" if unproven else "",
        "warnings": "; ".join([*warnings, *([f"and {more:,} more"] if more else [])]),
    }
    tables = (_states(result), _observed(result))
    return Sheet("Result", facts, tables, [_events(result)] if len(result.events) else []).html


def _states(result: RunView) -> Table:
    """The states at the ends of the run and their extremes, of the samples that have them."""
    x = result.x
    if not x.size:
        return Table((), ())
    columns = (x[:, 0], x[:, -1], np.fmin.reduce(x, axis=1), np.fmax.reduce(x, axis=1))
    rows = zip(result.state_names, *(map(number, column.tolist()) for column in columns), strict=True)
    shown, omitted = middle_out(list(rows), _MOST_STATES)
    return Table(("state", "first", "last", "least", "largest"), shown, omitted, "states")


def _observed(result: RunView) -> Table:
    observed = result.observed.items()
    return Table(("observed", "value", "t (s)"), [(name, number(one.value), number(one.t)) for name, one in observed])


def _events(result: RunView) -> Html:
    n = len(result.events)
    return folded("1 event" if n == 1 else f"{n:,} events", result.events._repr_html_())
