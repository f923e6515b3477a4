"""What a notebook and a report show of a model: all letters and equations, true ones, also of large models."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser

import numpy as np
import pytest
import sympy as sm
from mechanics_oracle import chain
from sympy.physics.vector import vlatex

from sympact import Contact, HybridModel, Plane
from sympact.mechanics.derive.symbolic_formulas import LARGEST_TREE
from sympact.mechanics.present.model_summary import MATRICES, about_model
from sympact.models import bouncing_ball, dropped_cube, jack_in_a_box, rod_on_wall, two_links


class Balanced(HTMLParser):
    """Checks that tags are closed in order, and counts them."""

    def __init__(self, text: str):
        super().__init__()
        self.open, self.count = [], {}
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.count[tag] = self.count.get(tag, 0) + 1
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def hanging(n: int, kind: str = "planar") -> HybridModel:
    """A chain above a floor."""
    system, tips = chain(n, kind)
    floor = Plane(system.fixed_point.locatenew("floor", -9 * system.y), system.y)
    return HybridModel(system, [Contact(tips[-1], floor, restitution=sm.Symbol("e"), friction=0)])


@pytest.mark.parametrize("ready", [bouncing_ball, rod_on_wall, two_links, dropped_cube, jack_in_a_box])
def test_the_page_is_valid_and_shows_all_letters_and_contacts(ready):
    model = ready().model
    text = model._repr_html_()
    Balanced(text)
    for letter in (*model.q, *model.u, *model.parameters):
        assert f"$\\displaystyle {vlatex(letter)}$" in text
    for contact in model.contacts:
        assert f">{contact.name}</td>" in text


def test_short_equations_are_written_out_with_the_jump_map():
    model = bouncing_ball().model
    text = unescape(model._repr_html_())
    for shown in (model.mass_matrix, model.forcing, model.gaps, model.jump_map("ball")):
        assert vlatex(shown) in text
    assert "<details>" not in text
    assert "jump map of ball, by the speeds before it" in text


def test_long_equations_are_folded():
    model = jack_in_a_box().model
    assert Balanced(model._repr_html_()).count["details"] >= 3
    assert re.search(r"<summary>gaps: \d{3} operations</summary>", model._repr_html_())


def test_models_of_many_speeds_show_the_jump_map_in_blocks():
    text = dropped_cube().model._repr_html_()
    assert r"u^+ = u^- - (1 + e) \, M^{-1} W \, (W^T M^{-1} W)^{-1} \, \gamma_N^-" in text
    assert "jump map of +++" not in text


def test_names_cannot_break_the_page():
    system, tips = chain(1, "planar")
    contact = Contact(tips[0], Plane(system.fixed_point, system.y), restitution=1, friction=0, name="<b>a & b")
    assert ">&lt;b&gt;a &amp; b</td>" in HybridModel(system, [contact])._repr_html_()


def test_a_chain_of_ten_links_is_shown_without_writing_out_its_trees():
    """Its M has twelve million operations as a tree; the page names the common parts and stays small."""
    model = hanging(10)
    assert model.operations("mass_matrix") > 100 * LARGEST_TREE
    text = model._repr_html_()
    Balanced(text)
    assert len(text) < 100_000
    assert "M_{10,10}" in text
    assert model._repr_latex_() is None
    assert not {"mass_matrix", "forcing"} & set(vars(model)), "no tree was made"


def test_latex_is_given_where_it_fits():
    latex = two_links().model._repr_latex_()
    assert latex.startswith(r"$\displaystyle \begin{aligned} M \dot u &= f")
    assert vlatex(two_links().model.forcing) in latex


@pytest.mark.parametrize("name", MATRICES)
def test_the_size_is_told_without_writing(name):
    """A double pendulum's trees have as many operations as SymPy counts, up to what SymPy joins or spells otherwise."""
    model = two_links().model
    letters = {letter: sm.Symbol(letter.func.__name__) for letter in model.x}
    counted = sum(sm.count_ops(entry.xreplace(letters)) for entry in getattr(model, name))
    assert 0.5 * counted <= model.operations(name) <= 2 * counted + 1


def test_the_formulas_of_a_report_are_the_equations_of_motion():
    """Read as text and put into numbers, named parts first, they are what the machine code computes."""
    model = hanging(3)
    names = [*(symbol.name for symbol in model.parameters), *(state.func.__name__ for state in model.x)]
    numbers = np.random.default_rng(5).uniform(0.5, 1.5, len(names))
    p, x = numbers[: len(model.parameters)], numbers[len(model.parameters) :]
    values = evaluated(about_model(model, np.zeros(99)), dict(zip(names, map(float, numbers), strict=True)))
    mass_matrix, forcing = model.compile().mass_forcing(0.0, x, p)
    for i in range(3):
        assert values[f"forcing[{i + 1}]"] == pytest.approx(forcing[i], rel=1e-12)
        for j in range(i + 1):
            assert values.get(f"mass_matrix[{i + 1},{j + 1}]", 0.0) == pytest.approx(mass_matrix[i, j], rel=1e-12)
    gaps, rates = model.compile().gaps(0.0, x, p)
    assert values["gaps[1]"] == pytest.approx(gaps[0], rel=1e-12)
    assert values["gap_rates[1]"] == pytest.approx(rates[0], rel=1e-12)
    assert "z0" in values, "long equations have named parts"


def evaluated(about, values: dict[str, float]) -> dict[str, float]:
    """The left sides of the equations with their numbers."""
    values = dict(values)
    for formula in about.formulas:
        for line in filter(None, formula.text):
            left, right = line.split(" = ", 1)
            if left not in ("u+", "M u'"):
                letters = {name: sm.Symbol(name) for name in values if "[" not in name}
                substituted = {letters[name]: value for name, value in values.items() if "[" not in name}
                values[left] = float(sm.sympify(right, locals=letters).xreplace(substituted))
    return values


def test_the_jump_map_of_a_report_is_newtons_law():
    """v+ = -e v of a ball, from its text."""
    (jump,) = [one for one in about_model(bouncing_ball().model, np.zeros(9)).formulas if one.title.endswith("of ball")]
    (line,) = jump.text
    assert line.startswith("v+ = ")
    assert sm.expand(sm.sympify(line.removeprefix("v+ = ")) + sm.Symbol("e") * sm.Symbol("v")) == 0


def test_every_line_of_latex_has_its_text():
    for ready in (two_links, dropped_cube, jack_in_a_box):
        for formula in about_model(ready().model, np.zeros(99)).formulas:
            assert len(formula.latex) == len(formula.text)
            assert max(map(len, formula.latex)) < 420
