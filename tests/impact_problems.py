"""Impacts with friction as numbers: random bodies and contacts, and their energies from matrices alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sympact.contact import ImpactSolution, solve_impact


@dataclass(frozen=True, eq=False)
class Impact:
    """An impact of n contacts of a system with m speeds: M, normals (n, m), tangents (n, 2, m), u-, e, mu."""

    mass: np.ndarray
    normals: np.ndarray
    tangents: np.ndarray
    u: np.ndarray
    e: np.ndarray
    mu: np.ndarray

    @property
    def rates(self) -> np.ndarray:
        return self.normals @ self.u

    @property
    def slip(self) -> np.ndarray:
        return self.tangents @ self.u

    def solve(self, law, **options) -> ImpactSolution:
        """The impact under a law."""
        return solve_impact(
            self.mass, self.normals, self.rates, self.e,
            tangent_jacobian=self.tangents, slip_minus=self.slip, friction=self.mu, law=law, **options,
        )  # fmt: skip

    def kinetic_energy(self, u: np.ndarray) -> float:
        return float(u @ self.mass @ u) / 2

    def gain(self, solution: ImpactSolution) -> float:
        """The change of the kinetic energy, from the speeds."""
        return self.kinetic_energy(self.u + solution.speed_change) - self.kinetic_energy(self.u)

    def delassus(self) -> np.ndarray:
        """G of the first contact, in the order normal, tangent 1, tangent 2."""
        lines = np.vstack([self.normals[:1], self.tangents[0]])
        return lines @ np.linalg.solve(self.mass, lines.T)


def rigid_body(rng: np.random.Generator, contacts: int, e: float | None = None, mu: float | None = None) -> Impact:
    """A rigid body that falls on a plane with corners at random places, so that all contacts touch it at once."""
    inertia = rng.uniform(0.05, 1.0, 3)
    axes = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    mass = np.zeros((6, 6))
    mass[:3, :3] = rng.uniform(0.5, 2.0) * np.eye(3)
    mass[3:, 3:] = axes @ np.diag(inertia) @ axes.T
    height = -rng.uniform(0.2, 1.0)
    arms = [np.array([*rng.uniform(-1, 1, 2), height]) for _ in range(contacts)]
    rows = np.array([[[*d, *np.cross(r, d)] for d in np.eye(3)] for r in arms])
    u = rng.normal(size=6)
    u[2] -= 2.0
    return Impact(
        mass,
        rows[:, 2],
        rows[:, :2],
        u,
        np.full(contacts, rng.uniform(0, 1) if e is None else e),
        np.full(contacts, rng.uniform(0, 1.5) if mu is None else mu),
    )


def planar(a: float, b: float, c: float, rate: float, slip: float, e: float, mu: float) -> Impact:
    """One contact in a plane with G_NN = a, G_TT = b, G_NT = c, whose speeds are its gap rate and its slip."""
    mass = np.linalg.inv([[a, c], [c, b]])
    tangents = np.array([[[0.0, 1.0], [0.0, 0.0]]])
    return Impact(mass, np.array([[1.0, 0.0]]), tangents, np.array([rate, slip]), np.array([e]), np.array([mu]))


def double_pendulum(e: float, mu: float) -> Impact:
    """Two equal rods of 1 m and 1 kg that hang at 20 and 30 degrees and turn with -0.1 and -0.2 rad/s; the tip strikes.

    The puzzle of T. R. Kane (Kane and Levinson, Dynamics: Theory and Applications, 1985, p. 348): Newton's law gains.
    """
    first, second = np.radians([20.0, 30.0])
    coupling = np.cos(first - second) / 2
    mass = np.array([[4 / 3, coupling], [coupling, 1 / 3]])
    normals = np.array([[np.sin(first), np.sin(second)]])
    tangents = np.array([[[np.cos(first), np.cos(second)], [0.0, 0.0]]])
    return Impact(mass, normals, tangents, np.array([-0.1, -0.2]), np.array([e]), np.array([mu]))
