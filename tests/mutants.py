"""What the tests notice of the thresholds and conditions of the kernels.

    python tests/mutants.py [--only TEXT] [--jobs N] [--named] [--record] [--seconds S] [--list] [--folder FOLDER]

Each mutant is the package with one change: a tolerance (`tolerances_page.tolerances`) a hundred times larger or
smaller, a condition in ``contact/modes`` negated, or one of its comparisons strict where it was not. Kernels run as
Python. A tolerance meets the test that its entry names, in a child of this process, which takes a second; ``--named``
stops there. Other mutants, and those that the named test does not notice, meet others: a first run of the quick tests
(``--record``, kept in the folder) tells which of them reach which line and how long they take; a mutant then meets
those that reach its lines, quickest first, for as long as ``--seconds``. Mutants that no test notices are listed at the
end.
"""

from __future__ import annotations

import ast
import json
import os
import shutil
import signal
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.machinery import SourceFileLoader
from pathlib import Path
from queue import SimpleQueue
from types import CodeType

import pytest
import tolerances_page

ROOT = Path(__file__).parent.parent
CONDITIONS = "src/sympact/contact/modes"
"""The folder whose conditions are changed."""

TESTS = (
    *(f"tests/contact/test_contact_{name}.py" for name in ("rank", "lcp", "closed", "closed_forms", "transition")),
    *(f"tests/contact/test_contact_{name}.py" for name in ("code", "participants", "friction", "audit")),
    *(f"tests/contact/test_{name}.py" for name in ("rest_closed_forms", "time_stepping")),
    *(f"tests/contact/friction/test_friction_{name}.py" for name in ("balls", "closed_forms", "onset", "painleve")),
    *(f"tests/contact/impacts/test_impact_{name}.py" for name in ("laws", "models", "resolutions", "jams", "speed")),
    *(f"tests/integrate/test_integrate_{name}.py" for name in ("interpreted", "endings", "first_step", "starts")),
    *("tests/house/test_tolerances.py", "tests/hybrid/test_hybrid_accumulation.py"),
    *("tests/hybrid/test_hybrid_guards.py", "tests/mechanics/test_switches.py", "tests/graph/test_graph_enclosure.py"),
)
"""What the quick tests are taken from: those that end within `PATIENCE`."""

PATIENCE = 3
"""Seconds that a quick test may take where kernels run as Python and lines are recorded."""

_SWAPPED = {ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">"}


@dataclass(frozen=True)
class Mutant:
    """One change: its name, the file that changes, its text afterwards, the lines that it acts in, named tests."""

    name: str
    file: str
    text: str
    lines: tuple[tuple[str, int, int], ...]
    tests: tuple[str, ...] = ()


class TooLongError(Exception):
    """A test takes longer than it may."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """As a plugin: no test takes longer than SECONDS_A_TEST; without it, tests take what they take."""

    def stop(*_: object) -> None:
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            raise TooLongError(f"longer than {seconds} s")
        signal.raise_signal(signal.SIGINT)  # a run ends itself, and leaves no lock behind

    seconds = int(os.environ.get("SECONDS_A_TEST", "0"))
    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds, seconds)
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """As a plugin: a line in TIMES for each test that passes in time."""
    quick = report.when == "call" and report.passed and report.duration < int(os.environ.get("SECONDS_A_TEST", "0"))
    if quick and "TIMES" in os.environ:
        with open(os.environ["TIMES"], "a", encoding="utf-8") as file:
            file.write(json.dumps([report.nodeid, report.duration]) + "\n")


def mutants() -> list[Mutant]:
    """All mutants, those of the tolerances first."""
    kernels = sorted((ROOT / CONDITIONS).glob("*_kernel.py"))
    return [*_of_tolerances(), *(one for file in kernels for one in _of_conditions(file))]


def _of_tolerances() -> Iterator[Mutant]:
    known = tolerances_page.tolerances()
    users = _users({one.name for one in known})
    for one in known:
        file = ROOT / "src" / "sympact" / one.file
        source = file.read_text(encoding="utf-8")
        tree = ast.parse(source)
        node = next(node for node in tree.body if isinstance(node, ast.Assign) and node.lineno == one.line)
        for factor in ("100.0", "0.01"):
            text = _replaced(source, node.value, _scaled(node.value, factor))
            yield Mutant(f"{one.name} x {factor}", _relative(file), text, tuple(users[one.name]), one.tests)


def _users(names: set[str]) -> dict[str, set[tuple[str, int, int]]]:
    """The statements that read each name; of a default the whole function, of a module's constant the whole module."""
    found: dict[str, set[tuple[str, int, int]]] = {name: set() for name in names}
    for path in sorted((ROOT / "src").rglob("*.py")):
        file = _relative(path)
        for top in ast.parse(path.read_text(encoding="utf-8")).body:
            everywhere = isinstance(top, ast.Assign)
            for statement in (node for node in ast.walk(top) if isinstance(node, ast.stmt)):
                where = (file, 1, 10**6) if everywhere else (file, statement.lineno, statement.end_lineno or 0)
                for name in _read(statement) & names:
                    found[name].add(where)
    return found


