"""A derived model as SymPy formulas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from sympy import Expr, ImmutableMatrix, MatrixExpr, MatrixSymbol, Symbol, latex

from sympact.graph import to_sympy, to_sympy_cse, tree_count
from sympact.graph.algebra.linear import dot
from sympact.graph.nodes.node import Node
from sympact.mechanics.derive.derivation import Derivation
from sympact.mechanics.derive.gaps import Gap
from sympact.mechanics.derive.searched import searched
from sympact.mechanics.derive.slip import Slip
from sympact.mechanics.kit.cramer import adjugate_times

__all__ = ["LARGEST_TREE", "BlockJump", "Formulas"]

LARGEST_TREE = 20_000
_LARGEST_CLOSED = 3


@dataclass(frozen=True, eq=False)
class BlockJump:
    """The jump map of a contact in named blocks, for models too large to write it out.

    Attributes
    ----------
    formula : MatrixExpr
        u+ = u- - (1 + e) M^-1 W (W^T M^-1 W)^-1 (W^T u- + w); with friction u+ = u- + M^-1 J^T Lambda, where the impact
        law relates the impulse Lambda, with components in N, to the velocity J u + w after: stick or slip.
    blocks : mapping of symbol to expression
        The mass matrix M, the contact's Jacobian W, the motion of its surface w, and the restitution e; with friction
        J = dv/du, the normal n, and the coefficient mu.
    """

    formula: MatrixExpr
    blocks: Mapping[Expr, Expr]

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle u^+ = {latex(self.formula)}$"


class Formulas:
    """Turns the nodes of a derivation into SymPy matrices.

    Parameters
    ----------
    derivation : Derivation
    """

    def __init__(self, derivation: Derivation) -> None:
        self._derivation = derivation
        self._names = {node: letter for letter, node in derivation.symbols.nodes(derivation.graph).items()}
        for node, found in searched(derivation.graph, derivation.kinematics.searched, self._names).items():
            derivation.read.know(found, node)
            self._names[node] = found

    def matrix(self, name: str) -> ImmutableMatrix:
        """A matrix of the model by the name of its property.

        Raises
        ------
        ValueError
            If it has more than `LARGEST_TREE` operations as a SymPy tree.
        """
        rows = self._rows()[name]
        return _matrix(rows, self._trees([node for row in rows for node in row], f"model.{name}", name))

    def size(self, name: str) -> int:
        """The operations of a matrix when every common part is written out, without writing it."""
        known = self._rows()
        if name not in known:
            raise ValueError(f"there is no formula {name!r}; the model has {list(known)}")
        return self._tree_count([node for row in known[name] for node in row])

    def jump_size(self, contact: int) -> int | None:
        """The operations of a closed jump map; None beyond three speeds, with friction and with constraints."""
        derivation = self._derivation
        if len(derivation.symbols.u) > _LARGEST_CLOSED or derivation.gaps[contact].slip or derivation.constraints:
            return None
        return self._tree_count(self._speeds_after(contact))

    def common(self, names: Sequence[str]) -> tuple[list[tuple[Symbol, Expr]], list[ImmutableMatrix]]:
        """Several matrices with their common parts named, as `sympy.cse` returns them."""
        known = self._rows()
        unknown = [name for name in names if name not in known]
        if unknown:
            raise ValueError(f"there are no formulas {unknown}; the model has {list(known)}")
        chosen = [known[name] for name in names or known]
        nodes = [node for rows in chosen for row in rows for node in row]
        replacements, reduced = to_sympy_cse(self._derivation.graph, nodes, self._names, self._part_names())
        written = iter(reduced)
        return replacements, [_matrix(rows, [next(written) for row in rows for _ in row]) for rows in chosen]

    def jump(self, contact: int) -> ImmutableMatrix | BlockJump:
        """The speeds after an impact of one contact, from those before it (written as the model's speeds).

        With adj(M) in place of M^-1 the determinant cancels: u+ = u- - (1 + e) adj(M) W gamma- / (W^T adj(M) W).
        """
        gap = self._derivation.gaps[contact]
        if self._derivation.constraints:
            raise NotImplementedError(
                "jump maps of models with bilateral constraints are not written as formulas; model.impact has the "
                "speeds after an impact in numbers"
            )
        if gap.slip is not None:
            return self._friction_jump(gap, gap.slip)
        if len(self._derivation.symbols.u) > _LARGEST_CLOSED:
            return self._block_jump(contact)
        return ImmutableMatrix(self._trees(self._speeds_after(contact), "the jump map", "mass_matrix"))

    def _speeds_after(self, contact: int) -> list[Node]:
        derivation = self._derivation
        graph, gap = derivation.graph, derivation.gaps[contact]
        direction = adjugate_times(graph, derivation.equations.mass_matrix, gap.jacobian)
        length = dot(graph, gap.jacobian, direction)
        factor = graph.div(graph.mul(graph.add(graph.one, gap.restitution), gap.rate), length)
        speeds = [derivation.read(speed) for speed in derivation.symbols.u]
        return [graph.sub(u, graph.mul(factor, entry)) for u, entry in zip(speeds, direction, strict=True)]

    def _block_jump(self, contact: int) -> BlockJump:
        gap, n = self._derivation.gaps[contact], len(self._derivation.symbols.u)
        mass, jacobian, before = MatrixSymbol("M", n, n), MatrixSymbol("W", n, 1), MatrixSymbol("u^-", n, 1)
        drift, restitution = MatrixSymbol("w", 1, 1), Symbol("e")
        *column, moving, e = self._trees([*gap.jacobian, gap.drift, gap.restitution], "the contact", "normal_jacobian")
        impulse = (jacobian.T * mass.I * jacobian).I * (jacobian.T * before + drift)
        blocks = {
            mass: self.matrix("mass_matrix"),
            jacobian: ImmutableMatrix(column),
            before: ImmutableMatrix(self._derivation.symbols.u),
            drift: ImmutableMatrix([[moving]]),
            restitution: e,
        }
        return BlockJump(before - (1 + restitution) * mass.I * jacobian * impulse, blocks)

    def _friction_jump(self, gap: Gap, slip: Slip) -> BlockJump:
        """With friction the impulse has three components, and the law decides between sticking and slipping."""
        n = len(self._derivation.symbols.u)
        mass, jacobian, before = MatrixSymbol("M", n, n), MatrixSymbol("J", 3, n), MatrixSymbol("u^-", n, 1)
        impulse, normal = MatrixSymbol("Lambda", 3, 1), MatrixSymbol("n", 3, 1)
        what = ("the contact", "slip_jacobian")
        rows = [self._trees(row, *what) for row in slip.jacobian]
        restitution, friction = self._trees([gap.restitution, slip.friction], *what)
        blocks = {
            mass: self.matrix("mass_matrix"),
            jacobian: ImmutableMatrix(rows),
            before: ImmutableMatrix(self._derivation.symbols.u),
            normal: ImmutableMatrix(self._trees(slip.normal, *what)),
            Symbol("e"): restitution,
            Symbol("mu"): friction,
        }
        return BlockJump(before + mass.I * jacobian.T * impulse, blocks)

    def _rows(self) -> dict[str, list[Sequence[Node]]]:
        derivation, slips = self._derivation, [gap.slip for gap in self._derivation.gaps if gap.slip]
        return {
            "kinematics": [[node] for node in derivation.rates],
            "mass_matrix": list(derivation.equations.mass_matrix),
            "forcing": [[node] for node in derivation.equations.forcing],
            "gaps": [[gap.gap] for gap in derivation.gaps],
            "gap_rates": [[gap.rate] for gap in derivation.gaps],
            "normal_jacobian": [gap.jacobian for gap in derivation.gaps],
            "contact_normals": [slip.normal for slip in slips],
            "slip_velocity": [[node] for slip in slips for node in slip.velocity],
            "slip_jacobian": [row for slip in slips for row in slip.jacobian],
            "constraint_positions": [[row.position] for row in derivation.constraints if row.position is not None],
            "constraint_rates": [[row.rate] for row in derivation.constraints],
            "constraint_jacobian": [row.jacobian for row in derivation.constraints],
        }

    def _trees(self, nodes: Sequence[Node], what: str, name: str) -> list[Expr]:
        size = self._tree_count(nodes)
        if size > LARGEST_TREE:
            raise ValueError(
                f"{what} has {size:.2g} operations when every common part is written out, more than {LARGEST_TREE:,}; "
                f"call model.formulas('{name}'), which names the common parts"
            )
        return to_sympy(self._derivation.graph, nodes, self._names)

    def _tree_count(self, nodes: Sequence[Node]) -> int:
        return tree_count(self._derivation.graph, nodes, self._names)

    def _part_names(self) -> Iterator[Symbol]:
        """z0, z1, ... without those that the model uses."""
        letters = self._names.values()
        taken = {letter.name if isinstance(letter, Symbol) else str(letter.func) for letter in letters}
        return (Symbol(f"z{number}") for number in count() if f"z{number}" not in taken)


def _matrix(rows: Sequence[Sequence[Node]], entries: Sequence[Expr]) -> ImmutableMatrix:
    return ImmutableMatrix(len(rows), len(rows[0]) if rows else 0, entries)
