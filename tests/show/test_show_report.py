"""The report of a run is one valid page that needs no network and holds every parameter, every event and every loss."""

from __future__ import annotations

import math
import re
from base64 import b64decode
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import sympy as sm
from contact_models import rod
from dropped_ball import dropped_ball
from matplotlib.font_manager import FontProperties
from matplotlib.path import Path as Curve
from matplotlib.textpath import TextPath
from quick_members import members
from sympy.physics.mechanics import Particle, PrismaticJoint, RigidBody, System

import sympact
from sympact import Contact, HybridModel, HybridSystem, Plane, Transition
from sympact.integrate.history.event import EventKind
from sympact.models import ball_ceiling_spring, bouncing_ball, rod_on_wall, two_links
from sympact.show.kit.typeset import equation_html

VOID = {"meta", "img", "path", "br"}


class Page(HTMLParser):
    """Reads a page: that its tags are closed in order, its tables as lists of cells, its text, its attributes."""

    def __init__(self, text: str):
        super().__init__(convert_charrefs=True)
        self.open, self.tables, self.text, self.links, self.warned = [], [], [], [], 0
        self.feed(text)
        self.close()
        assert self.open == [], "all tags are closed"

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.links += [found[name] for name in ("src", "href", "data", "action", "poster", "srcset") if name in found]
        self.warned += found.get("class") == "warned"
        if tag == "table":
            self.tables.append([])
        if tag == "tr":
            self.tables[-1].append([])
        if tag in ("td", "th"):
            self.tables[-1][-1].append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        assert tag in VOID

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, f"</{tag}> closes what was opened last"

    def handle_data(self, data):
        if self.open and self.open[-1] in ("td", "th"):
            self.tables[-1][-1][-1] += data
        if "style" not in self.open:
            self.text.append(data)

    def table(self, *headings: str) -> list[list[str]]:
        """The rows below these first headings."""
        (found,) = [rows for rows in self.tables if rows and tuple(rows[0][: len(headings)]) == headings]
        return found[1:]


def report_of(result, folder, **options) -> tuple[str, Page]:
    result.report(folder / "report.html", **options)
    text = (folder / "report.html").read_text(encoding="utf-8")
    return text, Page(text)


RUNS = [bouncing_ball, rod_on_wall, two_links, ball_ceiling_spring]


@cache
def report_of_ball():
    """The run of a ball, and its report as text and as a page."""
    with TemporaryDirectory() as folder:
        result = bouncing_ball().simulate()
        return result, *report_of(result, Path(folder), units=bouncing_ball().units)


@pytest.fixture(scope="module", params=members(RUNS, slow=[rod_on_wall, two_links]), ids=lambda ready: ready.__name__)
def reported(request, tmp_path_factory):
    """A result and its report, as text and as a page."""
    if request.param is bouncing_ball:
        return report_of_ball()
    ready = request.param()
    result = ready.simulate()
    return result, *report_of(result, tmp_path_factory.mktemp("report"), units=ready.units)


def test_a_report_fetches_nothing(reported):
    _, text, page = reported
    assert text.startswith("<!DOCTYPE html>")
    assert not re.search(r"https?:|//\w+\.\w|<script|<link|@import|url\(", re.sub(r"base64,[\w+/=]+", "", text))
    assert page.links
    for link in page.links:
        kind, data = link.split(",")
        assert kind == "data:image/png;base64"
        assert b64decode(data, validate=True).startswith(b"\x89PNG\r\n")


def test_every_event_is_in_its_table(reported):
    result, _, page = reported
    rows = page.table("", "t", "kind", "contacts")
    assert [row[:4] for row in rows] == [
        [str(k), f"{event.t:.12g}", event.kind, ", ".join(event.contacts)] for k, event in enumerate(result.events, 1)
    ]


def test_every_parameter_state_and_setting_is_in_it(tmp_path):
    ready = two_links()
    _, page = report_of(ready.simulate(rtol=3e-8), tmp_path, units=ready.units)
    numbers = {name: float(value) for name, value in page.table("parameter", "value")}
    assert numbers == {letter.name: float(value) for letter, value in ready.parameters.items()}
    start = {name: (float(value), unit) for name, value, unit in page.table("state", "start")}
    assert start.keys() == {"q1", "q2", "u1", "u2"}
    assert start["q1"] == (pytest.approx(1.5707963267949, rel=1e-11), "rad")
    assert ["rtol", "3e-08"] in [row for rows in page.tables for row in rows]
    assert page.table("contact", "of") == [["tip", "tip on the plane floor (- ground_frame.y)", "e"]]


def test_losses_are_those_of_the_formula():
    """A ball of 1 kg from 1 m, e = 0.8: the k-th impact takes (1 - e^2) e^(2 k) m g h, and all of them m g h."""
    _, _, page = report_of_ball()
    rows = page.table("event", "t", "contacts", "impulse (N s)")
    for k, row in enumerate(rows[:8]):
        assert float(row[5]) == pytest.approx(-0.36 * 0.64**k * 9.81, rel=1e-6)
        assert float(row[6]) == pytest.approx(-36.0, abs=1e-5)
    balance = {row[0]: row[1] for rows in page.tables for row in rows if len(row) == 2}
    assert float(balance["lost in impacts"]) == pytest.approx(9.81, rel=1e-7)
    assert float(balance["gained in impacts"]) == 0.0
    assert abs(float(balance["not explained"])) < 1e-6
    assert page.warned == 0


