"""What a notebook shows: pictures without any preparation, and tables with the numbers of the values.

One notebook is executed in a fresh kernel, in which warnings are errors; what its cells put out is judged.
"""

from __future__ import annotations

import io
import pickle
import re
from base64 import b64decode
from copy import deepcopy
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure
from PIL import Image

import sympact
from sympact.integrate.present.table import Listing, Sheet, Table
from sympact.models import bouncing_ball
from sympact.show.kit.picture import Picture

SOURCE = Path(sympact.__file__).parent

RUNS = """
import logging, warnings
warnings.simplefilter("error")
warnings.filterwarnings("ignore", module="ipykernel")  # of its own end
logging.getLogger("sympact").setLevel("ERROR")  # a first use on a machine says that it compiles
import numpy as np, sympy as sm, sympact
from sympact import HybridSystem, ImpactTimes, Transition, basins, compare_impacts, ensemble, find_orbit, fit
from sympact import return_map
from sympact.models import ball_ceiling_spring, belt_oscillator, bouncing_ball, double_pendulum, rocking_block
ball = bouncing_ball()
result = ball.simulate()
m, g, e = ball.parameters
many = ensemble(ball, parameters={**ball.parameters, e: np.linspace(0.5, 0.9, 12)}, t_span=(0, 1))
faces = sympact.analysis.faces.Shares(("heads", "tails"), np.array([0, 1, 1, 0, 1]), 0.95)
pendulum, block, belt = double_pendulum(), rocking_block(), belt_oscillator()
fallen = basins(ball, {"z": [0.5, 1.0], "v": [0.0, 1.0, 2.0]}, lambda runs: ["low"] * len(runs), (0, 0.5))
returns = return_map(ball, "ball", (0, 2))
y, z = sm.symbols("y z")
tick = Transition("on", "on", boundary=y - 1, jump={y: 0, z: z / 2 + 1}, name="<b>tick")
process = HybridSystem.from_sympy({"on": [1, -z]}, [tick], states=[y, z])
orbit = find_orbit(process, "<b>tick", [0.0, 1.0], t_max=2.0, start="on")
work = belt.simulate(max_events=3).work
found = fit(ball, ImpactTimes(result.events.impacts.t[:4] + 1e-6), [e], t_span=(0, 3))
"""
"""What the cells show."""

PICTURES = {
    "a run": "result.plot()",
    "its energy": "result.plot_energy()",
    "its modes": "result.draw_modes(formulas=True)",
    "a contact": "ball.model.draw()",
    "a process": "process.draw()",
    "a histogram": 'many.plot("v")',
    "shares": "faces.plot()",
    "returns": 'returns.plot("v")',
    "basins": "fallen.plot()",
    "an orbit": 'orbit.plot("y", "z")',
    "a frame": "ball.animate().figure(0.0)",
}
"""Cells whose values are pictures, one of each place that makes figures."""

TABLES = {
    "ready model": "ball",
    "ready process": "ball_ceiling_spring()",
    "result": "result",
    "events": "result.events",
    "slice": "result.events[-3:]",
    "event": "result.events[0]",
    "table": "result.table(6)",
    "ensemble": "many",
    "shares": "faces",
    "basins": "fallen",
    "orbit": "orbit",
    "process": "process",
    "work": "work",
    "linearization": "pendulum.model.linearize(dict.fromkeys(pendulum.model.x, 0.0), pendulum.parameters)",
    "equilibrium": "block.model.equilibrium([0.0, 2.0, 0.1], block.parameters)",
    "comparison": "compare_impacts([[1.0]], [[1.0]], [-2.0], 0.5)",
    "fit": "found",
}
"""Cells whose values are tables."""

INLINE = {"ordinary": "from matplotlib import pyplot\npyplot.plot([0, 1]);", "ours": "result.plot()"}
"""Cells after ``%matplotlib inline``."""


@pytest.fixture(scope="module")
def shown() -> dict[str, list]:
    """The outputs of all cells of the executed notebook, by their names."""
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    cells = {"runs": RUNS, "package": "sympact.__file__"}
    cells |= {f"picture of {name}": code for name, code in PICTURES.items()}
    cells |= {f"table of {name}": code for name, code in TABLES.items()}
    cells |= {"inline": "%matplotlib inline"} | {f"inline {name}": code for name, code in INLINE.items()}
    written = [nbformat.v4.new_code_cell(code.strip()) for code in cells.values()]
    book = nbformat.v4.new_notebook(cells=written)
    nbclient.NotebookClient(book, timeout=600, kernel_name="python3", allow_errors=True).execute()
    return dict(zip(cells, (cell.outputs for cell in book.cells), strict=True))


