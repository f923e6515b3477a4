"""What a run enters: the functions and files of sympact, counted in a fresh process, and the page that shows them.

    python tests/entered.py

prints the figures and writes the table of files at the head of ``docs/architecture.rst``; `test_figures` compares both
with a run. Functions that Python 3.12 and later write into their callers are counted as they are.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import FrameType

from ball_and_spring import symbolic

import sympact
from sympact import models

SOURCE = Path(sympact.__file__).parent
PREFIX = str(SOURCE / "_").removesuffix("_")
PAGE = SOURCE.parent.parent / "docs" / "architecture.rst"
BEGIN, END = ".. one run, written by tests/entered.py\n", ".. end of one run\n"
LATER = 5
"""Identical runs after the second one, of which the one that enters least counts: a run that the system interrupts goes
on in further slices of the loop."""

Entered = dict[str, dict[str, int]]
Order = list[tuple[str, str]]


@cache
def entered() -> tuple[Entered, Order]:
    """The figures of first and third runs, and the files that the third run of the cube enters, each with the function
    that is entered first there; in the order of the run."""
    for run in runs().values():
        run()  # so that machine code is on disk
    done = subprocess.run(
        [sys.executable, __file__, "--count"], capture_output=True, text=True, check=False, cwd=Path(__file__).parent
    )
    assert done.returncode == 0, done.stderr
    figures, order = json.loads(done.stdout)
    return figures, [(file, function) for file, function in order]


def rows(order: Order) -> str:
    """The table of the page."""
    lines = [".. list-table::", "   :header-rows: 1", "   :widths: 34 28 38", ""]
    lines += ["   * - file", "     - enters at", "     - its subject"]
    for file, function in order:
        lines += [f"   * - ``{file}``", f"     - ``{function}``", f"     - {_subject(file)}"]
    return "\n".join(lines) + "\n"


def of_page() -> str:
    """The table that the page has."""
    text = PAGE.read_text(encoding="utf-8")
    return text.split(BEGIN)[1].split(END)[0].strip("\n") + "\n"


def write() -> None:
    """Write the table into the page."""
    text = PAGE.read_text(encoding="utf-8")
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    PAGE.write_text(f"{before}{BEGIN}\n{rows(entered()[1])}\n{END}{after}", encoding="utf-8")


def _subject(file: str) -> str:
    """The first sentence of a file's docstring."""
    text = ast.get_docstring(ast.parse((SOURCE / file).read_text(encoding="utf-8"))) or ""
    paragraph = " ".join(text.split("\n\n")[0].split())
    return paragraph.replace("`", "``").replace("````", "``").rstrip(".:")


class Count:
    """The functions that a call enters, in their order."""

    def __init__(self) -> None:
        self.order: dict[tuple[str, str, int], None] = {}
        self.moves, self._last = 0, ""

    def of(self, call: Callable[[], object]) -> Count:
        """Count those of a call."""
        sys.setprofile(self._hook)
        try:
            call()
        finally:
            sys.setprofile(None)
        return self

    def _hook(self, frame: FrameType, event: str, argument: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(PREFIX):
            self.order.setdefault((code.co_filename, code.co_qualname, code.co_firstlineno))
            self.moves += self._last not in ("", code.co_filename)
            self._last = code.co_filename

    @property
    def figures(self) -> dict[str, int]:
        """The numbers."""
        files = {file for file, *_ in self.order}
        return {"functions": len(self.order), "files": len(files), "moves": self.moves}

    @property
    def files(self) -> Order:
        """Each file with the function that is entered first."""
        first: dict[str, str] = {}
        for file, function, _ in self.order:
            first.setdefault(Path(file).relative_to(SOURCE).as_posix(), function.replace(".<locals>", ""))
        return list(first.items())


def runs() -> dict[str, Callable[[], object]]:
    """The tumbling cube, and the ball between a ceiling and a spring as expressions."""
    cube, (ball, numbers) = models.tumbling_cube(), symbolic()
    return {
        "cube": cube.simulate,
        "process": lambda: ball.simulate((0.0, 20.0), [0.0, 100.0], numbers, start="free"),
    }


def count() -> None:
    """Print the figures as JSON."""
    figures, order = {}, []
    for name, run in runs().items():
        first = Count().of(run)
        run()
        third = min((Count().of(run) for _ in range(LATER)), key=lambda one: len(one.order))
        figures |= {f"first run of the {name}": first.figures, f"third run of the {name}": third.figures}
        order = order or third.files
    print(json.dumps([figures, order]))


if __name__ == "__main__":
    if "--count" in sys.argv:
        count()
    else:
        for name, numbers in entered()[0].items():
            print(f"{name:28s}", *(f"{key} {number:5d}" for key, number in numbers.items()))
        write()
