"""What a run enters: the functions and files of sympact, counted in a fresh process, and the page that shows them.

    python tests/entered.py

prints the figures and writes the tables of files at the head of ``docs/architecture.rst``: those of a third run of the
cube, the kernels that its first impact enters, run as Python, and what reading the impulse enters. `test_figures`
compares all with a run. Functions that Python 3.12 and later write into their callers are counted as they are.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

from ball_and_spring import symbolic

import sympact
from sympact import models

SOURCE = Path(sympact.__file__).parent
PREFIX = str(SOURCE / "_").removesuffix("_")
PAGE = SOURCE.parent.parent / "docs" / "architecture.rst"
TABLES = ("one run", "its kernels", "its impulse")
"""The names of the tables in the page."""

FIRST_IMPACT = 1.38
"""A time after it (s)."""

LATER = 5
"""Identical runs after the second one, of which the one that enters least counts: a run that the system interrupts goes
on in further slices of the loop."""

Entered = dict[str, dict[str, int]]
Order = list[tuple[str, str]]
Orders = dict[str, Order]


@cache
def entered() -> tuple[Entered, Orders]:
    """The figures of first and third runs; and for each table of the page its files, each with the function that is
    entered first there, in the order of the run."""
    for run in runs().values():
        run()  # so that machine code is on disk
    figures, orders = _counted("--count")
    kernels = _counted("--kernels", NUMBA_DISABLE_JIT="1")
    return figures, orders | kernels


def _counted(what: str, **environment: str) -> Any:
    """What a process of its own has counted."""
    command = [sys.executable, __file__, what]
    own = {**os.environ, **environment}
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parent, env=own)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def rows(order: Order) -> str:
    """A table of the page."""
    lines = [".. list-table::", "   :header-rows: 1", "   :widths: 34 28 38", ""]
    lines += ["   * - file", "     - enters at", "     - its subject"]
    for file, function in order:
        lines += [f"   * - ``{file}``", f"     - ``{function}``", f"     - {_subject(file)}"]
    return "\n".join(lines) + "\n"


def marks(table: str) -> tuple[str, str]:
    """The lines of the page before and after a table."""
    return f".. {table}, written by tests/entered.py\n", f".. end of {table}\n"


def of_page(table: str) -> str:
    """A table as the page has it."""
    begin, end = marks(table)
    return PAGE.read_text(encoding="utf-8").split(begin)[1].split(end)[0].strip("\n") + "\n"


def write() -> None:
    """Write the tables into the page."""
    text = PAGE.read_text(encoding="utf-8")
    for table, order in entered()[1].items():
        begin, end = marks(table)
        before, after = text.split(begin)[0], text.split(end)[1]
        text = f"{before}{begin}\n{rows(order)}\n{end}{after}"
    PAGE.write_text(text, encoding="utf-8")


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
        """Each file with the function that is entered first; a file that is imported is not entered by that."""
        first: dict[str, str] = {}
        for file, function, _ in self.order:
            if function == "<module>":
                continue
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
    """Print the figures, and the files of a third run and of a look at its first impulse, as JSON."""
    figures, orders = {}, {}
    for name, run in runs().items():
        first = Count().of(run)
        run()
        third = min((Count().of(run) for _ in range(LATER)), key=lambda one: len(one.order))
        figures |= {f"first run of the {name}": first.figures, f"third run of the {name}": third.figures}
        orders = orders or {"one run": third.files}
    result = runs()["cube"]()
    orders["its impulse"] = Count().of(lambda: result.events[0].impulse).files
    print(json.dumps([figures, orders]))


def kernels() -> None:
    """Print the files of kernels that the cube enters up to its first impact, as JSON."""
    cube = models.tumbling_cube()

    def run(end: float) -> object:
        return cube.model.simulate((0.0, end), cube.start, cube.parameters)

    run(1e-3)
    files = Count().of(lambda: run(FIRST_IMPACT)).files
    print(json.dumps({"its kernels": [(file, first) for file, first in files if file.endswith("_kernel.py")]}))


if __name__ == "__main__":
    if "--count" in sys.argv:
        count()
    elif "--kernels" in sys.argv:
        kernels()
    else:
        for name, numbers in entered()[0].items():
            print(f"{name:28s}", *(f"{key} {number:5d}" for key, number in numbers.items()))
        write()
