"""The picture of a run's modes can be read: no text on another, none cut off, no arrow through a foreign node."""

from __future__ import annotations

import io
import re

import numpy as np
import pytest
from figures import cut_off, overlapping_texts, panels
from hypothesis import strategies as st
from journeys import NAMES, Happening, journey, journeys, rocking
from matplotlib.colors import same_color
from matplotlib.patches import Ellipse
from quick_members import examples, members

from sympact.integrate.history.event import EventKind
from sympact.show import draw_modes, plot_result
from sympact.show.graphs.routes import label_places, routes
from sympact.show.kit.palette import KIND_COLOURS
from sympact.show.plots.ribbon import LISTED_STAGES


def crowded(n_modes: int, n_contacts: int = 16, n_events: int = 250, back: float = 0.2):
    """A run through many modes of many contacts, with impacts, accumulations, and leaps to any mode met before."""
    random = np.random.default_rng(7)
    contacts = [f"P{k} on the floor" for k in range(1, n_contacts + 1)]
    closed = [sorted(random.choice(n_contacts, random.integers(1, n_contacts), replace=False)) for _ in range(n_modes)]
    names = [f"{', '.join(contacts[c] for c in one)} ({k})" for k, one in enumerate(closed)]
    names[0] = "free"
    events, stage, met = [], 0, 0
    for _ in range(n_events):
        chance = random.random()
        if chance < 0.4:
            target, kind = stage, EventKind.IMPACT if chance < 0.35 else EventKind.ACCUMULATION
        elif chance < 1 - back:
            target, kind = min(stage + 1, n_modes - 1), EventKind.CLOSE
        else:
            target, kind = int(random.integers(0, met + 1)), EventKind.OPEN
        stage, met = target, max(met, target)
        events.append(Happening(random.exponential(0.1), kind, target, (0, 5), bool(kind is not EventKind.OPEN)))
    return journey(names, events, 1.0, contacts=contacts)


@pytest.mark.parametrize("n_modes", members([2, 3, 6, 7, 12, 25, 40], slow=(3, 6, 7, 25, 40)))
def test_nothing_overlaps_and_nothing_is_cut_off(n_modes):
    figure = draw_modes(crowded(n_modes).modes, title="Sixteen contacts on the floor")
    assert overlapping_texts(figure) == []
    assert cut_off(figure) == []


@examples(4, 25, journeys)
def test_any_run_of_four_modes_can_be_read(result):
    figure = draw_modes(result.modes)
    assert overlapping_texts(figure) == []
    assert cut_off(figure) == []
    nodes = [patch for patch in figure.axes[0].patches if isinstance(patch, Ellipse)]
    assert len(nodes) == len(result.modes)


def test_named_modes_say_share_and_visits_and_arrows_say_counts():
    texts = [text.get_text() for text in rocking().draw_modes().axes[0].texts]
    assert texts[:8:2] == list(NAMES)
    assert texts[1:8:2] == ["44 %, 1 visit", "31 %, 1 visit", "0 %, 1 visit", "25 %, 1 visit"]
    assert texts[8:] == ["impact x 2", "accumulation", "close", "stop"]


def test_numbered_modes_are_listed_with_their_names():
    result = crowded(25)
    modes = result.modes
    texts = [text.get_text() for text in result.draw_modes().axes[0].texts]
    assert {str(order + 1) for _, order in modes.nodes(data="order")} <= set(texts)
    whole = re.sub(r"\s+", " ", " ".join(texts))
    for name in modes:
        members = re.findall(r"P\d+", name)
        assert name == "free" or f"{', '.join(members)} on the floor" in whole
    assert {"impact", "close", "open", "accumulation"} <= set(texts)
    assert {str(count) for *_, count in modes.edges(data="count") if count > 1} <= set(texts)


def test_arrows_have_the_colours_of_their_kinds_and_are_dashed_where_the_state_stays():
    lines = rocking().draw_modes().axes[0].get_lines()
    kinds = ["impact", "accumulation", "close", "stop"]
    assert all(same_color(line.get_color(), KIND_COLOURS[kind]) for line, kind in zip(lines, kinds, strict=True))
    assert [line.get_linestyle() for line in lines] == ["-", "-", "-", "--"]


