"""One impact of a model under several laws: its matrices at a state, compared by `sympact.contact.compare_impacts`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from sympy import Expr

from sympact.contact.compare import ImpactComparison, compare_impacts
from sympact.contact.laws import ImpactLaw, Resolution
from sympact.mechanics.signals import read_signals

__all__ = ["compare_impacts_of"]

_TOUCHING = 1e-9  # of the length: a gap that is closed


def compare_impacts_of(
    model,
    t: float,
    x: Mapping[Expr, float] | Sequence[float],
    parameters: Mapping[Expr, float],
    contacts: Iterable[object] | None,
    inputs: Mapping[Expr, object],
    pairs: Iterable[tuple[ImpactLaw, Resolution]] | None,
) -> ImpactComparison:
    """See `HybridModel.compare_impacts`."""
    compiled = model.compile()
    state, p = compiled.state(x), compiled.all_parameters(compiled.parameters(parameters))
    if inputs or model.inputs:
        p = read_signals(model, inputs).at(p, t, state)
    compiled.settle(t, state, p)
    n, m = len(model.contacts), len(model.u)
    gaps = compiled.boundary(t, state, p)[:n]
    who = [model.contact(contact) for contact in contacts] if contacts is not None else _touching(model, p, gaps)
    terms = compiled.raw("impact", t, state, p)
    mass, rows, drift, e = np.split(terms, np.cumsum([m * m, n * m, n]))
    jacobian, u = rows.reshape(n, m)[who], state[len(model.q) :]
    posed = {"mass_matrix": mass.reshape(m, m), "normal_jacobian": jacobian, "restitution": e[who]}
    posed["gap_rate_minus"] = jacobian @ u + drift[who]
    if compiled.has_friction:
        posed |= _slips(compiled.slips(t, state, p)[who], m)
    return compare_impacts(**posed, pairs=pairs)


def _touching(model, p: np.ndarray, gaps: np.ndarray) -> list[int]:
    """The contacts whose gaps are closed."""
    found = np.flatnonzero(np.abs(gaps) <= _TOUCHING * max(model.length_value(p), 1e-300)).tolist()
    if found:
        return found
    if not len(gaps):
        raise ValueError("the model has no contacts, so that there is no impact to compare")
    nearest = int(np.argmin(np.abs(gaps)))
    raise ValueError(
        f"no contact touches at this state: the nearest gap is {gaps[nearest]:.6g} m of the contact "
        f"'{model.contacts[nearest].name}'; give a state just before an impact, such as event.x_minus, or name contacts"
    )


def _slips(rows: np.ndarray, m: int) -> dict[str, np.ndarray]:
    """Tangents, slip and mu from rows of n, v, v', dv/du, mu and mu_static."""
    tangents = np.array([_tangents(row[:3]) for row in rows])
    return {
        "tangent_jacobian": tangents @ rows[:, 9 : 9 + 3 * m].reshape(-1, 3, m),
        "slip_minus": np.einsum("ncx,nx->nc", tangents, rows[:, 3:6]),
        "friction": rows[:, -2],
    }


def _tangents(normal: np.ndarray) -> np.ndarray:
    """Two unit vectors normal to the normal and to each other; zeros where there is none."""
    if not normal.any():
        return np.zeros((2, 3))
    first = np.cross(normal, np.eye(3)[np.argmin(np.abs(normal))])
    first /= np.linalg.norm(first)
    return np.array([first, np.cross(normal, first)])
