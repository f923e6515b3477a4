"""Impact problems for tests: random ones of several kinds, and models with constant matrices."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

import numpy as np

from sympact.contact import TRANSITION, ContactData, Newton, Simultaneous
from sympact.contact.contact_workspace import CLOSED
from sympact.contact.memory import contact_codes as codes
from sympact.integrate.memory.run_codes import BY_VALUES, HEAD

SQUARE = ((-0.5, -0.5), (-0.5, 0.5), (0.5, -0.5), (0.5, 0.5))
"""Corners of the face on which a unit cube stands, seen from its centre."""


@dataclass(frozen=True)
class Problem:
    """M, W^T, gap rates before, restitutions."""

    mass_matrix: np.ndarray
    normal_jacobian: np.ndarray
    gap_rate: np.ndarray
    restitution: np.ndarray

    @property
    def columns(self) -> np.ndarray:
        """C^-1 W with M = C C^T, shape (n_speeds, n_contacts)."""
        return np.linalg.solve(np.linalg.cholesky(self.mass_matrix), self.normal_jacobian.T)


def plane_jacobian(corners) -> np.ndarray:
    """W^T of corners (x, y) on a horizontal plane; the speeds are the centre's velocity and the angular velocity."""
    return np.array([(0.0, 0.0, 1.0, y, -x, 0.0) for x, y in corners])


def mass(rng: np.random.Generator, m: int) -> np.ndarray:
    """A random mass matrix whose speeds have units that differ by up to ten thousand."""
    a, units = rng.normal(size=(m, m)), 10.0 ** rng.uniform(-2, 2, size=m)
    return (a @ a.T + 0.1 * np.eye(m)) * np.outer(units, units)


def one_restitution(rng: np.random.Generator, n: int) -> np.ndarray:
    return np.full(n, rng.choice([0.0, 1.0, rng.uniform()]))


def independent(rng: np.random.Generator) -> Problem:
    """Contacts in any direction, as many as there are speeds or fewer or more."""
    m, n = rng.integers(1, 9, size=2)
    jacobian = rng.normal(size=(n, m))
    return Problem(mass(rng, m), jacobian, jacobian @ rng.normal(size=m), one_restitution(rng, n))


def low_rank(rng: np.random.Generator) -> Problem:
    """Linearly dependent contacts."""
    m, n = rng.integers(1, 9, size=2)
    rank = rng.integers(1, m + 1)
    jacobian = rng.normal(size=(n, rank)) @ rng.normal(size=(rank, m))
    return Problem(mass(rng, m), jacobian, jacobian @ rng.normal(size=m), one_restitution(rng, n))


def copies(rng: np.random.Generator) -> Problem:
    """The same contact several times, in other units, and from the opposite side."""
    m, n = rng.integers(1, 9, size=2)
    factors = rng.choice([-1.0, 1.0], size=(n, 1)) * 10.0 ** rng.uniform(-2, 2, size=(n, 1))
    jacobian = rng.normal(size=(3, m))[rng.integers(0, 3, size=n)] * factors
    return Problem(mass(rng, m), jacobian, jacobian @ rng.normal(size=m), one_restitution(rng, n))


def nearly_equal(rng: np.random.Generator) -> Problem:
    """Contacts that differ by a part in 1e16 to 1e2."""
    m, n = rng.integers(1, 9, size=2)
    jacobian = rng.normal(size=(2, m))[rng.integers(0, 2, size=n)]
    jacobian = jacobian * (1.0 + 10.0 ** rng.uniform(-16, -2) * rng.normal(size=(n, m)))
    return Problem(mass(rng, m), jacobian, jacobian @ rng.normal(size=m), one_restitution(rng, n))


def on_plane(rng: np.random.Generator) -> Problem:
    """A rigid body on up to eight corners in one plane, each with its own restitution and any rate."""
    n = rng.integers(1, 9)
    corners = rng.normal(size=(n, 2)) if rng.uniform() < 0.5 else rng.choice([-0.5, 0.5], size=(n, 2))
    turn = np.linalg.qr(rng.normal(size=(6, 6)))[0]
    return Problem(mass(rng, 6), plane_jacobian(corners) @ turn, rng.normal(size=n), rng.uniform(size=n))


KINDS = (independent, low_rank, copies, nearly_equal, on_plane)


