"""What a newcomer meets first: versions agree, the package says that it is typed, files that are named exist."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

import sympact
from sympact.native import pointer

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CHANGES = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
KINDS = ["Added", "Changed", "Fixed", "Removed"]


def versions() -> list[tuple[tuple[int, ...], str]]:
    """Numbers and dates of the change log, from the top."""
    found = re.findall(r"^## (\d+)\.(\d+)\.(\d+) \((\d{4}-\d\d-\d\d)\)$", CHANGES, flags=re.MULTILINE)
    return [(tuple(map(int, numbers)), date) for *numbers, date in found]


def test_the_newest_version_of_the_change_log_is_that_of_the_package():
    (newest, _), *_ = versions()
    assert ".".join(map(str, newest)) == sympact.__version__
    assert PROJECT["project"]["dynamic"] == ["version"]
    assert PROJECT["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "sympact.version.__version__"}


def test_versions_and_dates_fall_and_each_version_has_its_kinds_in_order():
    assert versions() == sorted(versions(), reverse=True)
    parts = re.split(r"^## ", CHANGES, flags=re.MULTILINE)[1:]
    assert len(parts) == len(versions())  # no headline of another form
    for part in parts:
        kinds = re.findall(r"^### (.*)$", part, flags=re.MULTILINE)
        assert kinds == [kind for kind in KINDS if kind in kinds]
        assert kinds


def test_the_package_says_that_it_is_typed_and_ships_the_marks_of_it():
    folder = files("sympact")
    assert (folder / "py.typed").is_file()
    assert (folder / "native" / "pointer.pyi").is_file()
    assert PROJECT["tool"]["setuptools"]["package-data"] == {"sympact": ["py.typed", "**/*.pyi", "objects/*/*.object"]}


def test_the_stub_of_pointers_has_their_functions_and_arguments():
    """Of both forms: what numba inlines takes one argument more, its typing context, first."""
    stub = ast.parse((files("sympact") / "native" / "pointer.pyi").read_text(encoding="utf-8"))
    written = {
        node.name: [arg.arg for arg in node.args.args] for node in stub.body if isinstance(node, ast.FunctionDef)
    }
    assert sorted(written) == sorted(pointer.__all__)
    for name, arguments in written.items():
        code = getattr(pointer, name).__code__
        assert list(code.co_varnames[: code.co_argcount]) == arguments


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "README.md"])
def test_files_that_a_page_links_to_exist(page):
    links = re.findall(r"\]\((?!https?:)([^)#]+)\)", (ROOT / page).read_text(encoding="utf-8"))
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/architecture.rst"])
def test_folders_and_files_of_the_package_that_a_page_names_exist(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    named = re.findall(r"`((?:show|models|mechanics|hybrid|contact|integrate|graph|native)/[\w./]*)`", text)
    assert named
    assert [name for name in named if not (ROOT / "src" / "sympact" / name).exists()] == []


def test_rooms_and_floors_of_the_picture_are_those_of_the_layers():
    """The picture stands from the top to the bottom, the list of the test from the bottom to the top."""
    layers = ast.parse((ROOT / "tests" / "house" / "test_layers.py").read_text(encoding="utf-8"))
    lists = {
        node.targets[0].id: ast.literal_eval(node.value)
        for node in layers.body
        if isinstance(node, ast.Assign) and node.targets[0].id in ("ROOMS", "FLOORS")
    }
    drawn = re.findall(r"^  ([a-z]+)/ .*$", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert tuple(reversed(drawn)) == lists["ROOMS"]
    for room, floors in lists["FLOORS"].items():
        line = re.search(rf"^  {room}/ .*$", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
        folders = [floor for floor in floors if (ROOT / "src" / "sympact" / room / floor).is_dir()]
        assert line.group().split()[-len(folders) :] == folders[::-1]


def test_commands_of_the_page_and_of_the_checks_are_targets():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE))
    for page in ("CONTRIBUTING.md", ".ci/run", "README.md"):
        for line in re.findall(r"make ((?:[a-z-]+ ?)+)", (ROOT / page).read_text(encoding="utf-8")):
            assert line.split()[0] in targets, f"{page}: make {line}"


def test_checks_fail_with_the_first_command_that_fails():
    """`.ci/run` runs the tests, and what stands beside them."""
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "set -eu" in script
    assert [line for line in script.splitlines() if line.startswith("make")] == [
        "make lint types",
        "make test",
        "make docs",
    ]


def test_floors_ask_for_the_lowest_sympy_and_for_the_newest():
    program = "import floors; print(floors.requirements('lowest')); print(floors.requirements('newest'))"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT / "tests", capture_output=True, text=True, check=True
    )
    lowest, newest = done.stdout.splitlines()
    assert "'sympy==1.13'" in lowest
    assert "'sympy'" in newest


def test_tests_that_coverage_runs_as_python_exist():
    """The list in the Makefile names files, and single tests of files that would take too long."""
    asked = subprocess.run(["make", "-n", "coverage"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    named = [word.split("::") for word in asked.split() if re.match(r"tests/.*\.py", word)]
    assert named
    for file, *test in named:
        assert all(f"def {name}(" in (ROOT / file).read_text(encoding="utf-8") for name in test), f"{file}: {test}"
