"""A model as text and formulas: its symbols, its contacts, and its equations line by line, for repr and reports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, cast

import numpy as np
from sympy import Add, Expr, ImmutableMatrix, expand
from sympy.physics.vector import vlatex, vsstrrepr

from sympact.integrate.trajectory.about import About, Formula
from sympact.mechanics.derived.derived_model import DerivedModel

if TYPE_CHECKING:
    from sympact.mechanics.shapes.unilateral import Unilateral

__all__ = ["BLOCK_JUMP", "FRICTION_JUMP", "MATRICES", "about_model", "contact_formulas", "contact_rows", "letters"]

MATRICES = {
    "kinematics": ("rates of the coordinates", r"\dot{q}"),
    "mass_matrix": ("mass matrix", "M"),
    "forcing": ("forcing", "f"),
    "gaps": ("gaps", "g_N"),
    "gap_rates": ("gap rates", r"\gamma_N"),
    "normal_jacobian": ("directions of the contacts", "W_N^T"),
    "slip_velocity": ("velocities where friction acts", "v"),
    "slip_jacobian": ("their directions", r"\partial v / \partial u"),
}
"""The title and the symbol of each matrix of a model, by the name of its property."""

BLOCK_JUMP = r"u^+ = u^- - (1 + e) \, M^{-1} W \, (W^T M^{-1} W)^{-1} \, \gamma_N^-"
"""The speeds after an impact of one contact by Newton's law."""

FRICTION_JUMP = r"M \, (u^+ - u^-) = W_N \Lambda_N + W_T \Lambda_T, \quad |\Lambda_T| \leq \mu \Lambda_N"
"""The same of one with friction."""

_LONGEST_ENTRY, _LINE = 400, 180
"""Characters of LaTeX of an entry that is written out, and of a line of a sum."""

_SHORT_JUMP = 120
"""Characters of LaTeX of a jump map beside a drawn graph."""

_LARGEST_WRITTEN, _MOST_PARTS = 400, 600
"""Operations of a matrix that is written out, and named parts at most."""


def letters(model: DerivedModel) -> dict[str, tuple[Expr | str, ...]]:
    """The symbols of a model, and the resolution of its impacts, by headings."""
    constraints = dict.fromkeys(row.name for row in model.derivation.constraints)
    transitions = [jump.name for jump in model.derivation.jumps]
    compliant = tuple(contact.name for contact in model.compliant_contacts)
    return {
        "coordinates": tuple(q for q in model.q if q not in model.discrete),
        "speeds": model.u,
        **({"discrete": model.discrete} if model.discrete else {}),
        "parameters": model.parameters,
        "inputs": model.inputs,
        "contacts": tuple(contact.name for contact in model.contacts),
        **({"compliant contacts": compliant} if compliant else {}),
        **({"transitions": tuple(transitions)} if transitions else {}),
        **({"constraints": tuple(constraints)} if constraints else {}),
        "impact": (f"{model.law}, {model.resolution}",),
        "length": (_own_length(model) if model.length is None else model.length,),
    }


def _own_length(model: DerivedModel) -> str:
    """The origin of the model's length, and its value where it depends on no parameter."""
    lengths, graph = model.derivation.lengths, model.derivation.graph
    values = [graph.value(node) for node in lengths.nodes]
    if not values or None in values:
        return lengths.told
    return f"{lengths.value(np.array(values)):.6g} m, {lengths.told}"


def contact_rows(model: DerivedModel) -> list[tuple[str, str, Expr]]:
    """The name of each contact, its two sides, and its restitution."""
    return [(contact.name, contact.in_words(), contact.restitution) for contact in model.contacts]


def about_model(model: DerivedModel, p: np.ndarray) -> About:
    """The model and the numbers of a run, for its report; `p` holds all parameters of the model, then others."""
    wanted = frozenset(model.parameters)
    named = zip(model.derivation.symbols.parameters, p.tolist(), strict=False)
    rows = zip(contact_rows(model), model.contacts, strict=True)
    return About(
        letters=tuple((heading, ", ".join(map(_plain, items)) or "none") for heading, items in letters(model).items()),
        parameters=tuple((symbol.name, value) for symbol, value in named if symbol in wanted),
        contacts=tuple((*row[:2], _plain(row[2]), _friction(one)) for row, one in rows),
        formulas=(Formula("equations of motion", (r"M \dot{u} = f",), ("M u' = f",)), *_formulas(model)),
    )


def _friction(contact: Unilateral) -> str:
    """The coefficients of friction of a contact; empty without friction."""
    if not contact.has_friction:
        return ""
    kinetic, static = _plain(contact.friction), _plain(contact.static_friction)
    both = kinetic if kinetic == static else f"{kinetic}, static {static}"
    ellipse = contact.anisotropy
    return both if ellipse is None else f"{both}; along {vsstrrepr(ellipse.axis)} {_plain(ellipse.ratio)} of it"


def _plain(item: Expr | str) -> str:
    return item if isinstance(item, str) else vsstrrepr(item)


