"""Figures of the house, which may only fall: what a run enters, circles of imports, classes for a run.

``figures.json`` has the present values: a change that lowers one writes the new value there. Lines, files and classes
of the whole package are printed alone.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import entered
import networkx
import pytest
from house.test_layers import FILES, SOURCE, imported_files, upward_to_floors, upward_to_rooms

from sympact.native.kernel import interpreted

VALUES = json.loads((Path(__file__).parent / "figures.json").read_text(encoding="utf-8"))
MACHINE_CODE = pytest.mark.skipif(
    interpreted() or os.environ.get("SYMPACT_CACHE_DIR") == "off", reason="counts what Python does beside machine code"
)


def compare(what: str, found: dict[str, int]) -> None:
    """Print figures beside their values, of which none may be exceeded."""
    for name, figure in found.items():
        print(f"{what}: {name} {figure} (value {VALUES[what][name]})")
    assert found.keys() == VALUES[what].keys()
    assert {name: figure for name, figure in found.items() if figure > VALUES[what][name]} == {}


@MACHINE_CODE
@pytest.mark.parametrize("which", ["first", "third"])
@pytest.mark.parametrize("what", ["cube", "process"])
def test_a_run_enters_no_more_than_it_did(which, what):
    run = f"{which} run of the {what}"
    compare(run, entered.entered()[0][run])


@MACHINE_CODE
@pytest.mark.parametrize("table", entered.TABLES)
def test_the_page_of_one_run_has_the_files_of_a_run(table):
    """``python tests/entered.py`` writes them."""
    assert entered.of_page(table) == entered.rows(entered.entered()[1][table])


@pytest.mark.slow
def test_no_circle_and_no_arrow_upward_appears():
    """In a quick run `test_layers` finds that there is neither, with the same imports."""
    graph = networkx.DiGraph((file, other) for file, others in imported_files().items() for other in others)
    circles = [circle for circle in networkx.strongly_connected_components(graph) if len(circle) > 1]
    upward = len(upward_to_rooms()) + len(upward_to_floors())
    compare("imports", {"files in circles": sum(map(len, circles)), "upward": upward})


def classes_of(file: str) -> list[str]:
    """The names of the classes in a file."""
    return re.findall(r"^\s*class (\w+)", (SOURCE / file).read_text(encoding="utf-8"), flags=re.MULTILINE)


@pytest.mark.parametrize("what", VALUES["classes"])
def test_the_classes_of_a_run_are_those_listed(what):
    """A class that has gone leaves the list, and none joins it."""
    listed = [one.split(":") for one in VALUES["classes"][what]]
    print(f"classes of {what}: {len(listed)}")
    assert [f"{file}:{name}" for file, name in listed if name not in classes_of(file)] == []
    assert len(listed) <= VALUES["most classes"][what]


def test_sizes_are_reported():
    lines = sum(len((SOURCE / file).read_bytes().splitlines()) for file in FILES)
    print(f"lines {lines}, files {len(FILES)}, classes {sum(len(classes_of(file)) for file in FILES)}")
