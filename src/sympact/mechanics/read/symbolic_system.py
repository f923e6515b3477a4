"""The three forms of a `SymbolicSystem`, brought into kinematic equations, M u' = f and algebraic constraints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from sympy import Add, Expr, Matrix, S
from sympy.physics.mechanics import SymbolicSystem
from sympy.physics.vector import dynamicsymbols

from sympact.mechanics.kit.faults import Faults
from sympact.mechanics.kit.symbols import leaves
from sympact.mechanics.read.constraint import Constraint, read_constraint
from sympact.mechanics.read.principle import Written

__all__ = ["StateEquations", "read_symbolic_system"]


@dataclass(frozen=True, slots=True)
class StateEquations:
    """Coordinates, speeds, kinematic equations that are zero, the equations of motion, and algebraic constraints.

    `determined` are the multipliers that algebraic rows give, as expressions of the other states.
    """

    q: tuple[Expr, ...]
    u: tuple[Expr, ...]
    kinematic_equations: tuple[Expr, ...]
    principle: Written
    constraints: tuple[Constraint, ...]
    determined: Mapping[Expr, Expr] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Row:
    """sum of coefficients * x' = rest, in which the column of a multiplier multiplies the multiplier itself."""

    coefficients: Mapping[Expr, Expr]
    rest: Expr

    def along(self, state: Expr) -> Expr:
        """The coefficient of the derivative of a state."""
        return self.coefficients.get(state, S.Zero)

    def mentions(self, letters: Sequence[Expr]) -> bool:
        """Whether one of some states is in it."""
        return any(self.along(letter) != 0 for letter in letters) or not set(letters).isdisjoint(leaves(self.rest))


@dataclass(frozen=True, slots=True)
class _States:
    """Coordinates, speeds, multipliers, and the rows of the combined form that are algebraic."""

    q: tuple[Expr, ...]
    u: tuple[Expr, ...]
    multipliers: tuple[Expr, ...]
    algebraic: tuple[int, ...]


def read_symbolic_system(source: SymbolicSystem, faults: Faults) -> StateEquations:
    """Read any of the three forms.

    - explicit: x' = F, a row for each state;
    - combined: M x' = F, of which the rows without u' are the kinematic equations;
    - separate: q' = G and M u' = F.

    An algebraic row is 0 = F(q, u, t), a constraint. A state that is neither a coordinate nor a speed is then a
    multiplier; the columns of matrices multiply it itself, not its derivative. Its forces are kept as columns and left
    out of f: they must be those of the constraints, whose reactions replace them. Algebraic rows with multipliers in
    them, a lambda = F, determine these: they are eliminated, and the constraint behind them stays unknown.

    Raises
    ------
    ValueError
        If a state is neither a coordinate nor a speed nor a multiplier, the shape of a matrix does not fit, or an
        algebraic row is no constraint.
    """
    states = _states(source, faults)
    form = _explicit
    if source._kin_explicit_rhs is not None:
        form = _separate
    elif source._comb_implicit_mat is not None:  # also of one whose explicit form SymPy has computed
        form = _combined
    rows = form(source, states, faults)
    determined = _determined(rows, states, faults)
    if determined:
        rows = [_without(row, determined) for i, row in enumerate(rows) if i not in states.algebraic]
        states = replace(states, multipliers=(), algebraic=())
    constraints = [_constraint(rows[i], i, states, faults) for i in states.algebraic if i in range(len(rows))]
    if len(constraints) < len(states.algebraic):
        faults.add(f"alg_con={list(states.algebraic)} names rows of {len(rows)}, counted from 0")
    faults.throw()
    moving = [row for i, row in enumerate(rows) if i not in states.algebraic]
    slow = [row for row in moving if all(row.along(speed) == 0 for speed in states.u)]
    fast = [row for row in moving if row not in slow]
    rates = _rates(states.q)
    kinematics = (_carried(row, rates) - row.rest for row in slow)
    return StateEquations(
        states.q,
        states.u,
        tuple(equation for equation in kinematics if equation != 0),
        replace(_written(fast, states, rates, form is _explicit, faults), determined=tuple(map(str, determined))),
        tuple(constraints),
        determined,
    )


def _states(source: SymbolicSystem, faults: Faults) -> _States:
    q, u, algebraic = tuple(source._coordinates or ()), tuple(source._speeds or ()), tuple(source.alg_con or ())
    others = tuple(state for state in source.states if state not in q and state not in u)
    if others and not algebraic:
        faults.add(
            f"the states {[str(state) for state in others]} of the SymbolicSystem are neither coordinates nor speeds; "
            "say which is which with speeds=, or with coord_idxs= and speed_idxs="
        )
        faults.throw()
    return _States(q, u, others, algebraic)


def _explicit(source: SymbolicSystem, states: _States, faults: Faults) -> list[_Row]:
    """x' = F, with a row for each state but multipliers, and the algebraic ones.

    These are lambda = F where no row contains a multiplier, as SymPy's `compute_explicit_form` leaves them.
    """
    moving = [state for state in source.states if state not in states.multipliers]
    n = len(moving) + len(states.algebraic)
    (rest,) = _matrices({"right_hand_side": (source._comb_explicit_rhs, (n, 1))}, faults)
    waiting, solved = iter(moving), iter(())
    if not any(set(states.multipliers) & set(leaves(entry)) for entry in rest):
        solved = iter(states.multipliers)
    rows = []
    for i in range(n):
        letter = next(solved, None) if i in states.algebraic else next(waiting)
        rows.append(_Row({} if letter is None else {letter: S.One}, rest[i]))
    return rows


