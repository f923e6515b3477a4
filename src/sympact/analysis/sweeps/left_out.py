"""Runs of sweeps that Ctrl-C has left out: a warning, and a part of the text of what was found."""

from __future__ import annotations

import numpy as np

from sympact.integrate.problem.warning import SympactWarning, tell

__all__ = ["left_out", "warn_of_left_out"]


def left_out(made: np.ndarray) -> str:
    """The end of a text that counts runs that were not made; empty where all were.

    >>> left_out(np.array([True, False, False]))
    '; 2 of 3 runs were not made'
    """
    count = int((~made).sum())
    return f"; {count:,} of {len(made):,} runs were not made" if count else ""


def warn_of_left_out(name: str, made: np.ndarray) -> None:
    """Warn where a sweep was interrupted; `name` is that of its function."""
    told = left_out(made)
    if told:
        tell(
            SympactWarning(
                f"{name}: Ctrl-C has ended the runs{told}, and nothing is said of them; call again to make all, with "
                "store=, from which the same call goes on, or with a smaller sweep",
                "interrupted",
            )
        )
