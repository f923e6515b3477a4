"""A run of a mechanical model read from a file still knows its energy and its gaps."""

import numpy as np
import pytest

import sympact
from sympact.models import two_links


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A run and the same run read back."""
    original = two_links().simulate()
    path = tmp_path_factory.mktemp("runs") / "links.npz"
    original.save(path)
    return original, sympact.load(path)


def test_energy_is_equal_to_the_last_bit(runs):
    original, read = runs
    assert np.array_equal(read.kinetic_energy, original.kinetic_energy)


def test_the_tip_is_on_the_floor_at_each_impact(runs):
    _, read = runs
    (gaps,) = [line for axes in read.plot().axes for line in axes.lines if line.get_label() == "tip"]
    times, heights = gaps.get_data()
    touching = [heights[np.abs(np.asarray(times) - t).argmin()] for t in read.events.t]
    assert np.abs(touching).max() < 1e-9


def test_between_samples_the_states_are_equal_to_the_last_bit(runs):
    original, read = runs
    t = np.linspace(0.0, 10.0, 999)
    assert np.array_equal(read(t), original(t))
