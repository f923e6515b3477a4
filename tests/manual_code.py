"""The code of the manual: what is written in its pages, and the files that it includes."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from example_scripts import ROOT

DOCS = ROOT / "docs"
README = ROOT / "README.md"
MADE = {DOCS / "_build", DOCS / "examples"}
"""What the build of the manual writes."""
PAGES = sorted(path for path in DOCS.rglob("*.rst") if not MADE & set(path.parents))
SPHINX = {"conf.py", "gallery.py"}
"""What builds the manual, and is no part of it."""
SCRIPTS = sorted(path for path in DOCS.rglob("*.py") if not MADE & set(path.parents) and path.name not in SPHINX)

_DIRECTIVE = re.compile(r"^(?P<indent> *)\.\. (?P<name>code-block|code|literalinclude):: *(?P<argument>\S*)$")
_LITERAL = re.compile(r"^(?!\s*\.\.).*::$")


@dataclass(frozen=True)
class Block:
    """Code written in a page.

    Parameters
    ----------
    page : Path
    line : int
        Its first line, from 1.
    language : str
        As the page says; what is only set off by two colons is "python", which is what Sphinx takes it for.
    code : str
    """

    page: Path
    line: int
    language: str
    code: str

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT).as_posix()}:{self.line}"


def blocks(page: Path) -> list[Block]:
    """The code written in a page, reStructuredText or Markdown, in order."""
    lines = page.read_text(encoding="utf-8").splitlines()
    return list(_of_markdown(page, lines) if page.suffix == ".md" else _of_rst(page, lines))


def included(page: Path) -> list[Path]:
    """The files whose code a page shows, each once, in order."""
    found = map(_DIRECTIVE.match, page.read_text(encoding="utf-8").splitlines())
    names = [match["argument"] for match in found if match and match["name"] == "literalinclude"]
    return list(dict.fromkeys((page.parent / name).resolve() for name in names))


def _of_rst(page: Path, lines: list[str]) -> Iterator[Block]:
    for i, line in enumerate(lines):
        match = _DIRECTIVE.match(line)
        if match and match["name"] != "literalinclude":
            yield from _indented(page, lines, i + 1, len(match["indent"]), match["argument"] or "python")
        elif not match and _LITERAL.match(line):
            yield from _indented(page, lines, i + 1, len(line) - len(line.lstrip()), "python")


def _indented(page: Path, lines: list[str], start: int, outer: int, language: str) -> Iterator[Block]:
    body, first = [], None
    for i in range(start, len(lines)):
        line = lines[i]
        if line.strip() and len(line) - len(line.lstrip()) <= outer:
            break
        if line.strip().startswith(":") and first is None:
            continue
        first = i if first is None and line.strip() else first
        body.append(line)
    if first is not None:
        yield Block(page, first + 1, language, textwrap.dedent("\n".join(body)).strip("\n") + "\n")


def _of_markdown(page: Path, lines: list[str]) -> Iterator[Block]:
    start = None
    for i, line in enumerate(lines):
        if start is None and line.startswith("```"):
            start = i
        elif start is not None and line == "```":
            yield Block(page, start + 2, lines[start][3:], "\n".join(lines[start + 1 : i]) + "\n")
            start = None
