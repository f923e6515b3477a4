"""A summary of a model for notebooks: its symbols as a table, its equations in LaTeX, the long ones folded."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from sympy import Basic, ImmutableMatrix
from sympy.physics.vector import vlatex

from sympact.integrate.present.table import Html, Table, folded
from sympact.mechanics.derived.derived_model import DerivedModel
from sympact.mechanics.present.model_summary import BLOCK_JUMP, FRICTION_JUMP, MATRICES, contact_rows, letters

__all__ = ["model_html", "model_latex"]

_LARGEST_WRITTEN = 600
"""Operations of a matrix that is written out; beyond that its common parts are named."""

_MOST_PARTS = 1500
"""Named parts that are shown; more would make the page slow."""

_LARGEST_OPEN = 700
"""Characters of LaTeX that are shown without being unfolded."""

_MOST_JUMPS = 8
"""Contacts whose jump maps are shown."""


def model_html(model: DerivedModel) -> str:
    """The symbols, contacts and equations of a model as HTML with LaTeX, as notebooks show it."""
    equations = "".join(_block(*parts) for parts in _equations(model))
    return f"<div><b>HybridModel</b>{Table((), list(_rows(model))).html}<p>$M \\dot u = f$</p>{equations}</div>"


def model_latex(model: DerivedModel) -> str | None:
    """The equations of a model as LaTeX; None, which shows the text of `repr`, when they are too large."""
    if any(model.operations(name) > _LARGEST_WRITTEN for name in ("kinematics", "mass_matrix", "forcing", "gaps")):
        return None
    shown = [
        rf"{letter} &= {vlatex(getattr(model, name))}"
        for name, (_, letter) in MATRICES.items()
        if model.operations(name) <= _LARGEST_WRITTEN and getattr(model, name)
    ]
    lines = r"\\ ".join([r"M \dot u &= f", *shown, *_impacts(model)])
    return rf"$\displaystyle \begin{{aligned}} {lines} \end{{aligned}}$"


def _impacts(model: DerivedModel) -> list[str]:
    """The equation of impacts, for the list of equations."""
    if not model.contacts:
        return []
    has_friction = any(contact.has_friction for contact in model.contacts)
    return [(FRICTION_JUMP if has_friction else BLOCK_JUMP).replace("=", "&=", 1)]


def _rows(model: DerivedModel) -> Iterator[tuple[str, Html]]:
    """The table above the equations: symbols in LaTeX, names as they are."""
    for name, items in letters(model).items():
        if name == "contacts":
            continue
        texts = [escape(item) if isinstance(item, str) else _dollars(item) for item in items]
        yield name, Html(", ".join(texts) or "none")
    if model.contacts:
        rows = [(name, where, Html(_dollars(e))) for name, where, e in contact_rows(model)]
        table = Table(("contact", "where", "restitution"), rows).html
        yield "contacts", table if len(rows) <= _MOST_JUMPS else folded(f"{len(rows)} contacts", table)


def _equations(model: DerivedModel) -> Iterator[tuple[str, str, int]]:
    """Heading, LaTeX or a sentence, and size of each block of equations."""
    for name, (title, letter) in MATRICES.items():
        size = model.operations(name)
        if size <= _LARGEST_WRITTEN:
            matrix = getattr(model, name)
            if matrix:
                yield title, _dollars(matrix, letter), size
        else:
            yield title, _named(model, name, letter), size
    for k, contact in enumerate(model.contacts[:_MOST_JUMPS]):
        written = model.jump_operations(contact)
        if contact.has_friction:
            yield "impacts with friction", f"${FRICTION_JUMP}$", 0
            return
        if written is None or written > _LARGEST_WRITTEN:
            yield "jump map of a contact alone", f"${BLOCK_JUMP}$, with its row $W^T$ of $W_N^T$", 0
            return
        title = f"jump map of {contact.name}, by the speeds before it"
        yield title, _dollars(model.jump_map(contact), "u^+"), written
        if k == _MOST_JUMPS - 1 and len(model.contacts) > _MOST_JUMPS:
            yield "jump maps", f"and {len(model.contacts) - _MOST_JUMPS} more: <code>model.jump_map(name)</code>", 0


def _named(model: DerivedModel, name: str, letter: str) -> str:
    """A large matrix with its common parts named, as long as they are not too many."""
    replacements, (matrix,) = model.formulas(name)
    if len(replacements) > _MOST_PARTS:
        return f"too large to show: call <code>model.formulas('{name}')</code>"
    lines = [_dollars(part, vlatex(symbol)) for symbol, part in replacements]
    filled = ImmutableMatrix(matrix)
    entries = [
        _dollars(filled[i, j], f"{letter.replace('^T', '')}_{{{i + 1},{j + 1}}}")
        for i in range(filled.rows)
        for j in range(filled.cols)
        if filled[i, j] != 0
    ]
    return "<br>".join([*lines, *entries])


def _dollars(expression: Basic, letter: str | None = None) -> str:
    text = vlatex(expression) if letter is None else f"{letter} = {vlatex(expression)}"
    return f"$\\displaystyle {escape(text, quote=False)}$"


def _block(title: str, body: str, size: int) -> str:
    """A block of equations, folded if it is long."""
    if len(body) <= _LARGEST_OPEN:
        return f"<p>{escape(title)}: {body}</p>"
    return folded(f"{title}: {size:,} operations", body)