def _read(statement: ast.stmt) -> set[str]:
    """The names that a statement reads itself, without the statements in it."""
    own = [child for child in ast.iter_child_nodes(statement) if not isinstance(child, ast.stmt)]
    return {node.id for child in own for node in ast.walk(child) if isinstance(node, ast.Name)}


def _scaled(value: ast.expr, factor: str) -> str:
    """A number times a factor; of 1 - x it is x that is scaled."""
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Sub):
        return f"{ast.unparse(value.left)} - {factor} * ({ast.unparse(value.right)})"
    return f"{factor} * ({ast.unparse(value)})"


def _of_conditions(file: Path) -> Iterator[Mutant]:
    source = file.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.If | ast.While | ast.IfExp):
            changed = _replaced(source, node.test, f"not ({ast.unparse(node.test)})")
            yield _condition(file, changed, node.test, "negated")
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _SWAPPED:
            swapped = _SWAPPED[type(node.ops[0])]
            changed = f"({ast.unparse(node.left)} {swapped} {ast.unparse(node.comparators[0])})"
            yield _condition(file, _replaced(source, node, changed), node, swapped)


def _condition(file: Path, text: str, node: ast.expr, change: str) -> Mutant:
    name = f"{file.name}:{node.lineno}:{node.col_offset} {change}: {ast.unparse(node)}"
    return Mutant(name, _relative(file), text, ((_relative(file), node.lineno, node.end_lineno or node.lineno),))


def _replaced(source: str, node: ast.expr, text: str) -> str:
    """A source with other text for one expression."""
    lines = source.encode().splitlines(keepends=True)
    before = b"".join(lines[: node.lineno - 1]) + lines[node.lineno - 1][: node.col_offset]
    after = lines[node.end_lineno - 1][node.end_col_offset :] + b"".join(lines[node.end_lineno :])
    return (before + text.encode() + after).decode()