def test_an_impact_that_gains_energy_is_warned_of(tmp_path):
    """Ends of a rod at +1/2 (e = 0) and -1 (e = 1) m/s gain a third of the 1/8 J that they have."""
    numbers = {"e_A": 0.0, "e_B": 1.0, "g": 0.0}
    with pytest.warns(sympact.ImpactWarning, match="gained energy"):
        result = rod().simulate((0, 0.1), [0, 0, 0, 0, -0.25, 1.5], numbers, gains=True, max_events=1)
    _, page = report_of(result, tmp_path)
    assert any(text.startswith("1 impact(s) gained energy") for text in page.text)
    (row,) = page.table("event", "t", "contacts")
    assert row[2] == "A, B"
    assert float(row[6]) == pytest.approx(100 / 3, abs=1e-5)
    assert page.warned == 2, "a sentence and a row"


def test_the_work_of_a_load_is_part_of_the_balance(tmp_path):
    wall, block, c = RigidBody("wall"), Particle("block", mass=sm.Symbol("m")), sm.Symbol("c")
    system = System.from_newtonian(wall)
    system.add_joints(PrismaticJoint("rail", wall, block, joint_axis=wall.x))
    system.add_loads((block.masscenter, -c * system.u[0] * wall.x))
    contact = Contact(block.masscenter, Plane(wall.masscenter, wall.x), restitution=0.5, friction=0, name="a < b")
    model = HybridModel(system, [contact])
    _, page = report_of(model.simulate((0, 2), [1.0, -3.0], dict.fromkeys(model.parameters, 1.0)), tmp_path)
    balance = {row[0]: row[1] for rows in page.tables for row in rows if len(row) == 2}
    # v = x - 4 down to x = 0 at t = log(1.5), where half of the speed 2 is left, which then decays
    after = (1 - math.exp(-2 * (2 - math.log(1.5)))) / 2
    assert float(balance["work of the load on 'block_masscenter'"]) == pytest.approx(-2.5 - after, rel=1e-8)
    assert abs(float(balance["not explained"])) < 1e-7
    assert page.table("contact", "of")[0][0] == "a < b"


def test_plain_functions_have_a_report_without_formulas(tmp_path):
    _, page = report_of(dropped_ball(kind=EventKind.IMPACT), tmp_path, title="Ball & <ground>")
    assert "Ball & <ground>" in page.text
    assert any("its equations and parameters are unknown" in text for text in page.text)


def test_a_run_read_from_a_file_still_has_its_audit(tmp_path):
    original, _, truth = report_of_ball()
    original.save(tmp_path / "ball.npz")
    _, page = report_of(sympact.load(tmp_path / "ball.npz"), tmp_path, units=bouncing_ball().units)
    for headings in [("event", "t", "contacts"), ("", "t", "kind"), ("state", "start")]:
        assert page.table(*headings) == truth.table(*headings)


def test_a_symbolic_process_shows_its_equations_and_numbers(tmp_path):
    y, v, g, e = sm.symbols("y v g e")
    bounce = Transition("air", "air", boundary=-y, jump={v: -e * v}, name="ground")
    ball = HybridSystem.from_sympy({"air": [v, -g]}, [bounce], states=[y, v], parameters=[g, e])
    result = ball.simulate((0, 1.5), {y: 5, v: 0}, start="air", parameters={g: 10, e: 0.5})
    text, page = report_of(result, tmp_path)
    assert page.table("parameter", "value") == [["g", "10"], ["e", "0.5"]]
    for equation in (r"\dot{y} = v", r"\dot{v} = - g", "- y = 0", "v^+ = - e v"):
        assert f"<title>{equation}</title>" in text


def test_a_run_without_events_has_a_report(tmp_path):
    ready = bouncing_ball()
    _, page = report_of(ready.model.simulate((0, 0.1), ready.start, ready.parameters), tmp_path)
    assert any("There were no events." in text for text in page.text)
    assert any("There were no impacts." in text for text in page.text)


def test_the_same_run_gives_the_same_file(tmp_path):
    result, text, _ = report_of_ball()
    assert report_of(result, tmp_path, units=bouncing_ball().units)[0] == text


def test_unknown_units_are_refused_before_a_file_is_written(tmp_path):
    with pytest.raises(ValueError, match=r"units: unknown \['q9'\]"):
        bouncing_ball().simulate(max_events=1).report(tmp_path / "ball.html", units={"q9": "m"})
    assert not (tmp_path / "ball.html").exists()


def test_an_equation_is_the_outline_that_matplotlib_draws():
    """Read back from its SVG, the outline has the points of matplotlib's own, upside down."""
    truth = TextPath((0, 0), r"$\omega + 1$", size=10, prop=FontProperties(math_fontfamily="cm"))
    (commands,) = re.findall(r' d="([^"]*)"', equation_html(r"\omega + 1", "w + 1"))
    numbers = [float(number) for number in re.findall(r"-?\d+\.\d+", commands)]
    drawn = truth.vertices[truth.codes != Curve.CLOSEPOLY].ravel()
    assert len(numbers) == len(drawn)
    assert all(abs(a - b) <= 0.0051 for a, b in zip(numbers[::2], drawn[::2], strict=True))
    assert all(abs(a + b) <= 0.0051 for a, b in zip(numbers[1::2], drawn[1::2], strict=True))
