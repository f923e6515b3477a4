"""Forces in the cones that a motion needs, and the accelerations that Coulomb's law admits, in the plane.

Of a motion: M a - f = W lambda with lambda_N >= 0, |lambda_T| <= mu lambda_N, and lambda_T = -mu lambda_N sign(slip)
where there is slip, by non-negative least squares. Of a state: all choices of what each contact does (opens, sticks,
slips one way) by branch and bound over linear programs, so that "there is none" is a proof up to rounding.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linprog, nnls

from fuzz.touching.touching_rows import rows

OPENS, STICKS, FORWARD, BACKWARD = "opens", "sticks", "slips +", "slips -"


@dataclass(frozen=True)
class Closed:
    """The closed contacts of a planar heap at one state.

    numbers : those of the contacts; N, T (k, n): rows of gap rates and slips; slip (k,); drift (k, 2): what remains of
    their rates where the accelerations are zero; mu (k,).
    """

    numbers: tuple[int, ...]
    N: np.ndarray
    T: np.ndarray
    slip: np.ndarray
    drift: np.ndarray
    mu: np.ndarray
    mass: np.ndarray
    load: np.ndarray


def closed(sight, q: np.ndarray, u: np.ndarray, numbers) -> Closed:
    """Rows at a state q (n,), u (n,), with drifts by differences of the rates along the motion."""
    N, T = _rows(sight, q, numbers)
    slip, drift = T @ u, np.zeros((len(N), 2))
    step = 1e-6 / (1.0 + np.abs(u).max())
    for size, factor in ((step, -1.0 / 3.0), (step / 2, 4.0 / 3.0)):
        after, before = _rows(sight, q + size * u, numbers), _rows(sight, q - size * u, numbers)
        for c in (0, 1):
            drift[:, c] += factor * ((after[c] - before[c]) @ u) / (2 * size)
    return Closed(tuple(numbers), N, T, slip, drift, sight.friction(list(numbers), slip), sight.mass, sight.load)


def _rows(sight, q: np.ndarray, numbers):
    _, N, T = rows(sight.heap, [sight.touches[k] for k in numbers], q)
    return N, T[:, 0]


def needed(here: Closed, a: np.ndarray, scale: np.ndarray, still: float, still_at=()) -> tuple[float, np.ndarray]:
    """How far the best admissible forces are from those of accelerations a, in parts of `scale`; and the forces (k, 2).

    Slips up to `still`, and those of the contacts in `still_at`, count as none.
    """
    columns, who = [], []
    for k in range(len(here.N)):
        sticks = abs(here.slip[k]) <= still or here.numbers[k] in still_at
        for sign in (1.0, -1.0) if sticks else (-np.sign(here.slip[k]),):
            columns.append((here.N[k] + sign * here.mu[k] * here.T[k]) / scale)
            who.append((k, sign * here.mu[k]))
    target = (here.mass * a - here.load) / scale
    if not columns:
        return float(np.abs(target).max()), np.zeros((0, 2))
    sizes, _ = nnls(np.array(columns).T, target)
    force = np.zeros((len(here.N), 2))
    for size, (k, part) in zip(sizes, who, strict=True):
        force[k] += size, size * part
    left = np.array(columns).T @ sizes - target
    return float(np.abs(left).max()), force


def accelerations(
    here: Closed, scale: float, still: float, still_at=(), aims=(None,), most: int = 20000
) -> list[np.ndarray]:
    """Accelerations that Coulomb's law admits, one for each aim (a vector, whose product with them is least).

    An empty list is a proof that there is none. Contacts that slip faster than `still` slip on but those in `still_at`.
    """
    choices = []
    for k in range(len(here.N)):
        moves = abs(here.slip[k]) > still and here.numbers[k] not in still_at
        choices.append(
            (OPENS, FORWARD if here.slip[k] > 0 else BACKWARD) if moves else (OPENS, STICKS, FORWARD, BACKWARD)
        )
    found = []
    for aim in aims:
        best = _search(here, choices, scale, aim, most)
        if best is not None:
            found.append(best)
    return found


def _search(here: Closed, choices, scale: float, aim, most: int):
    """The best leaf of the tree of choices; None where all are empty."""
    stack, best, least, tries = [()], None, np.inf, 0
    while stack:
        chosen = stack.pop()
        tries += 1
        if tries > most:
            raise RuntimeError(f"more than {most} choices")
        a, value = _relaxed(here, choices, chosen, scale, aim)
        if a is None or value >= least - 1e-9:
            continue
        if len(chosen) == len(here.N):
            best, least = a, value
            if aim is None:
                return best
            continue
        stack.extend((*chosen, choice) for choice in choices[len(chosen)])
    return best


def _relaxed(here: Closed, choices, chosen, scale: float, aim):
    """A linear program: contacts with a choice obey it, the others may do all of theirs.

    Unknown are M a/scale, forces/scale, all of size one.
    """
    n, k = len(here.mass), len(here.N)
    unit = scale / here.mass.min()
    rate = lambda row, c, drift: (row / here.mass * here.mass.min(), drift[c] / unit)  # noqa: E731
    width = n + 2 * k
    equal, right, upper, most = [], [], [], []
    for i in range(n):
        line = np.zeros(width)
        line[i] = 1.0
        line[n : n + k], line[n + k :] = -here.N[:, i], -here.T[:, i]
        equal.append(line), right.append(here.load[i] / scale)
    for j in range(k):
        normal, normal_drift = rate(here.N[j], 0, here.drift[j])
        along, along_drift = rate(here.T[j], 1, here.drift[j])
        word = chosen[j] if j < len(chosen) else None
        push, rub = np.zeros(width), np.zeros(width)
        push[n + j], rub[n + k + j] = 1.0, 1.0
        row, slip = np.append(normal, np.zeros(2 * k)), np.append(along, np.zeros(2 * k))
        upper.append(-push), most.append(0.0)
        if word == OPENS:
            equal += [push, rub]
            right += [0.0, 0.0]
            upper.append(-row), most.append(normal_drift)
            continue
        if word is None:
            upper += [-row, rub - here.mu[j] * push, -rub - here.mu[j] * push]
            most += [normal_drift, 0.0, 0.0]
            continue
        equal.append(row), right.append(-normal_drift)
        if word == STICKS:
            equal.append(slip), right.append(-along_drift)
            upper += [rub - here.mu[j] * push, -rub - here.mu[j] * push]
            most += [0.0, 0.0]
        else:
            sign = 1.0 if word == FORWARD else -1.0
            equal.append(rub + sign * here.mu[j] * push), right.append(0.0)
            if len(choices[j]) == 4:
                upper.append(-sign * slip), most.append(sign * along_drift)
    cost = np.zeros(width) if aim is None else np.append(aim, np.zeros(2 * k))
    bounds = [(-1e6, 1e6)] * width
    told = linprog(cost, np.array(upper), most, np.array(equal), right, bounds, method="highs")
    if told.status not in (0, 2, 3):
        raise RuntimeError(told.message)
    if told.status != 0:
        return None, np.inf
    return told.x[:n] * scale / here.mass, told.fun
