"""What every test shares."""

from __future__ import annotations

import gc
import os

import numpy as np
import pytest
from _pytest.doctest import DoctestModule
from distribution import Distribution, Recorder
from hypothesis import settings

from sympact.native.compilation import cores
from sympact.native.kernel import interpreted

settings.register_profile("sympact", deadline=None, derandomize=True)
settings.load_profile("sympact")

os.environ.setdefault("SYMPACT_ENGINE", "compiled")  # also of the processes that tests start

COLLECTED = 100_000, 20, 50
"""New objects before a search for garbage, searches of the young before one of the older, and of those before all."""

if interpreted():
    # As machine code the kernels follow IEEE in silence: 1/0 is infinite, and NaN is looked for where it matters.
    np.seterr(all="ignore")


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """What is imported until the tests run stays to the end: the search for garbage leaves it out.

    Expressions are many objects and hardly any of them garbage: searches as frequent as Python's own take 7 % of the
    time of the tests.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(*COLLECTED)
        gc.enable()


def pytest_addoption(parser):
    parser.addoption("--record-durations", action="store_true", help="write tests/durations.json anew")


class Doctests:
    """A plugin that looks for doctests in files with a prompt alone: all others would be imported for nothing."""

    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(self, file_path):
        found = yield
        if file_path.suffix == ".py" and b">>>" not in file_path.read_bytes():
            return [one for one in found if not isinstance(one, DoctestModule)]
        return found


def pytest_configure(config):
    config.pluginmanager.register(Doctests())
    if config.getoption("--record-durations") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Recorder())


def pytest_xdist_auto_num_workers():
    """One more than cores: a worker often waits for processes that its test has started."""
    return cores() + 1


def pytest_xdist_make_scheduler(config, log):
    """Where workers share the tests by groups, each group is that of the distribution."""
    if config.getoption("dist") == "loadgroup":
        from group_scheduling import GroupScheduling  # pytest-xdist, which is asked for here alone

        return GroupScheduling(config, log)
    return None


def pytest_collection_modifyitems(config, items):
    """Where workers share the tests by groups, the longest groups come first."""
    if config.getoption("loadgroup", False):  # of a worker, whose own `dist` is "no"
        items[:] = [items[place] for place in Distribution.recorded().order([item.nodeid for item in items])]
