"""Imports run one way: a room of `sympact` imports only rooms below it, and only the packages its purpose needs."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

import sympact

SOURCE = Path(sympact.__file__).parent
ROOMS = ("native", "graph", "integrate", "contact", "hybrid", "mechanics", "models", "analysis", "show")
"""From the bottom to the top; the files beside them, `__init__.py` and `__main__.py`, stand above all."""

PACKAGES = {
    "native": {"llvmlite", "platformdirs"},
    "graph": {"numpy", "sympy"},
    "integrate": {"numpy"},
    "contact": {"numpy"},
    "hybrid": {"numpy"},
    "mechanics": {"numpy", "sympy"},
    "models": {"sympy"},
    "analysis": {"numpy", "scipy"},
    "show": {"PIL", "matplotlib", "numpy"},
}
"""What a room may import when it is imported itself."""

ON_DEMAND = {
    "hybrid/expressions.py": {"sympy"},
    "hybrid/summary.py": {"sympy"},
    "integrate/_pointer_numba.py": {"llvmlite", "numba"},
    "mechanics/chart.py": {"networkx"},
    "integrate/compilation.py": {"tqdm"},
    "integrate/progress.py": {"tqdm"},
    "show/bodies.py": {"scipy", "sympy"},
    "show/play_page.py": {"bokeh", "tornado"},
    "show/shapes.py": {"sympy"},
    "show/touching.py": {"sympy"},
}
"""Files that are imported only when what they are for is asked for, and what they may import in addition."""

WHEN_CALLED = {
    ("__main__.py", "sympact.models"): "the list of demos is printed at once",
    ("__main__.py", "sympact.show.play"): "only `play` needs it",
    ("__main__.py", "sympact.contact.data"): "only `compile` needs it",
    ("__main__.py", "sympact.integrate.simulate"): "only `compile` needs it",
    ("__main__.py", "sympact.hybrid.table"): "only `compile` needs it",
    ("__main__.py", "sympact.integrate.compilation"): "only `compile` needs it",
    ("contact/infeasibility.py", "scipy.optimize"): "only an impact without a solution needs it",
    ("hybrid/system.py", "networkx"): "only `HybridSystem.graph` needs it",
    ("hybrid/system.py", "sympact.hybrid.expressions"): "plain functions run without SymPy",
    ("hybrid/system.py", "sympact.show"): "a process draws itself, and only on request",
    ("integrate/mode_graph.py", "networkx"): "only `Result.modes` needs it",
    ("integrate/restored.py", "sympact.graph"): "only a file that holds the formulas of a model needs it",
    ("integrate/result.py", "sympact.show"): "a run draws itself, and only on request",
    ("integrate/result.py", "sympact.show.animation"): "a run of a mechanical model moves, and only on request",
    ("integrate/scipy_stepper.py", "scipy.integrate"): "only its own steppers need it",
    ("integrate/compilation.py", "tqdm"): "only the first run on a machine needs it",
    ("integrate/simulate.py", "sympact.integrate.progress"): "only who wants to see how far a run is needs tqdm",
    ("integrate/tables.py", "pandas"): "an extra, for those who want a DataFrame",
    ("integrate/tables.py", "xarray"): "an extra, for those who want a Dataset",
    ("integrate/tableau.py", "scipy.integrate"): "its coefficients are read once, when the steppers are compiled",
    ("integrate/unit.py", "sympact.integrate.memory"): "only interpreted kernels are looked after",
    ("integrate/unit.py", "numba"): "only compiling needs it; afterwards the machine code is loaded without it",
    ("mechanics/bound.py", "sympact.mechanics.compiled"): "a compiled model with inputs holds a model",
    ("mechanics/data.py", "scipy.interpolate"): "only cubic data need it",
    ("mechanics/model.py", "sympact.mechanics.chart"): "only `HybridModel.draw` needs it",
    ("mechanics/model.py", "sympact.show"): "a model draws itself, and only on request",
    ("mechanics/model.py", "sympact.mechanics.compiled"): "formulas are shown without compiling",
    ("mechanics/model.py", "sympact.mechanics.simulation"): "formulas are shown without compiling",
    ("models/ready.py", "sympact.show"): "shapes are made only for those who look",
    ("show/play.py", "sympact.show.play_page"): "Bokeh is an extra, for the page to play with",
}
"""Imports inside functions: each has a reason."""


@dataclass(frozen=True)
class Import:
    """One import: the file that makes it, the module it names, and when it is carried out."""

    file: str
    module: str
    when: str

    @property
    def room(self) -> str:
        """The room that imports; a file beside the rooms has none."""
        return self.file.split("/")[0] if "/" in self.file else ""

    @property
    def imported_room(self) -> str | None:
        """The room of sympact that is imported, if it is one."""
        parts = self.module.split(".")
        return parts[1] if parts[0] == "sympact" and len(parts) > 1 and parts[1] in ROOMS else None

    @property
    def package(self) -> str:
        """The package that is imported."""
        return self.module.split(".")[0]


class Collector(ast.NodeVisitor):
    """Collects the imports of one file, told apart by when they are carried out: import, call or typing."""

    def __init__(self, file: str):
        self.file, self.when, self.found = file, "import", []

    def visit_Import(self, node: ast.Import) -> None:
        self.found += [Import(self.file, alias.name, self.when) for alias in node.names]

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        assert node.level == 0, f"{self.file}:{node.lineno}: relative import; name the room instead"
        if node.module == "sympact":
            self.found += [Import(self.file, f"sympact.{alias.name}", self.when) for alias in node.names]
        else:
            self.found.append(Import(self.file, node.module, self.when))

    def visit_If(self, node: ast.If) -> None:
        only_typing = isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        self._inside(node, "typing" if only_typing else self.when)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._inside(node, "call")

    def _inside(self, node: ast.AST, when: str) -> None:
        outer, self.when = self.when, when
        self.generic_visit(node)
        self.when = outer


def all_imports() -> list[Import]:
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        collector = Collector(path.relative_to(SOURCE).as_posix())
        collector.visit(ast.parse(path.read_text(encoding="utf-8")))
        found += collector.found
    return [one for one in found if one.package not in sys.stdlib_module_names]


IMPORTS = all_imports()


def test_every_folder_is_a_room():
    folders = {path.parent.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("*.py")} - {"."}
    assert folders <= set(ROOMS)


def test_rooms_import_only_rooms_below():
    upward = [
        one
        for one in IMPORTS
        if one.room and one.imported_room and ROOMS.index(one.imported_room) > ROOMS.index(one.room)
        if one.when == "import"
    ]
    assert upward == []


def test_imports_inside_functions_are_the_ones_with_a_reason():
    assert {(one.file, one.module) for one in IMPORTS if one.when == "call"} == set(WHEN_CALLED)


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_import_only_the_packages_of_their_purpose(room):
    allowed = PACKAGES[room] | {"sympact"}
    surplus = [
        one
        for one in IMPORTS
        if one.room == room and one.when == "import" and one.package not in allowed | ON_DEMAND.get(one.file, set())
    ]
    assert surplus == []


def loaded_after(statement: str) -> set[str]:
    """The top-level packages that a fresh process has loaded after a statement."""
    program = f"import sys; {statement}; print(*{{name.partition('.')[0] for name in sys.modules}})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


@pytest.mark.parametrize(
    ("statement", "absent"),
    [
        ("import sympact", {"numpy", "numba", "llvmlite", "sympy", "networkx", "matplotlib"}),
        ("from sympact import HybridSystem, Transition, Result, Status", {"sympy", "matplotlib"}),
        ("import sympact.integrate.simulate, sympact.contact, sympact.hybrid", {"sympy", "numba", "scipy"}),
        ("from sympact import Contact, HybridModel, Plane, Newton, Simultaneous", {"numba", "matplotlib"}),
    ],
)
def test_what_an_import_does_not_load(statement, absent):
    assert loaded_after(statement).isdisjoint(absent)


@pytest.mark.skipif(os.environ.get("SYMPACT_CACHE_DIR") == "off", reason="without a cache every process compiles")
def test_a_plain_process_runs_without_sympy_and_once_compiled_without_numba():
    run = (
        "from sympact import HybridSystem, Transition; "
        "fall = lambda t, x: [x[1], -10.0]; "
        "bounce = Transition('up', 'up', boundary=lambda t, x: -x[0], jump=lambda t, x: [0.0, -0.5 * x[1]]); "
        "assert len(HybridSystem({'up': fall}, [bounce]).simulate((0, 1.5), [5.0, 0.0], start='up').events) == 1"
    )
    assert "sympy" not in loaded_after(run)
    assert loaded_after(run).isdisjoint({"sympy", "numba", "matplotlib"})
