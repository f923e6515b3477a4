"""A drawn graph says what a process is: boundaries, jumps and flows as formulas, long ones below, and all legible."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
import sympy as sm
from figures import cut_off, overlapping_texts
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from quick_members import members
from switch_models import Q, U, slider

from sympact import HybridSystem, Transition, load
from sympact.integrate.trajectory.about import Formula
from sympact.models import ball_ceiling_spring, bead_on_hill, bouncing_ball, dice, tumbling_cube, two_links
from sympact.show.graphs.labels import Label, formula_lines, named

Y, V, G, E, K, M, LENGTH = sm.symbols("y v g e k m L")


def ball_and_spring() -> HybridSystem:
    """A ball between a ceiling and a spring."""
    return HybridSystem.from_sympy(
        {"free": [V, -G], "spring": [V, -G - K * Y / M]},
        [
            Transition("free", "free", boundary=Y - LENGTH, jump={V: -E * V}, name="ceiling"),
            Transition("free", "spring", boundary=-Y, name="touch"),
            Transition("spring", "free", boundary=Y, name="leave"),
        ],
        states=[Y, V],
        parameters=[G, E, K, M, LENGTH],
    )


def long_process() -> HybridSystem:
    """A jump wider than a page, one that mathtext cannot write, and one that is short."""
    long = sum((sm.sin(k * Y) * V**k / (1 + G**k) for k in range(1, 15)), sm.S.Zero)
    return HybridSystem.from_sympy(
        {"a": [V, -G], "b": [V, long]},
        [
            Transition("a", "b", boundary=Y - 1, jump={V: long}, name="long"),
            Transition("b", "a", boundary=-Y, jump={V: sm.Piecewise((V, Y > 0), (-V, True))}, name="pieces"),
            Transition("a", "a", boundary=V - 3, jump={V: -V}, name="short"),
        ],
        states=[Y, V],
        parameters=[G],
    )


def written(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.axes[0].texts]


def test_boundaries_jumps_and_flows_are_formulas():
    texts = written(ball_and_spring().draw(title="A ball"))
    assert texts[:3] == ["free", r"$\dot{y} = v$", r"$\dot{v} = - g$"]
    assert texts[texts.index("ceiling") :][:3] == ["ceiling", "$- L + y = 0$", "$v^+ = - e v$"]
    assert texts[texts.index("touch") :][:2] == ["touch", "$- y = 0$"]
    assert texts[-1] == "A ball"


def test_plain_functions_are_called_by_their_names():
    def ground(t, x):
        return -x[0]

    def bounce(t, x):
        return [0.0, -x[1]]

    transitions = [
        Transition("air", "air", boundary=ground, jump=bounce, name="hit"),
        Transition("air", "space", boundary=lambda t, x: x[0] - 9, name="up"),
    ]
    process = HybridSystem({"air": lambda t, x: [x[1], -10.0], "space": lambda t, x: [x[1], 0.0]}, transitions)
    assert written(process.draw()) == ["air", "space", "hit", "ground(t, x) = 0", "x+ = bounce(t, x)", "up"]


def test_long_formulas_stand_below_behind_the_name_of_their_transition():
    figure = long_process().draw()
    texts = written(figure)
    assert texts.count("long") == 2
    assert texts.count("short") == 1
    heights = {text.get_text(): text.get_position()[1] for text in figure.axes[0].texts}
    short = heights["$v^+ = - v$"]
    assert all(heights[text] < short for text in texts[texts.index("long", texts.index("long") + 1) :])


def test_what_cannot_be_typeset_or_is_too_wide_is_text():
    texts = written(long_process().draw())
    (pieces,) = [text for text in texts if "Piecewise" in text]
    assert pieces == "v+ = Piecewise((v, y > 0), (-v, True))"
    cut = [text for text in texts if text.endswith("...")]
    assert [text[:4] for text in cut] == ["v' =", "v+ ="]


@pytest.mark.parametrize("process", [ball_and_spring, long_process, lambda: ball_ceiling_spring().model])
def test_a_drawn_process_can_be_read(process):
    figure = process().draw(title="A process")
    assert overlapping_texts(figure) == []
    assert cut_off(figure) == []


DRAWN = (bouncing_ball, two_links, bead_on_hill, tumbling_cube, dice)


@pytest.mark.parametrize("ready", members(DRAWN, slow=(bead_on_hill, tumbling_cube, dice)))
def test_a_drawn_model_can_be_read(ready):
    figure = ready().model.draw(title="A model")
    assert overlapping_texts(figure) == []
    assert cut_off(figure) == []


def test_a_model_shows_when_a_contact_changes_and_what_an_impact_does():
    texts = written(bouncing_ball().model.draw())
    impact = texts[texts.index("impact") :][:3]
    jump = r"$u^+ = u^- - (1 + e) \, M^{-1} W \, (W^T M^{-1} W)^{-1} \, \gamma_N^-$"
    assert impact == ["impact", r"$g_N = 0, \; \gamma_N^- < 0$", jump]
    assert texts[-3:] == ["ball", "$g_N = z$", "$v^+ = - e v$"]


def test_every_contact_of_a_model_has_its_gap():
    cube = tumbling_cube().model
    texts = written(cube.draw())
    assert [name for name in texts if name in {contact.name for contact in cube.contacts}] == [
        contact.name for contact in cube.contacts
    ]
    assert sum(text.startswith("$g_N =") and "sin" in text for text in texts) == 8


def test_the_modes_of_a_run_are_drawn_with_the_contacts_that_took_part():
    result = tumbling_cube().simulate()
    met = {name for event in result.events for name in event.contacts}
    figure = result.draw_modes(formulas=True, title="A cube")
    assert {text for text in written(figure) if text in result.contact_names} == met
    assert 0 < len(met) < 8
    assert overlapping_texts(figure) == []
    assert cut_off(figure) == []
    assert written(result.draw_modes()) == written(figure)[: len(written(result.draw_modes()))]


def test_the_modes_of_a_symbolic_process_are_drawn_with_its_boundaries():
    numbers = {G: 10, E: 0.5, K: 1000, M: 1, LENGTH: 3}
    result = ball_and_spring().simulate((0, 3), [1.0, 8.0], start="free", parameters=numbers)
    texts = written(result.draw_modes(formulas=True))
    assert "$- L + y = 0$" in texts
    assert "$v^+ = - e v$" in texts


def test_formulas_are_not_kept_in_files(tmp_path):
    bouncing_ball().simulate(max_events=2).save(tmp_path / "run.npz")
    with pytest.raises(TypeError, match=r"no formulas: .* loaded from a file.*without formulas=True"):
        load(tmp_path / "run.npz").draw_modes(formulas=True)


@pytest.mark.parametrize(
    "formula",
    [
        Formula("", (r"\frac{a}{b} = 0", r"\sqrt{x^{2}} = \frac{1}{2}"), ("", "")),
        Formula("", ("", "x = y"), ("a plain line", "")),
        Formula("", (), ("a price in $ and an _underscore",)),
    ],
)
def test_lines_are_as_large_as_they_were_measured(formula):
    """Within the pixels by which a page differs from print."""
    figure = Figure(figsize=(5, 2), dpi=144)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, 5), ylim=(0, 2))
    label = Label((named("a name", bold=True), *formula_lines(formula, 3.0)))
    label.draw(axes, np.array([2.5, 1.0]))
    FigureCanvasAgg(figure).draw()
    boxes = [text.get_window_extent() for text in axes.texts]
    size = np.array([max(box.width for box in boxes), boxes[0].y1 - boxes[-1].y0]) / 144
    np.testing.assert_allclose(label.size, size, atol=0.12)
    assert all(above.y0 >= below.y1 - 2 for above, below in pairwise(boxes))


def test_a_model_without_contacts_has_one_stage_and_its_conditions():
    assert written(slider(-M * G * Q).draw()) == ["free", r"$M \dot{u} = f$"]
    texts = written(slider(-M * G * sm.sign(U)).draw())
    assert texts[:3] == ["free", r"$M \dot{u} = f$", "switch"]
    assert texts[3:] == ["u > 0"]


def test_a_title_may_be_anything_that_can_be_written():
    assert written(ball_and_spring().draw(title=3))[-1] == "3"
    assert "$" in written(ball_and_spring().draw(title="5 $ each"))[-1]
