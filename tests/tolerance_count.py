"""How many numeric thresholds the package has, counted by one rule, so that two revisions compare.

    python tests/tolerance_count.py [FOLDER] [--list]

A threshold is a float at the top of a module that is less than 1 or at least 64 in size, and one inside a function
that is at most 1e-4. Coefficients of formulas and series, which are such numbers by chance, are left out by file.
"""

from __future__ import annotations

import ast
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOMS = ("native", "graph", "integrate", "contact", "hybrid", "mechanics")
"""The rooms that compute; models and drawings have numbers of their own."""

SERIES = ("sine.py", "tableau.py", "near_names.py")
"""Files of coefficients, and one about words."""


@dataclass(frozen=True)
class Threshold:
    """One threshold: where it stands, its name (empty inside a function), its value."""

    file: str
    line: int
    name: str
    value: float


def thresholds(source: Path) -> list[Threshold]:
    """All thresholds of the package at `source`."""
    files = [file for room in ROOMS for file in sorted((source / room).rglob("*.py")) if file.name not in SERIES]
    return [one for file in files for one in _of_file(file, file.relative_to(source).as_posix())]


def _of_file(file: Path, name: str) -> Iterator[Threshold]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    assigned = [node for node in tree.body if isinstance(node, ast.Assign)]
    for node in assigned:
        for target, value in _pairs(node.targets[0], node.value):
            number = _number(value)
            if number is not None and (0.0 < abs(number) < 1.0 or abs(number) >= 64.0):
                yield Threshold(name, node.lineno, ast.unparse(target), number)
    inside = [node for top in tree.body if top not in assigned for node in ast.walk(top)]
    for node in inside:
        if isinstance(node, ast.Constant) and isinstance(node.value, float) and 0.0 < abs(node.value) <= 1e-4:
            yield Threshold(name, node.lineno, "", node.value)


def _pairs(target: ast.expr, value: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        return list(zip(target.elts, value.elts, strict=True))
    return [(target, value)]


def _number(value: ast.expr) -> float | None:
    """The value of an expression of float literals alone, None for anything else."""
    allowed = (ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop)
    if not all(isinstance(node, allowed) for node in ast.walk(value)):
        return None
    found = eval(compile(ast.Expression(value), "", "eval"), {"__builtins__": {}})  # literals only, as just asserted
    return found if isinstance(found, float) else None


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).parent.parent / "src" / "sympact")
    parser.add_argument("--list", action="store_true", help="one line for each")
    options = parser.parse_args()
    found = thresholds(options.folder)
    if options.list:
        print(*(f"{one.file}:{one.line} {one.name or '[inline]'} {one.value:g}" for one in found), sep="\n")
    print(f"{len(found)} thresholds in {len({one.file for one in found})} files")