class Page(HTMLParser):
    """The rows of all tables as text; its elements must be closed in order."""

    def __init__(self, html: str):
        super().__init__()
        self.open: list[str] = []
        self.rows: list[list[str]] = []
        self.feed(html)
        self.close()
        assert self.open == [], "an element is left open"

    def handle_starttag(self, tag, attributes):
        if tag != "br":
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] in ("td", "th"):
            self.rows[-1][-1] += data


def of_cell(outputs: list) -> dict:
    """The one output of a cell: its value in several forms."""
    assert [one.output_type for one in outputs] == ["execute_result"], outputs
    return outputs[0]


def rows_of(shown: dict[str, list], name: str) -> list[list[str]]:
    """The rows of the tables that a cell shows."""
    return Page(of_cell(shown[f"table of {name}"]).data["text/html"]).rows


def check_picture(output: dict) -> None:
    """A PNG of twice the size that it has on the page, and not blank."""
    data = b64decode(output.data["image/png"])
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    image = Image.open(io.BytesIO(data))
    size = output.metadata["image/png"]
    assert np.abs(np.array(image.size) - 2 * np.array([size["width"], size["height"]])).max() <= 1
    assert min(image.size) >= 200
    grey = np.asarray(image.convert("L"))
    assert 0.005 < np.mean(grey != grey[0, 0]) < 0.95


def test_the_runs_of_the_kernel_are_those_of_this_package_without_a_warning(shown):
    assert all(one.output_type == "stream" and one.text.startswith("sympact: first use") for one in shown["runs"])
    assert of_cell(shown["package"]).data["text/plain"] == repr(sympact.__file__)


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_appears_at_the_first_call(shown, name):
    check_picture(of_cell(shown[f"picture of {name}"]))


def test_after_matplotlib_inline_there_is_one_picture_too(shown):
    assert shown["inline"] == []
    assert [list(one.data) for one in shown["inline ordinary"]] == [["text/plain", "image/png"]]
    output = of_cell(shown["inline ours"])
    assert list(output.data) == ["text/plain", "image/png"]
    assert Image.open(io.BytesIO(b64decode(output.data["image/png"]))).size[0] > 400


@pytest.mark.parametrize("name", TABLES)
def test_a_value_is_a_well_formed_table_without_colours_of_its_own(shown, name):
    html = of_cell(shown[f"table of {name}"]).data["text/html"]
    assert Page(html).rows
    assert not re.search(r"colou?r\s*:|background|#[0-9a-f]{3}", html, flags=re.IGNORECASE)


def test_the_events_are_there_with_their_numbers_and_the_rest_is_counted(shown):
    events = bouncing_ball().simulate().events
    rows = rows_of(shown, "events")
    times = [f"{event.t:.12g}" for event in events]
    assert [row[0] for row in rows[1:]] == [*times[:10], f"... {len(events) - 20} more events ...", *times[-10:]]
    impulses = [f"{event.impulse[0]:.6g}" for event in events]
    assert [row[4] for row in rows[1:11]] == impulses[:10]
    assert [row[0] for row in rows_of(shown, "slice")[1:]] == times[-3:]
    more = f"... {len(events) - 6} more events ..."
    assert [row[0] for row in rows_of(shown, "table")[1:]] == [*times[:3], more, *times[-3:]]


def test_a_run_says_how_it_ended_and_where_it_was(shown):
    result = bouncing_ball().simulate()
    rows = rows_of(shown, "result")
    assert ["end", "FINISHED"] in rows
    assert ["events", "51 impact, 1 accumulation"] in rows
    v = result["v"]
    assert ["v", *(f"{number:.6g}" for number in (v[0], v[-1], v.min(), v.max()))] in rows
    assert f"{result.events[0].t:.12g}" in [row[0] for row in rows], "events are unfolded on request"


def test_an_event_has_both_sides(shown):
    event = bouncing_ball().simulate().events[0]
    rows = rows_of(shown, "event")
    assert ["ball", f"{event.impulse[0]:.6g}"] in rows
    assert ["v", f"{event.x_minus[1]:.6g}", f"{event.x_plus[1]:.6g}"] in rows