def _relative(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


def run_tests(
    tree: Path, tests: Sequence[str], seconds: float, *options: str, **variables: str
) -> tuple[int | None, str]:
    """The exit code of pytest in a copy of the tree (None if it takes too long) and what it says."""
    path = os.pathsep.join(str(tree / name) for name in ("src", "tests"))
    known = {**os.environ, "PYTHONPATH": path, "NUMBA_DISABLE_JIT": "1", "PYTHONDONTWRITEBYTECODE": "1", **variables}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "mutants", *options, *tests]
    try:
        done = subprocess.run(
            command, cwd=tree, env=known, capture_output=True, text=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        return None, ""
    return done.returncode, done.stdout


def record(folder: Path, tree: Path) -> None:
    """Which quick tests reach which lines, and how long they take."""
    for name in ("times", "lines"):
        (folder / name).unlink(missing_ok=True)
    rc = folder / "coveragerc"
    rc.write_text("[run]\nsource = sympact\n", encoding="utf-8")
    coverage = ("--cov", f"--cov-config={rc}", "--cov-context=test", "--cov-report=", "--cov-fail-under=0")
    kept = {"TIMES": str(folder / "times"), "COVERAGE_FILE": str(folder / "lines"), "SECONDS_A_TEST": str(PATIENCE)}
    tests = [name for name in TESTS if (tree / name).exists()]
    _, said = run_tests(tree, tests, 7200.0, "-m", "not as_machine_code and not slow", *coverage, **kept)
    failed = [line for line in said.splitlines() if line.startswith(("FAILED", "ERROR")) and "TooLong" not in line]
    print("left out, for they fail without a change:" if failed else "all quick tests pass", *failed, sep="\n")


class Reached:
    """Which tests reach a line, quickest first."""

    def __init__(self, folder: Path, tree: Path) -> None:
        from coverage import CoverageData

        self._data, self._tree = CoverageData(str(folder / "lines")), tree
        self._data.read()
        self._contexts: dict[str, dict[int, list[str]]] = {}
        with open(folder / "times", encoding="utf-8") as file:
            self._seconds = dict(map(json.loads, file))

    def tests(self, mutant: Mutant, seconds: float) -> list[str]:
        """Tests that reach the lines of a mutant, those that together take no longer than `seconds`."""
        names = {name for where in mutant.lines for name in self._at(*where)}
        chosen, total = [], 0.0
        for name in sorted(names & set(self._seconds), key=self._seconds.__getitem__):
            total += self._seconds[name]
            if total > seconds:
                break
            chosen.append(name)
        return chosen

    def _at(self, file: str, first: int, last: int) -> set[str]:
        if file not in self._contexts:
            self._contexts[file] = self._data.contexts_by_lineno(str(self._tree / file))
        contexts = self._contexts[file]
        return {name.split("|")[0] for line in contexts if first <= line <= last for name in contexts[line]}


def judge(mutant: Mutant, reached: Reached, trees: SimpleQueue[Path], seconds: float) -> str:
    """Which test notices a mutant, or why none does, in capitals."""
    tests = reached.tests(mutant, seconds)
    if not tests:
        return "NOT REACHED"
    tree = trees.get()
    file = tree / mutant.file
    original = file.read_text(encoding="utf-8")
    try:
        file.write_text(mutant.text, encoding="utf-8")
        code, said = run_tests(tree, tests, 3.0 * seconds + 60.0, "-x")
    finally:
        file.write_text(original, encoding="utf-8")
        trees.put(tree)
    if code is None:
        return "time"
    failed = [line.split()[1] for line in said.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return "NOT NOTICED" if code == 0 else (failed[0] if failed else f"pytest ended with {code}")


def noticed_by_name(mutant: Mutant) -> bool:
    """Whether a named test of a tolerance fails with it changed: in a child of this process, as Python."""
    child = os.fork()
    if child == 0:
        for stream in (1, 2):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
        signal.alarm(60)
        change(mutant)
        options = ("-q", "-x", "-p", "no:cacheprovider", "--rootdir", str(ROOT))
        os._exit(int(pytest.main([*options, *(str(ROOT / "tests" / test) for test in mutant.tests)])))
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == pytest.ExitCode.TESTS_FAILED


def change(mutant: Mutant) -> None:
    """Have the mutant imported in place of its file; nothing of the package may be loaded yet."""
    path, unchanged = str(ROOT / mutant.file), SourceFileLoader.get_code

    def get_code(loader: SourceFileLoader, name: str) -> CodeType | None:
        return compile(mutant.text, path, "exec") if loader.path == path else unchanged(loader, name)

    setattr(SourceFileLoader, "get_code", get_code)  # noqa: B010


def copy_of(tree: Path) -> Path:
    """A fresh copy of the sources and tests."""
    shutil.rmtree(tree, ignore_errors=True)
    for name in ("src", "tests"):
        shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tree)
    return tree


def main(options: Namespace) -> int:
    """Judge the chosen mutants; print what no test notices."""
    known = _of_tolerances() if options.named else mutants()
    chosen = [one for one in known if options.only in one.name or options.only in one.file]
    if options.list:
        print(*(one.name for one in chosen), f"{len(chosen)} mutants", sep="\n")
        return 0
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    left = []
    for one in chosen:
        if one.tests and noticed_by_name(one):
            print(f"{one.name}  {' or '.join(one.tests)}", flush=True)
        else:
            left.append(one)
    told = [(one, "NOT NOTICED" if one.tests else "NAMES NO TEST") for one in left]
    unnoticed = [f"{one.name}  {answer}" for one, answer in (told if options.named else reached_by(left, options))]
    print(f"\n{len(chosen)} mutants, {len(chosen) - len(unnoticed)} noticed; not noticed:")
    print(*unnoticed, sep="\n")
    return 0


def reached_by(chosen: Sequence[Mutant], options: Namespace) -> Iterator[tuple[Mutant, str]]:
    """Those mutants that the tests which reach their lines do not notice, and why; the others are printed."""
    folder = options.folder.resolve()
    first = copy_of(folder / "tree0")
    if options.record or not (folder / "times").exists():
        record(folder, first)
    trees: SimpleQueue[Path] = SimpleQueue()
    for tree in (first, *(copy_of(folder / f"tree{k}") for k in range(1, options.jobs))):
        trees.put(tree)
    reached = Reached(folder, first)
    with ThreadPoolExecutor(options.jobs) as pool:
        answers = pool.map(lambda one: judge(one, reached, trees, options.seconds), chosen)
        for one, answer in zip(chosen, answers, strict=True):
            print(f"{one.name}  {answer}", flush=True)
            if answer.isupper():
                yield one, answer


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="mutants whose name or file has this text")
    parser.add_argument("--jobs", type=int, default=1, help="how many run at a time")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long the tests of a mutant may take")
    parser.add_argument("--named", action="store_true", help="the tests that tolerances name, and no others")
    parser.add_argument("--record", action="store_true", help="find anew which tests reach which lines")
    parser.add_argument("--list", action="store_true", help="the mutants, without running any")
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "mutants", help="copies and records")
    raise SystemExit(main(parser.parse_args()))
