"""Random transitions of a damped oscillator against SciPy's integrator, stopped and started again at each event.

SciPy does the motion and the search; the order of jumps at one instant, and the iteration of conditions that become
true by jumps, are written out here as the manual states them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
import sympy as sm
from scipy.integrate import solve_ivp
from switch_models import M, Q, U
from sympy.physics.mechanics import Force, Particle, PrismaticJoint, RigidBody, System, dynamicsymbols

from sympact import Crossing, HybridModel, Transition

N = dynamicsymbols("n")
NUDGE = 1e-9
"""By which SciPy starts behind an event (s), because it does not see a margin that is zero at the start."""


@dataclass(frozen=True)
class Case:
    """q'' = -w^2 q - d q' +- a, the sign by the parity of n; three transitions with the margins g and directions."""

    w: float
    d: float
    a: float
    levels: np.ndarray
    factors: np.ndarray
    directions: np.ndarray
    start: np.ndarray

    @classmethod
    def of(cls, seed: int) -> Case:
        rng = np.random.default_rng(seed)
        numbers = rng.uniform(1, 4), rng.uniform(0, 0.3), rng.uniform(-1, 1)
        return cls(
            *numbers, rng.uniform(-0.8, 0.8, 3), rng.uniform(0.5, 1.5, 3), rng.choice([-1, 1], 3), rng.uniform(-1, 1, 2)
        )

    def model(self) -> HybridModel:
        (c0, c1, c2), (f0, f1, f2) = self.levels, self.factors
        margins = [Q - c0, U - c1, Q + 0.3 * U - c2]
        jumps = [{U: f0 * U, N: N + 1}, {U: U + 0.3 * f1, N: N + 10}, {Q: Q + 0.1 * f2, N: N + 100}]
        transitions = [
            Transition(boundary=Crossing(margin, int(way)), jump=jump)
            for margin, way, jump in zip(margins, self.directions, jumps, strict=True)
        ]
        side = self.a * sm.Piecewise((1, sm.Mod(N, 2) < sm.Rational(1, 2)), (-1, True))
        ground, mass = RigidBody("ground"), Particle("mass", mass=M)
        system = System.from_newtonian(ground)
        system.add_joints(PrismaticJoint("line", ground, mass, Q, U, joint_axis=ground.z))
        system.add_loads(Force(mass.masscenter, M * (-(self.w**2) * Q - self.d * U + side) * ground.z))
        return HybridModel(system, [], discrete=[N], transitions=transitions)

    def rates(self, x: np.ndarray, n: int) -> np.ndarray:
        return np.array([x[1], -(self.w**2) * x[0] - self.d * x[1] + (self.a if n % 2 == 0 else -self.a)])

    def margins(self, x: np.ndarray) -> np.ndarray:
        return np.array([x[0], x[1], x[0] + 0.3 * x[1]]) - self.levels

    def sides(self, x: np.ndarray, n: int) -> np.ndarray:
        """The signs of the margins, and of their rates where they are zero."""
        values, slope = self.margins(x), self.rates(x, n)
        rates = np.array([slope[0], slope[1], slope[0] + 0.3 * slope[1]])
        return np.where(np.abs(values) > NUDGE, np.sign(values), np.sign(rates))

    def jump(self, which: int, x: np.ndarray, n: int) -> int:
        f = self.factors
        if which == 0:
            x[1] *= f[0]
        elif which == 1:
            x[1] += 0.3 * f[1]
        else:
            x[0] += 0.1 * f[2]
        return n + 10**which

    def reference(self, t_end: float, most: int) -> list[tuple[float, int]]:
        """The times of the events with n after each."""
        t, x, n, found = 0.0, self.start.copy(), 0, []

        def guard(k):
            def margin(t, x):
                return self.margins(x)[k]

            margin.terminal, margin.direction = True, self.directions[k]
            return margin

        guards = [guard(k) for k in range(3)]
        options = {"method": "DOP853", "rtol": 1e-11, "atol": 1e-13, "max_step": 0.05, "events": guards}
        while t < t_end and len(found) < most:
            run = solve_ivp(lambda t, x, n: self.rates(x, n), (t, t_end), x, args=(n,), **_with_args(options))
            t, x = float(run.t[-1]), run.y[:, -1].copy()
            if run.status != 1:
                break
            due = [k for k in range(3) if len(run.t_events[k])]
            before = self.sides(x, n)
            before[due] = self.directions[due]
            while due:
                for k in due:
                    n = self.jump(k, x, n)
                after = self.sides(x, n)
                due = [k for k in range(3) if after[k] != before[k] and after[k] == self.directions[k]]
                before = after
            found.append((t, n))
            x, t = x + NUDGE * self.rates(x, n), t + NUDGE
        return found


def _with_args(options: dict) -> dict:
    """Events that accept the further argument of the flow."""

    def wrapped(margin):
        def value(t, x, n):
            return margin(t, x)

        value.terminal, value.direction = margin.terminal, margin.direction
        return value

    return options | {"events": [wrapped(margin) for margin in options["events"]]}


@pytest.mark.parametrize("seed", range(8))
def test_random_transitions_are_those_of_scipy(seed):
    case = Case.of(seed)
    wanted = case.reference(4.0, 15)
    result = case.model().simulate(
        (0, 4.0), {Q: case.start[0], U: case.start[1], N: 0}, {M: 1.0}, rtol=1e-11, atol=1e-13, max_events=60
    )
    count = len(wanted)
    assert len(result.events) == count or (count == 15 and len(result.events) > 15)
    np.testing.assert_allclose(result.events.t[:count], [t for t, _ in wanted], rtol=0, atol=3e-7)  # of NUDGE, grown
    assert [event.x_plus[1] for event in result.events[:count]] == [n for _, n in wanted]
