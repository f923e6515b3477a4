"""The distribution of tests to workers: what takes longest begins first, and no group is a large part of all.

Tests of one file share models and runs, and so stay in one worker, unless the file takes long: then those of one
function do, and where this takes long, too, each test is alone. `durations.json` has the seconds of functions, as
recorded by `make durations`. A wrong number costs time alone.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

RECORDED = Path(__file__).with_name("durations.json")
"""Seconds by ``file::function``, of functions that take longer than `SHORTEST`."""

SHORTEST = 0.1
"""Below it a function is left out of the record (s)."""

LONG = 60.0
"""A file or a function that takes longer is no group (s). The longest begin first, so that they end long before the
last ones; what is divided makes anew, in each worker, the models and runs that its tests share."""


class Distribution:
    """Groups of tests with their durations.

    Parameters
    ----------
    seconds : mapping of str to float
        By ``file::function``.
    """

    def __init__(self, seconds: dict[str, float]) -> None:
        self.by_function = seconds
        self.by_file: Counter[str] = Counter()
        for function, duration in seconds.items():
            self.by_file[function.partition("::")[0]] += duration

    @classmethod
    def recorded(cls) -> Distribution:
        """That of `RECORDED`."""
        return cls(json.loads(RECORDED.read_text(encoding="utf-8")))

    def group(self, test: str) -> str:
        """The name of the group of a test: its file, its function, or the test itself."""
        function = function_of(test)
        file = function.partition("::")[0]
        if self.by_file[file] <= LONG:
            return file
        return function if self.by_function.get(function, 0.0) <= LONG else test

    def order(self, tests: Sequence[str]) -> list[int]:
        """The places of the tests, those of the longest group first; within a group as they are."""
        functions, groups = [*map(function_of, tests)], [*map(self.group, tests)]
        counts, lengths, first = Counter(functions), Counter(), {}
        for place, (function, group) in enumerate(zip(functions, groups, strict=True)):
            lengths[group] += self.by_function.get(function, 0.0) / counts[function]
            first.setdefault(group, place)
        return sorted(range(len(tests)), key=lambda place: (-lengths[groups[place]], first[groups[place]], place))


def function_of(test: str) -> str:
    """The file and the function of a test, without its parameters and its group.

    >>> function_of("tests/test_a.py::test_b[c::d]@tests/test_a.py")
    'tests/test_a.py::test_b'
    """
    return test.partition("[")[0].partition("@")[0]


class Recorder:
    """A plugin that writes the durations of all tests to `RECORDED`."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()

    def pytest_runtest_logreport(self, report) -> None:
        """Add what a part of a test took."""
        self.seconds[function_of(report.nodeid)] += report.duration

    def pytest_sessionfinish(self) -> None:
        """Write them, in the order of their names."""
        long = {name: round(duration, 1) for name, duration in sorted(self.seconds.items()) if duration > SHORTEST}
        RECORDED.write_text(json.dumps(long, indent=0) + "\n", encoding="utf-8")