def test_other_values_have_their_numbers(shown):
    """Known values: half of the weight of a block, Newton's law, a clock whose z falls to z/e and then is halved."""
    assert ["g", "9.81"] in rows_of(shown, "ready model")
    assert ["z", "1", "m"] in rows_of(shown, "ready model")
    assert ["v", "100", "m/s"] in rows_of(shown, "ready process")
    assert ["FINISHED", "12", "100 %"] in rows_of(shown, "ensemble")
    assert ["e", "0.5", "0.7", "0.9"] in rows_of(shown, "ensemble")
    assert ["tails", "3", "0.6"] in [row[:3] for row in rows_of(shown, "shares")]
    assert ["low", "100 %"] in rows_of(shown, "basins")
    assert ["duration", "1 s"] in rows_of(shown, "orbit")
    assert [f"{np.exp(-1) / 2:.6g}"] * 2 in rows_of(shown, "orbit")
    assert ["closed", "left (4.905 N), right (4.905 N)"] in rows_of(shown, "equilibrium")
    assert any(row[-1] == "3" for row in rows_of(shown, "comparison"))
    assert ["e", "0.8"] in [row[:2] for row in rows_of(shown, "fit")]
    assert any(row[0] == "omega_1" and row[1] == "-19.62" for row in rows_of(shown, "linearization"))


def test_names_are_escaped(shown):
    assert "<b>tick" in [row[0] for row in rows_of(shown, "process")]
    assert Page(Table(["a<i>"], [["<script>"]]).html).rows == [["a<i>"], ["<script>"]]
    assert "<script" not in Sheet("<script>", {"<script>": "<script>"}).html


def test_every_figure_of_the_package_is_a_picture():
    """`Figure` is called for one scratch of contours alone, which nobody sees."""
    calls = [
        file.relative_to(SOURCE).as_posix()
        for file in SOURCE.rglob("*.py")
        for _ in re.findall(r"(?<!class )\bFigure\(", file.read_text(encoding="utf-8"))
    ]
    assert calls == ["show/animation/curved.py"]


def test_a_picture_is_an_ordinary_figure(tmp_path):
    figure = bouncing_ball().simulate(max_events=2).plot()
    assert isinstance(figure, Figure)
    size = figure.get_size_inches().tolist()
    for copy in (pickle.loads(pickle.dumps(figure)), deepcopy(figure)):
        assert isinstance(copy, Picture)
        assert [axes.get_ylabel() for axes in copy.axes] == [axes.get_ylabel() for axes in figure.axes]
    figure._repr_png_()
    assert (figure.get_size_inches().tolist(), figure.dpi) == (size, 100.0)
    figure.savefig(tmp_path / "run.png")
    with Image.open(tmp_path / "run.png") as image:
        assert image.size == pytest.approx([100 * side for side in size], abs=1)


def test_axes_of_the_user_keep_their_figure():
    figure = Figure()
    axes = figure.subplots()
    assert bouncing_ball().simulate(max_events=2).plot("gaps", ax=axes) is figure


def test_a_table_of_events_is_still_a_string():
    result = bouncing_ball().simulate()
    table = result.table(4)
    assert isinstance(table, str)
    assert table == result.events.table(4) == str(table) == repr(table) == pickle.loads(pickle.dumps(table))
    lines = table.splitlines()
    assert len(lines) == 6
    assert lines[3] == "... 48 more events ..."
    assert Page(pickle.loads(pickle.dumps(table))._repr_html_()).rows == Page(table._repr_html_()).rows
    nothing = result.events.between(0, 0.1).table()
    assert nothing == "no events"
    assert nothing._repr_html_() == "<p>no events</p>"


def test_both_forms_of_a_table_have_the_same_cells():
    rows = [["ball", "1", "", "x"], ["anvil", "20.5", "", ""]]
    table = Table(["name", "mass (kg)", "colour", "note"], rows)
    kept = [["name", "mass (kg)", "note"], ["ball", "1", "x"], ["anvil", "20.5", ""]]
    assert Page(table.html).rows == kept
    assert [re.split(" {2,}", line) for line in table.text.splitlines()] == [*kept[:2], kept[2][:2]]
    assert Listing(Table(["t"], [])) == ""


def test_slices_of_events_are_events_in_their_order():
    events = bouncing_ball().simulate().events
    assert events[::-1].t.tolist() == events.t[::-1].tolist()
    assert events[10:2:-3][1].t == events[7].t
    assert events[40:].impacts[-1].kind == "impact"
    assert len(events[40:].impacts) == len(events[40:]) - 1
    assert [event.t for event in pickle.loads(pickle.dumps(events[3:5]))] == events.t[3:5].tolist()
    assert len(events[:0]) == 0
