"""Imports run one way: a room of `sympact` imports only rooms below it, and only the packages its purpose needs.

Imports in functions and in annotations count as well. Pictures, tables and other functions that stand above those who
ask for them are registered by the root, see `sympact.on_request`.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import sympact

SOURCE = Path(sympact.__file__).parent
ROOMS = ("native", "graph", "integrate", "contact", "hybrid", "mechanics", "models", "analysis", "show")
"""From the bottom to the top; the files beside them, `__init__.py` and `__main__.py`, stand above all, and those of
`GROUND` below."""

GROUND = ("moved.py", "on_request.py", "version.py")
"""Files beside the rooms that all of them may import, and that import nothing of them."""

FLOORS = {
    "native": (
        "sentences",
        "system",
        "cached",
        "processor",
        "shipped",
        "cache",
        "object_code",
        "debugging",
        "addresses",
        "kernel",
        "pointer",
        "memory",
        "lowering",
    ),
    "graph": ("nodes", "algebra", "bounds", "code", "notation"),
    "integrate": (
        "present",
        "memory",
        "problem",
        "steppers",
        "search",
        "charts",
        "trajectory",
        "history",
        "measure",
        "export",
        "consecutive",
        "loop",
        "session",
        "batch",
    ),
    "contact": ("memory", "linalg", "constraints", "lcp", "cone", "problem", "routh", "laws", "modes", "event"),
    "hybrid": (
        "flows",
        "transition",
        "function_events",
        "validation",
        "stages_alike",
        "rehearsal",
        "edges",
        "plain_functions",
        "guard_proofs",
        "symbolic",
    ),
    "mechanics": (
        "kit",
        "nearest",
        "shapes",
        "read",
        "derive",
        "derived",
        "joints",
        "present",
        "start",
        "inputs",
        "run",
        "islands",
        "simulate",
        "batch",
        "linear",
    ),
    "models": ("ready", "planar", "balls", "blocks", "linkages"),
    "analysis": (
        "intervals",
        "faces",
        "draws",
        "subjects",
        "run_subject",
        "run_rows",
        "scheduling",
        "store",
        "ensemble_events",
        "ensemble_quantities",
        "ensemble_progress",
        "ensemble_sheet",
        "ensemble_result",
        "ensemble_tables",
        "scheduled_runs",
        "ensembles",
        "sweeps",
    ),
    "show": ("kit", "animation", "plots", "snapshots", "graphs", "report", "play"),
}
"""The folders of a room, and files on a floor of their own, from the bottom to the top; its other files stand above."""

LARGEST_FOLDER = 18
"""Files that one folder may hold: what fits on a page."""

PACKAGES = {
    "native": {"llvmlite", "numpy", "platformdirs"},
    "graph": {"numpy", "sympy"},
    "integrate": {"numpy"},
    "contact": {"numpy"},
    "hybrid": {"numpy"},
    "mechanics": {"numpy", "sympy"},
    "models": {"sympy"},
    "analysis": {"numpy"},
    "show": {"PIL", "matplotlib", "numpy"},
}
"""What a room may import when it is imported itself."""

ON_DEMAND = {
    "hybrid/products.py": {"sympy"},
    "hybrid/symbolic/condition_reader.py": {"sympy"},
    "hybrid/symbolic/definition.py": {"sympy"},
    "hybrid/symbolic/expressions.py": {"sympy"},
    "hybrid/symbolic/facts.py": {"sympy"},
    "hybrid/symbolic/functions.py": {"sympy"},
    "hybrid/symbolic/named.py": {"sympy"},
    "hybrid/symbolic/process_summary.py": {"sympy"},
    "hybrid/symbolic/process_symbols.py": {"sympy"},
    "hybrid/symbolic/reading.py": {"sympy"},
    "hybrid/symbolic/sliding.py": {"sympy"},
    "hybrid/symbolic/stage_builder.py": {"sympy"},
    "native/lowering/_kernels_numba.py": {"numba"},
    "native/lowering/_memory_numba.py": {"llvmlite", "numba"},
    "native/lowering/_pointer_numba.py": {"llvmlite", "numba"},
    "mechanics/present/contact_chart.py": {"networkx"},
    "analysis/ensemble_progress.py": {"tqdm"},
    "native/compilation.py": {"tqdm"},
    "integrate/loop/progress.py": {"tqdm"},
    "show/animation/film.py": {"tqdm"},
    "mechanics/simulate/environment.py": {"gymnasium"},
    "show/animation/bodies.py": {"scipy", "sympy"},
    "show/animation/elements.py": {"sympy"},
    "show/snapshots/exposure.py": {"scipy"},
    "show/play/play_page.py": {"bokeh", "tornado"},
    "show/animation/shapes.py": {"sympy"},
    "show/animation/primitives.py": {"sympy"},
    "show/animation/looks.py": {"sympy"},
}
"""Files that are imported only when what they are for is asked for, and what they may import in addition."""

WHEN_CALLED = {
    ("__init__.py", "sympact.native.renamed"): "only an old name needs it",
    ("__init__.py", "sympact.native.sentences.refused_calls"): "only an unknown name needs it",
    ("__main__.py", "sympact.models"): "the list of demos is printed at once",
    ("__main__.py", "sympact.show.play.player"): "only `play` needs it",
    ("__main__.py", "sympact.show.animation.formats"): "only who asks for an animation needs its formats",
    ("__main__.py", "sympact.mechanics.every_unit"): "only `compile` needs it",
    ("__main__.py", "sympact.native.compilation"): "only `compile` needs it",
    ("analysis/draws.py", "scipy.stats.qmc"): "only quasi-random points need it, and it is slow to import",
    ("analysis/scheduling/chunk_executors.py", "cloudpickle"): "a cluster of Dask has it, for functions of notebooks",
    ("analysis/store/store_arrays.py", "zarr"): "an extra, for ensembles on disk",
    ("analysis/ensembles.py", "sympact.analysis.ensemble_progress"): "only who wants to see the progress needs tqdm",
    ("analysis/faces.py", "scipy.special"): "only a test of equal probabilities needs it",
    ("analysis/fits.py", "scipy.optimize"): "only a search needs it",
    ("analysis/fits.py", "scipy.special"): "only a confidence region needs it",
    ("analysis/intervals.py", "scipy.special"): "only intervals need it",
    ("analysis/intervals.py", "scipy.stats"): "only the bootstrap needs it, and it is slow to import",
    ("contact/infeasibility.py", "scipy.optimize"): "only an impact without a solution needs it",
    ("hybrid/system.py", "networkx"): "only `HybridSystem.graph` needs it",
    ("hybrid/system.py", "sympact.hybrid.symbolic.expressions"): "plain functions run without SymPy",
    ("hybrid/system.py", "sympact.hybrid.symbolic.named"): "plain functions run without SymPy",
    ("integrate/history/mode_graph.py", "networkx"): "only `Result.modes` needs it",
    ("integrate/export/file_evaluator.py", "sympact.graph"): "only a file that holds the formulas of a model needs it",
    ("integrate/steppers/scipy_stepper.py", "scipy.integrate"): "only its own steppers need it",
    ("native/compilation.py", "tqdm"): "only the first run on a machine needs it",
    (
        "integrate/loop/prepared_run.py",
        "sympact.integrate.loop.progress",
    ): "only who wants to see how far a run is needs tqdm",
    ("integrate/export/tables.py", "pandas"): "an extra, for those who want a DataFrame",
    ("integrate/export/tables.py", "xarray"): "an extra, for those who want a Dataset",
    (
        "integrate/steppers/tableau.py",
        "scipy.integrate",
    ): "read once, when the steppers are compiled",
    ("native/sentences/stripped_units.py", "sympy.physics"): "only a quantity of it needs it, which has loaded it",
    ("native/lowering/unit_ir.py", "sympact.native.lowering._kernels_numba"): "it imports numba",
    ("native/lowering/unit_ir.py", "numba"): "an installation without it says how to get it",
    ("mechanics/linear/linearization.py", "scipy.signal"): "only an export to SciPy needs it",
    ("mechanics/read/input_data.py", "scipy.interpolate"): "only cubic data need it",
    ("mechanics/model.py", "sympact.mechanics.present.contact_chart"): "only `HybridModel.draw` needs it",
    ("mechanics/model.py", "sympact.mechanics.islands.islands"): "formulas are shown without compiling",
    ("mechanics/model.py", "sympact.mechanics.simulate.simulate_model"): "formulas are shown without compiling",
    ("mechanics/model.py", "sympact.mechanics.simulate.model_stepper"): "formulas are shown without compiling",
    ("mechanics/model.py", "sympact.mechanics.simulate.turned_model"): "formulas are shown without compiling",
    ("show/play/player.py", "sympact.show.play.play_page"): "Bokeh is an extra, for the page to play with",
}
"""Imports inside functions: each has a reason."""


def file_of(module: str) -> str | None:
    """The file below the source that a module of sympact is, None where the name is that of something in it."""
    package, *names = module.split(".")
    if package != "sympact":
        return None
    path = SOURCE.joinpath(*names)
    found = path.with_suffix(".py") if path.with_suffix(".py").exists() else path / "__init__.py"
    return found.relative_to(SOURCE).as_posix() if found.exists() else None


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
            modules = {f"{node.module}.{alias.name}" for alias in node.names if file_of(f"{node.module}.{alias.name}")}
            self.found += [Import(self.file, module, self.when) for module in sorted(modules) or [node.module]]

    def visit_If(self, node: ast.If) -> None:
        only_typing = isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        self._inside(node, "typing" if only_typing else self.when)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._inside(node, "call")

    def _inside(self, node: ast.AST, when: str) -> None:
        outer, self.when = self.when, when
        self.generic_visit(node)
        self.when = outer


@cache
def all_imports() -> list[Import]:
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        collector = Collector(path.relative_to(SOURCE).as_posix())
        collector.visit(ast.parse(path.read_text(encoding="utf-8")))
        found += collector.found
    return [one for one in found if one.package not in sys.stdlib_module_names]


def floor(file: str) -> int:
    """The floor of a file within its room, counted from the bottom."""
    room, *rest = file.split("/")
    floors = FLOORS.get(room, ())
    name = rest[0].removesuffix(".py") if rest else ""
    return floors.index(name) if name in floors else len(floors)


FILES = sorted(path.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("*.py"))


def test_every_folder_is_a_room_or_a_floor_of_one():
    folders = {str(Path(file).parent) for file in FILES} - {"."}
    named = set(ROOMS) | {f"{room}/{name}" for room, names in FLOORS.items() for name in names}
    assert folders <= named


def test_every_floor_is_a_folder_or_a_file():
    for room, names in FLOORS.items():
        for name in names:
            assert (SOURCE / room / name).is_dir() or (SOURCE / room / f"{name}.py").exists(), f"{room}/{name}"


def test_no_folder_is_larger_than_a_page():
    sizes = Counter(str(Path(file).parent) for file in FILES)
    assert {folder: size for folder, size in sizes.items() if size > LARGEST_FOLDER} == {}


def test_no_file_name_stands_twice():
    names = Counter(Path(file).stem for file in FILES if not file.endswith("__init__.py"))
    assert [name for name, count in names.items() if count > 1] == []


def upward_to_rooms() -> list[Import]:
    """The imports of a room above."""
    return [
        one
        for one in all_imports()
        if one.room and one.imported_room and ROOMS.index(one.imported_room) > ROOMS.index(one.room)
    ]


def upward_to_floors() -> list[tuple[str, str]]:
    """The imports of a floor above in the same room."""
    return [
        (one.file, one.module)
        for one in all_imports()
        if one.room and one.imported_room == one.room and not one.file.endswith("__init__.py")
        if floor(file_of(one.module) or "") > floor(one.file)
    ]


def imported_files() -> dict[str, set[str]]:
    """For each file those that it imports: as it is imported, when it is called, or in annotations alone."""
    below: dict[str, set[str]] = {file: set() for file in FILES}
    for one in all_imports():
        other = file_of(one.module)
        if other and other != one.file:
            below[one.file].add(other)
    return below


def test_rooms_import_only_rooms_below():
    assert upward_to_rooms() == []


def test_what_all_rooms_may_import_imports_none_of_them():
    assert [one for one in all_imports() if one.file in GROUND and one.package == "sympact"] == []


def test_floors_of_a_room_import_only_floors_below():
    assert upward_to_floors() == []


def test_files_import_each_other_in_no_circle():
    """Whenever they do: as they are imported, when they are called, or in annotations alone."""
    order = TopologicalSorter(imported_files())
    assert sorted(order.static_order()) == FILES, "a circle is a CycleError that names its files"


def test_imports_inside_functions_are_the_ones_with_a_reason():
    assert {(one.file, one.module) for one in all_imports() if one.when == "call"} == set(WHEN_CALLED)


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_import_only_the_packages_of_their_purpose(room):
    allowed = PACKAGES[room] | {"sympact"}
    surplus = [
        one
        for one in all_imports()
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
        ("import sympact.integrate.session.session, sympact.contact, sympact.hybrid", {"sympy", "numba", "scipy"}),
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
