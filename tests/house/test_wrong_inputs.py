"""The promise: a wrong input is answered with a sentence that names it, what was found and what was expected."""

from __future__ import annotations

import re
import traceback
from functools import cache
from pathlib import Path

import pytest
from wrong_inputs import PAGE, WRONG, Wrong, error_of, message, page, setting

import sympact

SOURCE = Path(sympact.__file__).parent
ALL = [wrong for wrongs in WRONG.values() for wrong in wrongs]
FOREIGN = re.compile(r"object has no attribute|not supported between|unhashable|not iterable|object is not callable")
"""What Python says of itself when nobody has looked at the input."""


@cache
def names() -> dict[str, object]:
    return setting()


@pytest.fixture(autouse=True)
def _nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    yield
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("wrong", ALL, ids=lambda wrong: wrong.code)
def test_a_wrong_input_is_answered_with_a_sentence(wrong: Wrong):
    error = error_of(wrong, names())
    assert isinstance(error, wrong.error), f"raised {error!r}"
    assert re.search(wrong.sentence, message(error)), message(error)
    assert not FOREIGN.search(message(error))
    assert Path(traceback.extract_tb(error.__traceback__)[-1].filename).is_relative_to(SOURCE)


def test_no_line_is_listed_twice():
    assert len({wrong.code for wrong in ALL}) == len(ALL) >= 40


def test_the_page_of_errors_is_up_to_date():
    """Otherwise run ``python tests/wrong_inputs.py``."""
    assert PAGE.read_text(encoding="utf-8") == page(names())
