"""The page of all tolerances, made from the files that hold them.

    python tests/tolerances_page.py

writes ``docs/theory/tolerances.rst``; `test_tolerances` compares it with the files, and counts what they hold.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from textwrap import fill

SOURCE = Path(__file__).parent.parent / "src" / "sympact"
PAGE = SOURCE.parent.parent / "docs" / "theory" / "tolerances.rst"

FILES = {
    "All rooms": "native/rounding.py",
    "Runs": "integrate/memory/run_tolerances.py",
    "Contacts": "contact/memory/contact_tolerances.py",
    "Models": "mechanics/kit/mechanics_tolerances.py",
}
"""The files of tolerances, by the titles under which the page shows them."""

FIELDS = ("Relative to", "Why", "Test")

_HEAD = """\
Tolerances
==========

Every number that decides whether something is zero, equal, met or lost, with what it is relative to, why it has this
size, and the test that notices when it becomes a hundred times larger or smaller. Names are those of the code; one that
follows from another is written as it follows, and changes with it. Numbers that steer an algorithm (factors of a step
controller, rounds of an iteration) are kept beside it. ``make mutants`` changes each of these and lists what no test
notices.

"""


@dataclass(frozen=True)
class Tolerance:
    """One tolerance: where it stands, what it is, and what its docstring says."""

    file: str
    line: int
    name: str
    expression: str
    meaning: str
    relative_to: str
    why: str
    test: str

    @property
    def tests(self) -> tuple[str, ...]:
        """The tests that it names, as pytest wants them, below ``tests/``."""
        return tuple(self.test.rstrip(".").split(", ")) if self.test else ()

    @property
    def value(self) -> float:
        """The number itself."""
        module = import_module(".".join(["sympact", *Path(self.file).with_suffix("").parts]))
        return float(getattr(module, self.name))

    @property
    def is_derived(self) -> bool:
        """Whether it follows from another tolerance, so that it is no number of its own."""
        return any(isinstance(node, ast.Name) for node in ast.walk(ast.parse(self.expression)))


def tolerances() -> list[Tolerance]:
    """All tolerances of the package, in the order of the page."""
    return [one for file in FILES.values() for one in _of_file(file)]


def _of_file(file: str) -> Iterator[Tolerance]:
    body = ast.parse((SOURCE / file).read_text(encoding="utf-8")).body
    for node, after in zip(body, [*body[1:], None], strict=True):
        if isinstance(node, ast.Assign):
            name = ast.unparse(node.targets[0])
            is_text = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
            if not is_text:
                raise ValueError(f"{file}:{node.lineno}: {name} has no docstring")
            meaning, fields = _fields(after.value.value)
            if set(FIELDS[:2]) - set(fields):
                raise ValueError(f"{file}:{node.lineno}: {name} needs the fields {', '.join(FIELDS[:2])}")
            yield Tolerance(
                file,
                node.lineno,
                name,
                ast.unparse(node.value),
                meaning,
                *(fields.get(field, "") for field in FIELDS),
            )


def _fields(text: str) -> tuple[str, dict[str, str]]:
    """The meaning, and the fields after it."""
    meaning, *rest = re.split(rf"^({'|'.join(FIELDS)}): ", text, flags=re.MULTILINE)
    plain = [re.sub(r"\s+", " ", part).strip() for part in rest]
    return re.sub(r"\s+", " ", meaning).strip(), dict(zip(plain[::2], plain[1::2], strict=True))


def page() -> str:
    """The page as reStructuredText."""
    found = tolerances()
    rooms = [_room(title, [one for one in found if one.file == file]) for title, file in FILES.items()]
    return _HEAD + "\n".join(rooms)


def _room(title: str, entries: list[Tolerance]) -> str:
    head = f"{title}\n{'-' * len(title)}\n\nIn ``{entries[0].file}``.\n\n"
    return head + "".join(map(_entry, entries))


def _entry(one: Tolerance) -> str:
    lines = [
        f"``{one.name}`` = ``{one.expression}`` = {one.value:.3g}"
        if one.is_derived
        else f"``{one.name}`` = {one.value:.3g}"
    ]
    for text in (one.meaning, f"Relative to: {one.relative_to}", f"Why: {one.why}", f"Noticed by: {_noticed(one)}"):
        lines.append(fill(text, 119, initial_indent="   | ", subsequent_indent="     ", break_on_hyphens=False))
    return "\n".join(lines) + "\n\n"


def _noticed(one: Tolerance) -> str:
    return ", ".join(f"``{test}``" for test in one.tests) if one.test else "no test yet"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    derived = sum(one.is_derived for one in tolerances())
    print(f"{len(tolerances()) - derived} tolerances and {derived} that follow from them in {len(FILES)} files")