class Model:
    """A model whose parameters are M, W^T, w and the restitutions, with one coordinate that nothing reads."""

    def __init__(self, mass_matrix, normal_jacobian, restitution, *, wall=None, law=None, length=1.0):
        jacobian = np.asarray(normal_jacobian, float)
        n, self.m = jacobian.shape
        wall = np.zeros(n) if wall is None else wall
        parts = (mass_matrix, jacobian, wall, np.broadcast_to(restitution, n))
        self.terms = np.concatenate([np.ravel(part).astype(float) for part in parts])
        self.jacobian, self.wall, self.gaps = jacobian, np.asarray(wall, float), np.zeros(n)
        flow = ctypes.CFUNCTYPE(None, ctypes.c_double, *[ctypes.c_void_p] * 3)
        along = ctypes.CFUNCTYPE(None, ctypes.c_double, *[ctypes.c_void_p] * 4)
        self.callbacks = flow(self._write), flow(self._rest), along(self._along)
        terms, rest, gaps = (ctypes.cast(callback, ctypes.c_void_p).value for callback in self.callbacks)
        self.data = ContactData(
            1,
            self.m,
            n,
            law or Newton(),
            Simultaneous(),
            terms=terms,
            parameters=self.terms,
            length=length,
            flow=rest,
            gaps=gaps,
        )

    def _write(self, t, x, p, out):
        ctypes.memmove(out, p, self.terms.nbytes)

    def _rest(self, t, x, p, out):
        ctypes.memset(out, 0, 8 * (1 + self.m))

    def _along(self, t, x, xdot, p, out):
        u = np.frombuffer((ctypes.c_double * (1 + self.m)).from_address(x))[1:]
        values = np.concatenate([self.gaps, self.jacobian @ u + self.wall, np.zeros(len(self.gaps))])
        ctypes.memmove(out, values.ctypes.data, values.nbytes)

    def impact(self, u, *, gaps, rates, fired, t=1.0):
        """The transition's answer, the speeds after, who took part, and the record."""
        n = len(gaps)
        x = np.concatenate([[7.0], u]).astype(float)
        self.gaps = np.asarray(gaps, float)
        taking_part = np.zeros(n, np.int64)
        taking_part[list(fired)] = 1
        values, record = np.concatenate([gaps, rates, np.zeros(n)]).astype(float), np.zeros(HEAD + n)
        addresses = (array.ctypes.data for array in (x, taking_part, values))
        code = TRANSITION.callable()(t, *addresses, self.data.address, record.ctypes.data)
        assert x[0] == 7.0
        return code, x[1:], taking_part.astype(bool), record


class Block:
    """A model of constant M, W and f with q' = u and flat surfaces: g = g0 + W^T q; contacts may be closed."""

    def __init__(self, mass, jacobian, forcing, offset=0.0):
        self.mass, self.jacobian = np.asarray(mass, float), np.asarray(jacobian, float)
        self.free = np.linalg.solve(self.mass, forcing)
        n, self.m = self.jacobian.shape
        self.offset = np.broadcast_to(offset, n)
        self.terms = np.concatenate([self.mass.ravel(), self.jacobian.ravel(), np.zeros(n), np.zeros(n)])
        pointers = [ctypes.c_void_p] * 3
        function = ctypes.CFUNCTYPE(None, ctypes.c_double, *pointers)
        along = ctypes.CFUNCTYPE(None, ctypes.c_double, *pointers, ctypes.c_void_p)
        self.callbacks = function(self._terms), function(self._flow), along(self._gaps)
        terms, flow, gaps = (ctypes.cast(callback, ctypes.c_void_p).value for callback in self.callbacks)
        self.data = ContactData(
            self.m, self.m, n, Newton(), Simultaneous(), terms=terms, parameters=[0.0], length=1.0, flow=flow, gaps=gaps
        )
        self.data.mode.reference_acceleration = np.abs(self.jacobian @ self.free).max()

    def _terms(self, t, x, p, out):
        ctypes.memmove(out, self.terms.ctypes.data, self.terms.nbytes)

    def _flow(self, t, x, p, out):
        u = np.frombuffer((ctypes.c_double * (2 * self.m)).from_address(x))[self.m :]
        rates = np.concatenate([u, self.free])
        ctypes.memmove(out, rates.ctypes.data, rates.nbytes)

    def _gaps(self, t, x, xdot, p, out):
        state = np.frombuffer((ctypes.c_double * (2 * self.m)).from_address(x))
        rates = np.frombuffer((ctypes.c_double * (2 * self.m)).from_address(xdot))
        q, u, change = state[: self.m], state[self.m :], rates[self.m :]
        values = np.concatenate([self.offset + self.jacobian @ q, self.jacobian @ u, self.jacobian @ change])
        ctypes.memmove(out, values.ctypes.data, values.nbytes)

    def close(self, *contacts: int) -> Block:
        """Close contacts, which then bear."""
        self.data.mode.statuses[list(contacts)] = codes.CLOSED
        self.data.mode.watched[list(contacts)] = BY_VALUES
        return self

    def ask(self, unit, x, size: int) -> np.ndarray:
        """What a unit answers at a state."""
        x, out = np.array(x, float), np.full(size, np.nan)
        unit.callable()(0.0, x.ctypes.data, self.data.address, out.ctypes.data)
        return out

    def forces(self) -> np.ndarray:
        return self.ask(CLOSED.forces, np.zeros(2 * self.m), len(self.jacobian))

    def acceleration(self) -> np.ndarray:
        """u' with the closed contacts held."""
        return self.ask(CLOSED.rates, np.zeros(2 * self.m), 2 * self.m)[self.m :]
