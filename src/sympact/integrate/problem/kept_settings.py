"""Settings of the runs of one model, checked once for all runs that differ in their spans and starts alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

import numpy as np

from sympact.integrate.problem.settings import Settings
from sympact.integrate.problem.stepper import Stepper
from sympact.integrate.problem.times import plain_span

__all__ = ["Checked", "checked_settings"]

Checked = dict[tuple, Settings]
"""Settings of earlier runs, by what was given."""

_KEPT = 4  # settings of a model


def checked_settings(
    known: Checked,
    state_names: Sequence[str],
    t_span: Sequence[float],
    x0: np.ndarray,
    given: Mapping[str, Any],
    methods: Mapping[str, Stepper],
) -> Settings:
    """The settings of a run; those that an earlier run had are checked already.

    Parameters
    ----------
    known : dict
        The settings of earlier runs, to which these are added.
    state_names, t_span, x0, methods
        Those of `Settings.check`; `x0` is an array of doubles with a number for each state.
    given : mapping
        The other arguments of `Settings.check`, by name.

    Raises
    ------
    ValueError
        As `Settings.check` does.
    """
    key = (len(state_names), *given.items(), *map(type, given.values()))  # 1, 1.0 and True are equal
    try:
        found = known.get(key)
    except TypeError:  # an array has no hash
        return Settings.check(state_names, t_span, x0, methods=methods, **given)
    span = plain_span(t_span)
    if found is not None and span is not None and isfinite(x0.dot(x0)):
        return found.at(span, x0)
    asked = Settings.check(state_names, t_span, x0, methods=methods, **given)
    if len(known) >= _KEPT:
        known.clear()
    known[key] = asked
    return asked