def _determined(rows: Sequence[_Row], states: _States, faults: Faults) -> dict[Expr, Expr]:
    """The multipliers where each is in an algebraic row, from these rows; empty where none is."""
    letters, asked = states.multipliers, [rows[i] for i in states.algebraic if i in range(len(rows))]
    if not letters or not all(row.mentions(letters) for row in asked) or len(asked) != len(letters):
        return {}
    if any(row.along(state) != 0 for row in asked for state in (*states.q, *states.u)):
        return {}
    equations = [Add(*(row.along(letter) * letter for letter in letters), -row.rest) for row in asked]
    matrix = Matrix([[equation.diff(letter) for letter in letters] for equation in equations])
    if any(letter in leaves(entry) for entry in matrix for letter in letters):
        faults.add("the algebraic rows of the SymbolicSystem are not linear in the multipliers")
        faults.throw()
    if matrix.det() == 0:
        faults.add(f"the algebraic rows of the SymbolicSystem do not determine {[str(letter) for letter in letters]}")
        faults.throw()
    rest = Matrix(equations).xreplace(dict.fromkeys(letters, S.Zero))
    return dict(zip(letters, matrix.LUsolve(-rest), strict=True))


def _without(row: _Row, determined: Mapping[Expr, Expr]) -> _Row:
    """A row with the multipliers replaced."""
    left = {state: factor for state, factor in row.coefficients.items() if state not in determined}
    forces = Add(*(row.along(letter) * value for letter, value in determined.items()))
    return _Row(left, row.rest.xreplace(determined) - forces)


def _combined(source: SymbolicSystem, states: _States, faults: Faults) -> list[_Row]:
    """M x' = F; rows of K q' = F are kinematic equations, those of C q' + M u' = F equations of motion."""
    order = list(source.states)
    n = len(states.q) + len(states.u) + len(states.algebraic)
    given = {
        "mass_matrix": (source._comb_implicit_mat, (n, len(order))),
        "right_hand_side": (source._comb_implicit_rhs, (n, 1)),
    }
    matrix, rest = _matrices(given, faults)
    return [_Row(_row(matrix, i, order), rest[i]) for i in range(n)]


def _separate(source: SymbolicSystem, states: _States, faults: Faults) -> list[_Row]:
    """q' = G and M u' = F; the columns of multipliers may be left out."""
    n, wide = len(states.u) + len(states.algebraic), [*states.u, *states.multipliers]
    columns = wide if Matrix(source._dyn_implicit_mat or []).cols == len(wide) else list(states.u)
    given = {
        "coordinate_derivatives": (source._kin_explicit_rhs, (len(states.q), 1)),
        "mass_matrix": (source._dyn_implicit_mat, (n, len(columns))),
        "right_hand_side": (source._dyn_implicit_rhs, (n, 1)),
    }
    slopes, matrix, rest = _matrices(given, faults)
    first = [_Row({coordinate: S.One}, slope) for coordinate, slope in zip(states.q, slopes, strict=True)]
    return first + [_Row(_row(matrix, i, columns), rest[i]) for i in range(n)]


def _constraint(row: _Row, i: int, states: _States, faults: Faults) -> Constraint:
    """An algebraic row 0 = F."""
    met = [str(state) for state, factor in row.coefficients.items() if factor != 0]
    met += [str(letter) for letter in states.multipliers if letter in leaves(row.rest)]
    if met:
        faults.add(
            f"row {i} of the SymbolicSystem is algebraic (alg_con), but determines {met[0]} or its derivative; "
            "expected 0 = F(q, u, t), a condition on coordinates or on speeds, from which the reaction follows"
        )
    return read_constraint(row.rest, states.q, states.u, f"algebraic {i}")


def _written(
    rows: Sequence[_Row], states: _States, rates: Mapping[Expr, Expr], explicit: bool, faults: Faults
) -> Written:
    """M u' = f without the forces of the multipliers, and their columns."""
    still = dict.fromkeys(states.multipliers, S.Zero)
    rest = [row.rest - _carried(row, rates) for row in rows]
    columns = tuple(
        tuple(one.diff(letter) - row.along(letter) for one, row in zip(rest, rows, strict=True))
        for letter in states.multipliers
    )
    if any(letter in leaves(entry) for letter in still for column in columns for entry in column):
        faults.add("the equations of motion of the SymbolicSystem are not linear in the multipliers")
        faults.throw()
    matrix = () if explicit else tuple(tuple(row.along(speed) for speed in states.u) for row in rows)
    return Written(matrix, tuple(entry.xreplace(still) for entry in rest), columns)


def _carried(row: _Row, rates: Mapping[Expr, Expr]) -> Expr:
    """The terms of a row with q'."""
    return Add(*(row.along(coordinate) * rate for coordinate, rate in rates.items()))


def _row(matrix: Matrix, i: int, states: Sequence[Expr]) -> dict[Expr, Expr]:
    return {state: matrix[i, j] for j, state in enumerate(states)}


def _matrices(given: Mapping[str, tuple[object, tuple[int, int]]], faults: Faults) -> list[Matrix]:
    """The matrices with the shapes that are expected."""
    found = [Matrix([] if matrix is None else matrix) for matrix, _ in given.values()]
    for (name, (_, shape)), matrix in zip(given.items(), found, strict=True):
        if matrix.shape != shape:
            faults.add(f"{name} of the SymbolicSystem has the shape {matrix.shape}, expected {shape}")
    faults.throw()
    return found


def _rates(q: Sequence[Expr]) -> dict[Expr, Expr]:
    return {coordinate: coordinate.diff(dynamicsymbols._t) for coordinate in q}
