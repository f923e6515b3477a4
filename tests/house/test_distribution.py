"""The distribution of tests to workers: groups, their order, and a record of files that are there."""

from __future__ import annotations

from distribution import LONG, Distribution, function_of
from example_scripts import ROOT

SECONDS = {"a.py::f": 0.4 * LONG, "b.py::g": 0.8 * LONG, "b.py::h": 0.8 * LONG, "c.py::k": 4.0 * LONG}
TESTS = ["a.py::f", "a.py::new[x]", "b.py::g[1]", "b.py::h", "b.py::g[2]", "c.py::k[1]", "c.py::k[b::2]"]


def test_a_long_file_is_shared_by_function_and_a_long_function_by_test():
    groups = [Distribution(SECONDS).group(test) for test in TESTS]
    assert groups == ["a.py", "a.py", "b.py::g", "b.py::h", "b.py::g", "c.py::k[1]", "c.py::k[b::2]"]


def test_the_longest_group_comes_first_and_tests_of_a_group_keep_their_order():
    order = Distribution(SECONDS).order(TESTS)
    assert [TESTS[place] for place in order] == [*TESTS[5:], "b.py::g[1]", "b.py::g[2]", "b.py::h", *TESTS[:2]]


def test_parameters_are_no_part_of_a_function():
    assert function_of("tests/test_a.py::test_b[c::d@e]@tests/test_a.py") == "tests/test_a.py::test_b"


def test_files_of_the_record_are_there():
    assert [file for file in Distribution.recorded().by_file if not (ROOT / file).exists()] == []