def test_every_kind_has_a_colour_of_its_own():
    assert list(KIND_COLOURS) == [kind.value for kind in EventKind]
    assert len(set(KIND_COLOURS.values())) == len(KIND_COLOURS)


def test_a_run_without_events_is_one_node():
    texts = [text.get_text() for text in journey(["still"], [], 2.0).draw_modes(title="Nothing").axes[0].texts]
    assert texts == ["still", "100 %, 1 visit", "Nothing"]


def test_a_run_without_time_has_no_shares():
    texts = [text.get_text() for text in journey(["still"], [], 0.0).draw_modes().axes[0].texts]
    assert texts == ["still", "1 visit"]


def test_the_same_modes_give_the_same_picture():
    def picture() -> bytes:
        buffer = io.BytesIO()
        crowded(12).draw_modes().savefig(buffer, metadata={"Software": None})
        return buffer.getvalue()

    assert picture() == picture()


@examples(33, 100, st.integers(3, 30), st.integers(1, 15))
def test_arrows_pass_by_the_nodes_they_do_not_join(count, step):
    """An arrow between any two of the nodes on a circle keeps out of all others, and its reverse away from it."""
    half = np.array([0.45, 0.29])
    angle = np.pi / 2 - 2 * np.pi * np.arange(count) / count
    places = 0.7 / np.sin(np.pi / count) * np.column_stack([np.cos(angle), np.sin(angle)])
    other = step % count or 1
    there, back = routes([(0, other), (other, 0)], places, half, 1.0)
    for curve in (there, back):
        distance = (((curve[:, None] - np.delete(places, [0, other], axis=0)) / half) ** 2).sum(axis=2)
        assert (distance >= 1).all()
    middle = len(there) // 2
    assert np.hypot(*(there[middle] - back[middle])) >= 0.45


def test_labels_keep_clear_of_each_other_where_arrows_cross():
    places = np.array([[0.0, 0.0], [4.0, 4.0], [0.0, 4.0], [4.0, 0.0]])
    half = np.array([0.3, 0.3])
    curves = [np.linspace(places[a], places[b], 201) for a, b in [(0, 1), (2, 3)]]
    one, other = label_places(curves, [(1.0, 0.2)] * 2, places, half)
    assert (np.abs(one - other) >= [1.0, 0.2]).any()


@pytest.mark.parametrize("n_modes", members([2, 7, 25], slow=[7]))
def test_the_plot_of_many_modes_can_be_read(n_modes):
    result = crowded(n_modes)
    figure = plot_result(result, title="Sixteen contacts")
    assert overlapping_texts(figure) == []
    assert panels(figure)["jumps"].get_window_extent().height > 40
    (legend,) = [found for block in figure.subfigs for found in block.legends]
    entries = [text.get_text() for text in legend.get_texts()]
    assert max(map(len, entries)) <= 48
    assert entries[-4:] == ["impact", "close", "open", "accumulation"]
    named = [entry for entry in entries if re.match(r"\d+  ", entry)]
    assert len(named) == min(len(result.modes), LISTED_STAGES)
    assert (f"and {n_modes - LISTED_STAGES} more, of shorter times" in entries) == (n_modes > LISTED_STAGES)


def test_accumulations_are_marked_in_the_plot():
    figure = plot_result(rocking())
    ribbon = figure.axes[0]
    (marks,) = [line for line in ribbon.get_lines() if line.get_marker() == "^"]
    assert list(marks.get_xdata()) == [1.75]
    dotted = [line for line in panels(figure)["jumps"].get_lines() if line.get_linestyle() == ":"]
    assert [line.get_xdata()[0] for line in dotted] == [1.75]


def test_events_of_one_kind_need_no_colours():
    result = journey(["up"], [Happening(1.0, EventKind.IMPACT, 0)] * 3, 1.0)
    assert [block.legends for block in plot_result(result).subfigs] == [[]]
