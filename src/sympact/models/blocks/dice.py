"""A die that is tossed."""

from __future__ import annotations

from dataclasses import replace

from sympact.models.blocks.dropped_cube import dropped_cube
from sympact.models.ready import ReadyModel

EDGE = 0.02
"""m."""

TOSS = {"v_x": 0.05, "v_y": 0.03, "v_z": 0.3, "omega_1": 25.0, "omega_2": -15.0, "omega_3": 10.0}
"""m/s, and rad/s about the axes of the die."""


def dice(friction: float = 0.3) -> ReadyModel:
    """A die of 2 cm is tossed with a spin from 10 cm above a table and tumbles until it rests on a face.

    The model is that of `dropped_cube`. Without friction the die continues to slide, and to spin about the vertical.

    Parameters
    ----------
    friction : float
        The coefficient of friction mu.

    Returns
    -------
    ReadyModel

    Examples
    --------
    >>> die = dice()
    >>> len(die.model.contacts), len(die.start)
    (8, 13)
    """
    cube = dropped_cube("tilted", edges=(EDGE,) * 3, friction=friction)
    start = {state: TOSS.get(state.name, value) for state, value in cube.start.items()}
    height = next(state for state in start if state.name == "z")
    start[height] -= 0.9
    return replace(cube, start=start, t_span=(0, 1))