def _formulas(model: DerivedModel) -> Iterator[Formula]:
    """The equations of a model: short ones written out, long ones with their common parts named."""
    written = {name: _written(model, name) for name in MATRICES}
    long = [name for name, matrix in written.items() if matrix is None]
    if long:
        replacements, reduced = model.formulas(*long)
        if len(replacements) > _MOST_PARTS:
            calls = ", ".join(f"model.formulas('{name}')" for name in long)
            yield Formula("long equations", (), (f"{len(replacements)} named parts, too many to print: {calls}",))
            written = {name: matrix for name, matrix in written.items() if matrix is not None}
        else:
            written |= dict(zip(long, reduced, strict=True))
            yield _formula("named parts", [(vlatex(z), str(z), part) for z, part in replacements])
    for name, matrix in written.items():
        if matrix:
            title, letter = MATRICES[name]
            yield _formula(title, list(_entries(matrix, letter, name)))
    if not all(contact.has_friction for contact in model.contacts):
        text = "u+ = u- - (1 + e) M^-1 W (W^T M^-1 W)^-1 gamma_N-, W^T: the contact's row of W_N^T"
        yield Formula("jump map of a contact alone", (BLOCK_JUMP,), (text,))
    if any(contact.has_friction for contact in model.contacts):
        text = "M (u+ - u-) = W_N Lambda_N + W_T Lambda_T, |Lambda_T| <= mu Lambda_N, against any slip"
        yield Formula("impact with friction", (FRICTION_JUMP,), (text,))
    yield from _jumps(model)


def _jumps(model: DerivedModel) -> Iterator[Formula]:
    """The jump maps that are short enough to be written out; on the right are the speeds before the impact."""
    for contact in model.contacts:
        size = model.jump_operations(contact)
        if size is not None and size <= _LARGEST_WRITTEN:
            left = [(_after(vlatex(speed)), f"{vsstrrepr(speed)}+") for speed in model.u]
            after = zip(left, cast(ImmutableMatrix, model.jump_map(contact)), strict=True)
            yield _formula(f"jump map of {contact.name}", [(*names, entry) for names, entry in after])


def _after(letter: str) -> str:
    """The LaTeX of a speed just after an impact."""
    return f"{{{letter}}}^+" if "^" in letter else f"{letter}^+"


def contact_formulas(model: DerivedModel) -> dict[str, Formula]:
    """The gap of each contact, positive apart, and its jump map where that is short, by its name.

    Examples
    --------
    >>> from sympact.models import bouncing_ball
    >>> contact_formulas(bouncing_ball().model)["ball"].text
    ('g_N = z', 'v+ = -e*v')
    """
    gaps, found = _written(model, "gaps"), {}
    for k, (name, place, _) in enumerate(contact_rows(model)):
        if gaps is None:
            found[name] = Formula(name, (), (f"g_N: model.gaps[{k}], {place}",))
        else:
            gap, jump = _formula(name, [("g_N", "g_N", gaps[k])]), _short_jump(model, name)
            found[name] = Formula(name, (*gap.latex, *jump.latex), (*gap.text, *jump.text))
    return found


def _short_jump(model: DerivedModel, contact: str) -> Formula:
    """The speeds that an impact of a contact changes; nothing where their formulas are long."""
    size, changed = model.jump_operations(contact), []
    if size is None or size > _LARGEST_WRITTEN:
        return Formula(contact, (), ())
    for speed, after in zip(model.u, cast(ImmutableMatrix, model.jump_map(contact)), strict=True):
        shorter = min(after, expand(after), key=lambda written: len(vlatex(written)))
        if shorter != speed:
            changed.append((_after(vlatex(speed)), f"{vsstrrepr(speed)}+", shorter))
    jump = _formula(contact, changed)
    return jump if all(len(latex) <= _SHORT_JUMP for latex in jump.latex) else Formula(contact, (), ())


def _written(model: DerivedModel, name: str) -> ImmutableMatrix | None:
    """A matrix of the model, None if it is too long to be written out."""
    if model.operations(name) > _LARGEST_WRITTEN:
        return None
    matrix = getattr(model, name)
    return None if any(len(vlatex(entry)) > _LONGEST_ENTRY for entry in matrix) else matrix


def _entries(matrix: ImmutableMatrix, letter: str, name: str) -> Iterator[tuple[str, str, Expr]]:
    """LaTeX and text of the left side, and the expression, of each entry that is not zero; half of a symmetric one."""
    symmetric, column = name == "mass_matrix", matrix.cols == 1 and name != "normal_jacobian"
    for i in range(matrix.rows):
        for j in range(i + 1 if symmetric else matrix.cols):
            if matrix[i, j] == 0 and not column:
                continue
            place = str(i + 1) if column else f"{i + 1},{j + 1}"
            base_latex = rf"({letter})_{{{place}}}" if "_" in letter else rf"{letter}_{{{place}}}"
            yield base_latex, f"{name}[{place}]", matrix[i, j]


def _formula(title: str, equations: Sequence[tuple[str, str, Expr]]) -> Formula:
    latex, text = [], []
    for left, plain, expression in equations:
        lines = _lines(expression)
        latex += [f"{left} = {lines[0]}", *(rf"\quad {line}" for line in lines[1:])]
        text += [f"{plain} = {vsstrrepr(expression)}", *[""] * (len(lines) - 1)]
    return Formula(title, tuple(latex), tuple(text))


def _lines(expression: Expr) -> list[str]:
    """An expression as LaTeX; a long sum in several lines, broken before a sign."""
    whole = vlatex(expression)
    if len(whole) <= _LINE or not isinstance(expression, Add):
        return [whole]
    lines = [""]
    for term in expression.args:
        part = vlatex(term)
        signed = part if part.startswith("-") or not (lines[0]) else f"+ {part}"
        if lines[-1] and len(lines[-1]) + len(signed) > _LINE:
            lines.append("")
        lines[-1] = f"{lines[-1]} {signed}".strip()
    return lines
