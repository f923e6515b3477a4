"""The examples that build models with constraints in their scripts, and what each prints."""

from __future__ import annotations

import re

CONSTRAINED = (
    "cartesian_pendulum",
    "chaplygin_sleigh",
    "constrained_cart_pole",
    "four_bar",
    "gripper",
    "guided_rod",
    "knife_edge",
    "overload",
    "rolling_disc",
    "slider_crank",
    "whipple_bicycle",
)


def after(text: str, words: str) -> float:
    """The number that follows these words."""
    found = re.search(re.escape(words) + r"\s+(-?\d[-+.\de]*\d)", text)
    assert found, f"no number after {words!r} in:\n{text}"
    return float(found[1])
