"""The promise: every line of code in the manual and in the readme runs, and lists in it are complete.

The lines of a page are run from top to bottom, as a reader would follow them, below the files of the manual that it
includes. Those about a `result` that the page does not make are given the bouncing ball's.
"""

from __future__ import annotations

import pkgutil
import re
from contextlib import chdir
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType

import matplotlib
import numpy as np
import pytest
import statuses_page
from example_scripts import PNG, ROOT
from manual_code import DOCS, PAGES, README, SCRIPTS, blocks, included
from quick_members import members

from sympact import Status, models
from sympact.__main__ import DEMOS
from sympact.integrate.history.event import EventKind
from sympact.mechanics.run import equation_audit as audit

ELSEWHERE = {
    "docs/api/errors.rst": "every line but the setting raises: test_wrong_inputs makes each one",
    "docs/how-to/clusters.rst": "it needs clusters: test_ensemble_executors has one of two processes",
    "docs/how-to/two_links.py": "its film takes long: test_show_animate runs it",
}
"""Pages and scripts that are not run here, and why."""

LANGUAGES = {"python", "shell", "text"}
SHELL = [
    re.compile(r"make (demo|test|docs|bench|peers|lint|types|check)"),
    re.compile(r"pip install ('?\.(\[[\w,]+\])?'?)"),
    re.compile(rf"python -m sympact (demo|play) ({'|'.join(DEMOS)})"),
]
"""The commands that pages may ask for; their parts are tested on their own."""


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def documented(page: Path) -> list[str]:
    """The names whose docstrings a page shows."""
    return re.findall(
        r"^\.\. auto(?:class|function|data):: (\S+)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE
    )


@cache
def left_by(script: Path) -> dict:
    """The names that a script leaves, run once, in a folder of its own."""
    names = {"__name__": "__main__"}
    source = script.read_text(encoding="utf-8")
    if name(script) in ELSEWHERE:
        source = source.replace(".gif", ".html")  # which is written at once
    matplotlib.use("Agg")
    with TemporaryDirectory() as folder, chdir(folder):
        exec(compile(source, str(script), "exec"), names)
        for picture in Path().glob("*.png"):
            assert picture.read_bytes().startswith(PNG)
    return names


RUN = [page for page in [README, *PAGES] if name(page) not in ELSEWHERE and blocks(page)]


OF_PROCESSES = DOCS / "how-to" / "ensembles_on_disk.py"
"""A script that starts processes, whose imports take seconds."""

LONG_RUN = DOCS / "how-to" / "long_runs.py"
"""A script of a run of some seconds: tests of progress and of interrupts have shorter ones."""

DRAWN = [DOCS / "how-to" / f"{one}.py" for one in ("pictures", "sweeps")]
"""Scripts that draw for seconds: tests of pictures and of sweeps draw the same."""

BUILT = [*DOCS.glob("tutorial/*.py"), *(DOCS / "how-to" / f"{one}.py" for one in ("actuators", "ensembles"))]
"""Scripts that `make docs` runs, too, for their pictures."""


@pytest.mark.parametrize(
    "script",
    members([one for one in SCRIPTS if name(one) not in ELSEWHERE], slow=[OF_PROCESSES, LONG_RUN, *DRAWN, *BUILT]),
    ids=name,
)
def test_a_script_of_the_manual_runs(script):
    """What it asserts holds, and what it draws is a picture."""
    assert left_by(script)


LONG_PAGES = [one for one in RUN if {OF_PROCESSES, LONG_RUN, *BUILT} & {*included(one)}]


@pytest.mark.parametrize("page", members(RUN, slow=LONG_PAGES), ids=name)
def test_the_code_written_in_a_page_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    matplotlib.use("Agg")
    names = {"__name__": "__main__", "np": np, "result": models.bouncing_ball().simulate()}
    for file in set(included(page)) & set(SCRIPTS):
        names |= left_by(file)
    for block in blocks(page):
        assert block.language in LANGUAGES, f"{block} is {block.language!r}"
        if block.language == "python":
            exec(compile(block.code, str(block), "exec"), names)


@pytest.mark.parametrize("page", [README, *PAGES], ids=name)
def test_commands_of_a_page_are_those_that_exist(page):
    for block in blocks(page):
        if block.language == "shell":
            for command in block.code.split("\n")[:-1]:
                assert any(known.fullmatch(command) for known in SHELL), f"{block}: {command}"


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_files_that_a_page_includes_are_run(page):
    """By this test, by that of the examples, or because the package imports them."""
    for file in included(page):
        assert file.exists()
        assert file in SCRIPTS or file.parent in (ROOT / "examples", ROOT / "src" / "sympact" / "models")


def test_what_is_left_out_is_there():
    assert set(ELSEWHERE) <= {name(file) for file in [*PAGES, *SCRIPTS]}


def test_every_page_is_in_the_table_of_contents_and_every_script_in_a_page():
    index = (DOCS / "index.rst").read_text(encoding="utf-8").split()
    assert {page.relative_to(DOCS).with_suffix("").as_posix() for page in PAGES} - {"index"} <= set(index)
    assert set(SCRIPTS) <= {file for page in PAGES for file in included(page)}


@pytest.mark.parametrize("page", [page for page in PAGES if documented(page)], ids=name)
def test_names_that_a_page_documents_are_those_of_objects(page):
    """A module of the same name would have no signature there."""
    for path in documented(page):
        assert not isinstance(pkgutil.resolve_name(path), ModuleType), path


def test_blocks_are_found_where_they_are():
    """The parser itself, on pages whose blocks are known."""
    assert [block.language for block in blocks(README)] == ["shell", "python"]
    assert len(blocks(DOCS / "install.rst")) == 5
    assert blocks(DOCS / "api" / "results.rst")[0].code.startswith('result.to_csv("run.csv")')


def test_the_page_of_statuses_lists_them_all():
    """Otherwise run ``python tests/statuses_page.py``."""
    assert set(statuses_page.KINDS) == set(EventKind)
    assert set(statuses_page.WARNINGS) == statuses_page.warned()
    text = statuses_page.PAGE.read_text(encoding="utf-8")
    assert text == statuses_page.page()
    assert all(f"``{status.name}``" in text for status in Status)


def test_the_guarantees_name_the_figures_of_the_pages_behind_them():
    """What is promised in one page is not promised otherwise in another, nor in the code."""
    guarantees = (DOCS / "guarantees.rst").read_text(encoding="utf-8")
    theory = {page: (DOCS / "theory" / f"{page}.rst").read_text(encoding="utf-8") for page in ("search", "rest")}
    for figure in (r"\text{rtol}", "10^{-10}", r"64\,", "1/16"):
        assert figure in guarantees
        assert figure in theory["search"]
    for figure in ("10^{-10}", r"\sqrt{2 a \delta}", "1e-15", "1e-10", "1/16", "10^{-9}", "10^{-12}"):
        assert figure in guarantees
        assert figure in theory["rest"]
    assert audit.ACCEPTED == 1e-10
