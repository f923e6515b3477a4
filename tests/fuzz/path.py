"""Routh's path of one contact integrated with SciPy: a second opinion on Stronge's law, and on others along it."""

from __future__ import annotations

import itertools

import numpy as np
from scipy.integrate import solve_ivp

STOPS = 1e-7
"""Of the speeds: slip that has ended."""

LONGEST = 50.0
"""Pushes, in those that would stop the normal motion alone, after which a path is given up."""

EVALUATIONS = 20_000
"""Of the slope between two ends, after which a path is given up: it creeps along a slip that hardly ends."""

SLIP_ENDS, TURNS, GIVEN_BACK = "slip ends", "v_N = 0", "all is given back"


class GivenUpError(Exception):
    """A path without a plain end."""


def routh(
    G: np.ndarray, v: np.ndarray, mu: float, e: float, law: str = "Energetic()", reach: float | None = None
) -> np.ndarray | None:
    """The velocities (normal, two tangents) after an impact; None where the path has no plain end.

    dv/dp = G f with f = (1, -mu v_T/|v_T|) while it slips. Where the slip ends it sticks, if |f_T| <= mu holds it, else
    it slips off in the direction that keeps itself. Compression ends at v_N = 0, expansion where e^2 of its work has
    come back; under Poisson's law where e times its impulse has, under Newton's where v_N = -e v_N-. Slip that turns
    may press anew what has begun to part (v_N < 0 once more): then e^2 of that work has to come back, too.
    `reach` is the push that counts as one, where it is not that which stops the normal motion alone. Speeds and G are
    integrated as parts of their size: SciPy finds the ends of a path to 4 eps of p itself, which is no part of p.
    """
    speed, size = float(np.linalg.norm(v)), float(np.trace(G))
    end = _routh(G / size, v / speed, mu, e, law, None if reach is None else reach * size / speed)
    return None if end is None else speed * end


def _routh(G, v, mu: float, e: float, law: str, reach: float | None) -> np.ndarray | None:
    """The same for speeds and G of size one."""
    small, reach = STOPS * np.linalg.norm(v), -v[0] / G[0, 0] if reach is None else reach
    y, fixed, pressed = np.append(v, 0.0), None, True  # velocities, and what has still to come back
    for _ in range(12):
        if fixed is None and np.linalg.norm(y[1:3]) <= small:
            fixed = _after_slip(G, mu)
            if fixed is None:
                return None
        end = _follow(G, y, mu, fixed, small, reach, _phase(law, e, v, pressed))
        if end is None:
            return None
        y, what = end
        if what == SLIP_ENDS:
            if np.linalg.norm(y[:3]) <= 1e3 * small and _jams(G, mu):
                return np.zeros(3)  # what has no slip has no speed: a jam, whatever is left of the expansion
            y[1:3] *= 0.0
        elif what == GIVEN_BACK or e == 0.0:
            return y[:3]
        else:
            y[0], pressed = 0.0, not pressed
    return None


def _phase(law: str, e: float, v, pressed: bool):
    """How what has to come back grows with p, by v_N, and the events that end compression or expansion."""

    def turns(p, y):
        return y[0]

    def given_back(p, y):
        return y[0] + e * v[0] if law[0] == "N" else -y[3]

    turns.terminal = given_back.terminal = True
    turns.direction, given_back.direction = 1 if pressed else -1, 1
    part = 1.0 if pressed else {"E": e * e, "P": e, "N": 1.0}[law[0]]
    kept = {"E": lambda v_n: -v_n / part, "P": lambda v_n: (1.0 if pressed else -1.0) / part, "N": lambda v_n: 0.0}
    return kept[law[0]], {TURNS: turns} if pressed else {GIVEN_BACK: given_back, TURNS: turns}


def _follow(G, y, mu: float, fixed, small: float, reach: float, phase):
    """To the next end: (state, which), or None."""
    count, (kept, ends) = itertools.count(), phase

    def slope(p, y):
        if next(count) > EVALUATIONS:
            raise GivenUpError
        if fixed is not None:
            return np.append(fixed, kept(y[0]))
        size = np.linalg.norm(y[1:3])
        return np.append(G @ np.array([1.0, *(-mu * y[1:3] / size)]), kept(y[0]))

    def slips(p, y):
        return np.linalg.norm(y[1:3]) - small

    slips.terminal, slips.direction = True, -1
    ends = ends if fixed is not None else {**ends, SLIP_ENDS: slips}
    size = max(np.linalg.norm(y[:3]), small)
    settings = {"method": "DOP853", "rtol": 1e-10, "atol": 1e-12 * size, "max_step": reach / 2}
    try:
        found = solve_ivp(slope, (0.0, LONGEST * reach), y, events=list(ends.values()), **settings)
    except GivenUpError:
        return None
    if found.status != 1:
        return None
    return found.y[:, -1], next(end for end, times in zip(ends, found.t_events, strict=True) if len(times))


def _low_rank(G: np.ndarray) -> bool:
    return np.linalg.eigvalsh(G)[0] <= 1e-9 * np.trace(G)


def _jams(G: np.ndarray, mu: float) -> bool:
    """Whether a force within the cone moves nothing."""
    hold = np.linalg.lstsq(G[:, 1:], -G[:, 0], rcond=1e-9)[0]
    left = G @ np.array([1.0, *hold])
    return np.linalg.norm(hold) <= mu and np.linalg.norm(left) <= 1e-6 * np.linalg.norm(G)


def _after_slip(G: np.ndarray, mu: float) -> np.ndarray | None:
    """dv/dp from the end of slip on: sticking, or slipping off; None where friction or pushing is not definite."""
    if _low_rank(G):
        return None
    hold = -np.linalg.solve(G[1:, 1:], G[1:, 0])
    if np.linalg.norm(hold) <= mu:
        change = G @ np.array([1.0, *hold])
        return change * [1.0, 0.0, 0.0]
    angles = np.linspace(0.0, 2 * np.pi, 2001)
    ways = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    slides = G[1:, 0] - mu * ways @ G[1:, 1:]
    turn, forth = slides[:, 0] * ways[:, 1] - slides[:, 1] * ways[:, 0], (slides * ways).sum(axis=1)
    found = np.flatnonzero((turn[:-1] * turn[1:] <= 0.0) & (forth[:-1] > 0.0))
    if len(found) != 1:
        return None
    part = turn[found[0]] / (turn[found[0]] - turn[found[0] + 1])
    angle = angles[found[0]] + part * (angles[1] - angles[0])
    return G @ np.array([1.0, -mu * np.cos(angle), -mu * np.sin(angle)])
