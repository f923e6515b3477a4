"""Parametrizations of which `make test` runs some members, and `make test-all` the others too."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any

import pytest
from hypothesis import given, settings

KINDS_OF_READY = frozenset(
    {"ball_ceiling_spring", "bouncing_ball", "dice", "kane_pendulum", "rimless_wheel", "tumbling_cube", "two_links"}
)
"""Ready models of each kind: plain functions, quaternions, angles, other coordinates, `System` and Kane's method."""


def members(values: Iterable[Any], *, slow: Collection[Any]) -> list:
    """The values, those of `slow` with its marker; a tuple has a value for each of several names.

    What costs much and shows a law that a quick member shows, too, is slow. Every value that is named must exist, and
    one must be left.

    >>> [(one.values, len(one.marks)) for one in members([("ball", 1), ("ball", 2)], slow=[("ball", 2)])]
    [(('ball', 1), 0), (('ball', 2), 1)]
    """
    values = list(values)
    missing = [value for value in slow if value not in values]
    assert not missing, f"slow members that are none: {missing}"
    assert len(slow) < len(values), "no member is quick"
    return [
        pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=[pytest.mark.slow] * (value in slow))
        for value in values
    ]


def examples(quick: int, slow: int, *strategies: Any, **named: Any) -> Callable:
    """Draws of hypothesis for a test, in place of `given`: a few by `make test`, the others by `make test-all`, too."""

    def of(test: Callable) -> Callable:
        def drawn(number):
            settings(max_examples=number, deadline=None)(given(*strategies, **named)(test))()

        drawn.__name__, drawn.__doc__, drawn.__module__ = test.__name__, test.__doc__, test.__module__
        return pytest.mark.parametrize("number", members([quick, slow], slow=[slow]))(drawn)

    return of
