"""The three forms of a `SymbolicSystem`, brought into kinematic equations and M u' = f."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sympy import Add, Expr, Matrix
from sympy.physics.mechanics import SymbolicSystem
from sympy.physics.vector import dynamicsymbols

from sympact.mechanics.kit.faults import Faults
from sympact.mechanics.read.principle import Written

__all__ = ["StateEquations", "read_symbolic_system"]


@dataclass(frozen=True, slots=True)
class StateEquations:
    """Coordinates, speeds, kinematic equations that are zero, and the equations of motion."""

    q: tuple[Expr, ...]
    u: tuple[Expr, ...]
    kinematic_equations: tuple[Expr, ...]
    principle: Written


def read_symbolic_system(source: SymbolicSystem, faults: Faults) -> StateEquations:
    """Read any of the three forms.

    - explicit: x' = F, a row for each state;
    - combined: M x' = F, of which the rows without u' are the kinematic equations;
    - separate: q' = G and M u' = F.

    Raises
    ------
    ValueError
        If a state is neither a coordinate nor a speed, or the shape of a matrix does not fit.
    """
    q, u, states = tuple(source._coordinates or ()), tuple(source._speeds or ()), list(source.states)
    neither = [str(state) for state in states if state not in q and state not in u]
    if neither:
        faults.add(
            f"the states {neither} of the SymbolicSystem are neither coordinates nor speeds; say which is which with "
            "speeds=, or with coord_idxs= and speed_idxs="
        )
        faults.throw()
    form = _explicit
    if source._kin_explicit_rhs is not None:
        form = _separate
    elif source._comb_implicit_mat is not None:  # also of one whose explicit form SymPy has computed
        form = _combined
    return form(source, q, u, faults)


def _explicit(source: SymbolicSystem, q: tuple[Expr, ...], u: tuple[Expr, ...], faults: Faults) -> StateEquations:
    states = list(source.states)
    (rest,) = _matrices({"right_hand_side": (source._comb_explicit_rhs, (len(states), 1))}, faults)
    slopes = {state: rest[i] for i, state in enumerate(states)}
    kinematics = _kinematics(q, [slopes[coordinate] for coordinate in q])
    return StateEquations(q, u, kinematics, Written((), tuple(slopes[speed] for speed in u)))


def _combined(source: SymbolicSystem, q: tuple[Expr, ...], u: tuple[Expr, ...], faults: Faults) -> StateEquations:
    """Rows of K q' = F are kinematic equations; those of C q' + M u' = F the equations of motion M u' = F - C q'."""
    states, n = list(source.states), len(source.states)
    given = {"mass_matrix": (source._comb_implicit_mat, (n, n)), "right_hand_side": (source._comb_implicit_rhs, (n, 1))}
    matrix, rest = _matrices(given, faults)
    kinematics, mass, forcing = [], [], []
    for i in range(n):
        row = {state: matrix[i, j] for j, state in enumerate(states)}
        carried = Add(*(row[coordinate] * rate for coordinate, rate in zip(q, _rates(q), strict=True)))
        if all(row[speed] == 0 for speed in u):
            kinematics.append(carried - rest[i])
        else:
            mass.append(tuple(row[speed] for speed in u))
            forcing.append(rest[i] - carried)
    written = Written(tuple(mass), tuple(forcing))
    return StateEquations(q, u, tuple(equation for equation in kinematics if equation != 0), written)


def _separate(source: SymbolicSystem, q: tuple[Expr, ...], u: tuple[Expr, ...], faults: Faults) -> StateEquations:
    given = {
        "coordinate_derivatives": (source._kin_explicit_rhs, (len(q), 1)),
        "mass_matrix": (source._dyn_implicit_mat, (len(u), len(u))),
        "right_hand_side": (source._dyn_implicit_rhs, (len(u), 1)),
    }
    slopes, matrix, rest = _matrices(given, faults)
    rows = tuple(tuple(matrix.row(i)) for i in range(len(u)))
    return StateEquations(q, u, _kinematics(q, slopes), Written(rows, tuple(rest)))


def _matrices(given: Mapping[str, tuple[object, tuple[int, int]]], faults: Faults) -> list[Matrix]:
    """The matrices with the shapes that are expected."""
    found = [Matrix([] if matrix is None else matrix) for matrix, _ in given.values()]
    for (name, (_, shape)), matrix in zip(given.items(), found, strict=True):
        if matrix.shape != shape:
            faults.add(f"{name} of the SymbolicSystem has the shape {matrix.shape}, expected {shape}")
    faults.throw()
    return found


def _kinematics(q: Sequence[Expr], slopes: Sequence[Expr]) -> tuple[Expr, ...]:
    """q' - G = 0, without the equations of coordinates whose derivative is a speed itself."""
    differences = (rate - slope for rate, slope in zip(_rates(q), slopes, strict=True))
    return tuple(equation for equation in differences if equation != 0)


def _rates(q: Sequence[Expr]) -> list[Expr]:
    return [coordinate.diff(dynamicsymbols._t) for coordinate in q]
