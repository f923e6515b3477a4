"""Animations show the run that was made: at the right times, from the right side, in files that play anywhere."""

from __future__ import annotations

import json
import math
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from functools import cache
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from dropped_ball import dropped_ball
from example_scripts import ROOT
from example_scripts import run as run_script
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text
from PIL import Image
from quick_members import members
from sympy import symbols
from sympy.physics.mechanics import Force, Particle, Point, ReferenceFrame, System, dynamicsymbols

from sympact import Box, HybridModel, Trace, load, models
from sympact.show.animation.camera import axes_of, fit
from sympact.show.animation.canvas import Canvas
from sympact.show.animation.clock import AROUND, MOST_FRAMES, frame_times
from sympact.show.animation.film import durations
from sympact.show.animation.formats import FORMATS, Format
from sympact.show.animation.scene import Trail
from sympact.show.animation.web_page import data_of, page_of

MODELS = ("bead_on_hill", "bouncing_ball", "dropped_cube", "jack_in_a_box", "rod_on_wall", "shaking_table",
          "tumbling_cube", "two_links")  # fmt: skip
NODE = shutil.which("node")


@cache
def run(name: str):
    """A ready-made system and its run."""
    ready = getattr(models, name)()
    return ready, ready.simulate()


@cache
def animation(name: str, **options):
    ready, result = run(name)
    return result.animate(units=ready.units, **options)


spans = st.tuples(st.floats(-10, 10), st.floats(0.01, 20)).map(lambda pair: (pair[0], pair[0] + pair[1]))


@given(
    span=spans,
    fps=st.floats(1, 60),
    speed=st.floats(0.5, 4),
    slow=st.none() | st.floats(0.05, 1),
    places=st.lists(st.floats(0, 1), max_size=5),
)
def test_frames_ascend_from_the_first_to_the_last_time(span, fps, speed, slow, places):
    events = sorted(span[0] + place * (span[1] - span[0]) for place in places)
    times = frame_times(span, fps, speed, slow, events)
    assert (times[0], times[-1]) == span
    assert np.all(np.diff(times) > 0)
    # no frame is further from the next than the speed allows; rounding to whole frames stretches by up to a factor
    whole = (span[1] - span[0]) / speed * fps
    assert np.diff(times).max() <= speed / fps * max(1.0, whole) / max(1.0, round(whole)) * 1.5 + 1e-9


def test_frames_are_in_real_time():
    np.testing.assert_allclose(np.diff(animation("two_links").scene.times), 1 / 25, rtol=1e-12)
    np.testing.assert_allclose(np.diff(animation("two_links", speed=2.0).scene.times), 2 / 25, rtol=1e-12)


def test_slow_motion_surrounds_each_impact_by_half_a_second_on_both_sides():
    times = frame_times((0, 10), fps=50, speed=2, slow=0.1, events=[4.0])
    half = AROUND * 2 * 0.1
    inside = (times[:-1] >= 4 - half) & (times[1:] <= 4 + half)
    apart = np.diff(times)
    outside = (times[1:] <= 4 - half) | (times[:-1] >= 4 + half)
    np.testing.assert_allclose(apart[inside], 2 * 0.1 / 50, rtol=1e-9)
    np.testing.assert_allclose(apart[outside], 2 / 50, rtol=1e-9)
    assert inside.sum() == pytest.approx(2 * AROUND * 50, abs=2)


def test_slow_motion_is_where_the_run_has_impacts():
    scene = animation("rod_on_wall", slow=0.1).scene
    impacts = [event.t for event in run("rod_on_wall")[1].events if event.kind == "impact"]
    apart = np.diff(scene.times)
    middles = (scene.times[1:] + scene.times[:-1]) / 2
    near = np.abs(middles[:, None] - impacts).min(axis=1) < 0.04
    assert near.any()
    assert apart[near].max() == pytest.approx(0.1 / 25, rel=0.01)
    assert apart.max() == pytest.approx(1 / 25, rel=0.01)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"fps": 0}, "fps is 0, expected a positive number of frames"),
        ({"fps": "many"}, "fps is 'many'"),
        ({"speed": -1}, "speed is -1, expected a positive number of seconds"),
        ({"speed": math.inf, "fps": math.nan}, "fps is nan.*; speed is inf"),
        ({"slow": 2}, "slow is 2, expected a number above 0 and up to 1"),
        ({"speed": 1e-3}, f"would have 125000 frames, more than {MOST_FRAMES}; choose speed=0.042 or more"),
        ({"units": {"lenght": "m"}}, r"units: unknown \['lenght'\]"),
        ({"view": 30}, "view is 30, expected azimuth and elevation in degrees"),
        ({"view": (0, 90)}, r"view is \(0, 90\)"),
        ({"path": "ball.avi"}, "written as .gif, .mp4 or .html; found 'ball.avi'"),
        ({"path": "ball"}, "written as .gif, .mp4 or .html; found 'ball'"),
        ({"path": "ball.png"}, r"for one frame use animation\.figure\(t\)\.savefig"),
        ({"path": "nowhere/ball.gif"}, "there is no folder 'nowhere'"),
    ],
)
def test_wrong_wishes_are_refused_in_sentences(options, sentence):
    with pytest.raises(ValueError, match=sentence):
        run("bouncing_ball")[1].animate(**options)


def test_a_further_format_is_an_entry_in_the_table(tmp_path, monkeypatch):
    """Here the times of the frames as text; every sentence that lists the formats names it."""
    as_text = Format(lambda scene, path: np.savetxt(path, scene.times))
    monkeypatch.setitem(FORMATS, ".txt", as_text)
    shown = run("bouncing_ball")[1].animate(tmp_path / "ball.TXT")
    assert np.loadtxt(tmp_path / "ball.TXT").tolist() == shown.scene.times.tolist()
    assert "writes .gif, .mp4, .html or .txt" in repr(shown)
    with pytest.raises(ValueError, match=r"written as \.gif, \.mp4, \.html or \.txt; found"):
        shown.save(tmp_path / "ball.avi")


def test_a_process_of_plain_functions_has_nothing_to_show():
    with pytest.raises(TypeError, match=r"made from plain functions or loaded from a file.*; run a HybridModel"):
        dropped_ball().animate("ball.gif")


def test_a_loaded_run_has_nothing_to_show(tmp_path):
    run("bouncing_ball")[1].save(tmp_path / "ball.npz")
    with pytest.raises(TypeError, match="cannot be animated: it was made from plain functions or loaded from a file"):
        load(tmp_path / "ball.npz").animate()


def test_a_plain_process_is_refused_without_sympy_or_matplotlib():
    program = """
import sys
from sympact import HybridSystem
try:
    HybridSystem({"up": lambda t, x: [1.0]}, []).simulate((0, 1), [0.0], start="up").animate()
except TypeError:
    print({"sympy", "matplotlib"} & set(sys.modules))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "set()", done.stderr


@pytest.mark.parametrize("name", MODELS)
def test_motions_in_a_plane_are_looked_at_squarely(name):
    view = animation(name).scene.view
    assert view.planar == ("cube" not in name)
    np.testing.assert_allclose(view.axes @ view.axes.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(view.axes) == pytest.approx(1)


@pytest.mark.parametrize(
    ("name", "labels"),
    [
        ("two_links", ("z (m)", "\u2212y (m)")),
        ("bouncing_ball", ("x (m)", "z (m)")),
        ("rod_on_wall", ("x (m)", "y (m)")),
    ],
)
def test_up_is_against_the_weight(name, labels):
    assert animation(name).scene.view.labels == labels


def test_without_a_weight_the_one_surface_tells_what_is_up():
    circle = np.stack([np.cos(np.arange(9)), np.sin(np.arange(9)), np.zeros(9)], axis=-1)[:, None]
    axes, planar = axes_of(circle, np.zeros(3), np.array([[1.0, 0, 0]]))
    assert planar
    np.testing.assert_array_equal(axes[1], [1, 0, 0])


def test_a_view_can_be_chosen_for_a_planar_motion():
    assert not animation("two_links", view=(-60, 20)).scene.view.planar


@pytest.mark.parametrize("name", MODELS)
def test_everything_that_moves_stays_in_the_picture(name):
    scene = animation(name).scene
    moving = [point for item in scene.items if item.layer > 0 for point in getattr(item, "points", ())]
    drawn = scene.view.project(scene.points[:, moving])[..., :2]
    assert np.all((drawn > scene.view.low) & (drawn < scene.view.high))


@pytest.mark.parametrize("name", MODELS)
def test_no_word_is_cut_off(name):
    scene = animation(name, title="A title").scene
    middle = len(scene.times) // 2
    figure = animation(name, title="A title").figure(scene.times[middle])
    with patch.object(Text, "draw", autospec=True) as draw:
        FigureCanvasAgg(figure).draw()
    texts = [call.args[0] for call in draw.call_args_list if call.args[0].get_visible() and call.args[0].get_text()]
    assert {"A title", scene.caption(middle)} <= {text.get_text() for text in texts}
    width, height = figure.canvas.get_width_height()
    for text in texts:
        box = text.get_window_extent()
        assert min(box.x0, box.y0, width - box.x1, height - box.y1) >= 0, text.get_text()


def test_long_names_of_modes_widen_the_page():
    scene = replace(animation("bouncing_ball").scene, stages=["W" * 60] * 2, title="M" * 40)
    figure = Canvas(scene).still(100)
    FigureCanvasAgg(figure).draw()
    for text in figure.texts:
        assert 0 <= text.get_window_extent().x0 < text.get_window_extent().x1 <= figure.canvas.get_width_height()[0]


def test_a_weight_across_the_motion_needs_no_number():
    m, g, x, y, u, v = *symbols("m g"), *dynamicsymbols("x y u v")
    N, O = ReferenceFrame("N"), Point("O")
    puck = Particle("puck", O.locatenew("P", x * N.x + y * N.y), m)
    system = System(N, O)
    system.add_bodies(puck)
    system.add_coordinates(x, y)
    system.add_speeds(u, v)
    system.add_kdes(u - x.diff(), v - y.diff())
    system.apply_uniform_gravity(-g * N.z)
    system.add_loads(Force(puck.masscenter, -x * N.x))
    result = HybridModel(system, []).simulate((0, 1), [0.0, 0.0, 1.0, 2.0], {m: 1.0})
    assert result.animate().scene.view.labels == ("x", "y")
    assert np.isfinite(result.animate(view=(-60, 20)).scene.view.axes).all()


def test_scales_are_equal():
    for name in ("two_links", "tumbling_cube"):
        canvas = Canvas(animation(name).scene)
        axes = canvas.figure.axes[0]
        across, up = np.diff(axes.transData.transform([[0, 0], [1, 1]]), axis=0)[0]
        assert across == pytest.approx(up, rel=1e-3)  # the page has a whole number of pixels


def test_the_smallest_picture_is_not_a_line():
    low, high = fit(np.zeros((1, 2)))
    assert np.all(high > low)


def test_the_time_and_the_mode_stand_above():
    """The rod leaves the wall at 0.89 s; before that both of its ends are held."""
    scene = animation("rod_on_wall").scene
    assert scene.caption(10) == "t = 0.40 s    A on wall; B on floor"
    assert scene.caption(25) == "t = 1.00 s    B on floor"


def test_impulses_flash_along_the_normal_as_long_as_they_are_large():
    scene, result = animation("bouncing_ball").scene, run("bouncing_ball")[1]
    first, second = scene.flashes[:2]
    for flash, event in zip((first, second), result.events[:2], strict=True):
        assert scene.times[flash.first - 1] < event.t <= scene.times[flash.first]
        np.testing.assert_array_equal(flash.arrow[:2], 0)
        np.testing.assert_allclose(flash.tail, [0, 0, event.x_minus[0]], rtol=0, atol=1e-15)
    # the speed falls by e = 0.8 at each impact, and the impulse (1 + e) m v with it
    assert second.arrow[2] / first.arrow[2] == pytest.approx(0.8, rel=1e-6)
    assert first.arrow[2] > 0
    assert animation("bouncing_ball", impulses=False).scene.flashes == []


@pytest.mark.parametrize("name", ["dice", "tumbling_cube"])
def test_arrows_stay_where_the_impacts_were_and_are_as_large_as_the_body(name):
    """The corner hits the floor at z = 0 and moves away from its arrow, which has about the length of an edge."""
    ready, scene = run(name)[0], animation(name).scene
    edge = ready.named_parameters()["a"]
    data = data_of(scene)
    floor = {tuple(np.round(flash.tail[2:], 9) + 0.0) for flash in scene.flashes}
    assert floor == {(0.0,)}
    assert 0.5 * edge < max(np.linalg.norm(flash.arrow) for flash in scene.flashes) < 2 * edge
    for flash, drawn in zip(scene.flashes, data["flashes"], strict=True):
        assert flash.last > flash.first
        tail = np.array(drawn["ends"][:3]) * data["scale"] + data["origin"]
        np.testing.assert_allclose(tail, scene.view.project(flash.tail), atol=data["scale"])


def test_impulses_push_to_the_free_side():
    """Up from the floor of the links, which is along +y; inwards from the walls of the jack's box."""
    assert all(flash.arrow[1] < 0 for flash in animation("two_links").scene.flashes)
    for flash in animation("jack_in_a_box").scene.flashes:
        assert flash.tail @ flash.arrow < 0


def test_a_gif_has_all_frames_in_real_time(tmp_path):
    one = animation("two_links", fps=5)
    one.save(tmp_path / "links.gif")
    with Image.open(tmp_path / "links.gif") as image:
        assert image.n_frames == len(one.scene.times) == 51
        assert (np.asarray(image.convert("RGB")) == 255).all(axis=-1).mean() > 0.5
        total = sum(_duration(image, k) for k in range(image.n_frames))
    assert total == 10_200
    assert (tmp_path / "links.gif").stat().st_size < 600_000


def _duration(image: Image.Image, k: int) -> int:
    image.seek(k)
    return image.info["duration"]


@given(count=st.integers(1, 300), fps=st.floats(1, 60))
def test_frames_of_a_gif_do_not_drift(count, fps):
    shown = np.cumsum(durations(count, fps))
    assert np.abs(shown - 1000 * np.arange(1, count + 1) / fps).max() <= 5.001


def test_frames_differ_and_show_the_colours_of_the_bodies():
    frames = [np.asarray(frame) for frame in Canvas(animation("two_links", fps=1).scene).frames()]
    assert len(frames) == 11
    assert len({frame.tobytes() for frame in frames}) == 11
    blue = np.array([0x27, 0x49, 0x6D])
    assert all((frame == 255).all(axis=-1).mean() > 0.5 for frame in frames)
    assert all((np.abs(frame.astype(int) - blue).max(axis=-1) < 3).sum() > 200 for frame in frames)


def test_a_still_shows_what_the_frame_shows():
    scene = animation("rod_on_wall").scene
    frame = np.asarray(list(Canvas(scene).frames())[30])
    figure = animation("rod_on_wall").figure(float(scene.times[30]))
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    still = np.asarray(canvas.buffer_rgba())[:, :, :3]
    # artists without clipping at the axes and in another order of drawing differ in few pixels
    assert (np.abs(frame.astype(int) - still.astype(int)).max(axis=-1) > 40).mean() < 0.01
    with pytest.raises(ValueError, match="t = 7 is outside this animation, which goes from 0 to 3"):
        animation("rod_on_wall").figure(7)


def test_a_frame_does_not_depend_on_the_frames_before_it():
    """Artists are moved from frame to frame; none keeps anything of the frame before."""
    scene = animation("tumbling_cube", fps=5).scene
    forward = [frame.tobytes() for frame in Canvas(scene).frames()]
    backward = [frame.tobytes() for frame in Canvas(scene).frames(reversed(range(len(forward))))]
    assert forward == backward[::-1]


def ffmpeg(folder: Path, monkeypatch, script: str) -> None:
    """Put a program called ffmpeg, and nothing else but the shell's own, on the PATH."""
    program = folder / "ffmpeg"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}/usr/bin{os.pathsep}/bin")


def test_a_film_goes_to_ffmpeg_frame_by_frame(tmp_path, monkeypatch):
    ffmpeg(tmp_path, monkeypatch, 'for last; do :; done; { echo "$@"; wc -c; } > "$last"')
    animation("bouncing_ball", fps=5).save(tmp_path / "ball.mp4")
    arguments, count = (tmp_path / "ball.mp4").read_text().splitlines()
    width, height = map(int, re.search(r"-s (\d+)x(\d+) -r 5 ", arguments).groups())
    assert width % 2 == height % 2 == 0  # H.264 halves the colours
    assert int(count) == 26 * width * height * 3


def test_what_ffmpeg_says_when_it_fails_is_told(tmp_path, monkeypatch):
    ffmpeg(tmp_path, monkeypatch, "echo no such codec >&2; exit 1")
    with pytest.raises(ValueError, match=r"ffmpeg could not write .*ball\.mp4': no such codec"):
        animation("bouncing_ball", fps=5).save(tmp_path / "ball.mp4")


@pytest.mark.parametrize("suffix", members([".gif", ".mp4"], slow=[".gif"]))
def test_an_interrupted_film_leaves_the_older_file_as_it_was(tmp_path, monkeypatch, suffix):
    programs = tmp_path / "programs"
    programs.mkdir()
    ffmpeg(programs, monkeypatch, 'for last; do :; done; cat > "$last"')
    film = tmp_path / f"ball{suffix}"
    film.write_bytes(b"an older film")
    shown, pose = animation("bouncing_ball", fps=5), Canvas.pose

    def interrupted(canvas: Canvas, k: int) -> list:
        if k == 7:
            raise KeyboardInterrupt
        return pose(canvas, k)

    monkeypatch.setattr(Canvas, "pose", interrupted)
    with pytest.raises(KeyboardInterrupt):
        shown.save(film)
    assert film.read_bytes() == b"an older film"
    assert sorted(tmp_path.iterdir()) == [film, programs]
    monkeypatch.setattr(Canvas, "pose", pose)
    shown.save(film)
    assert film.stat().st_size > 1000
    assert sorted(tmp_path.iterdir()) == [film, programs]


def test_without_ffmpeg_a_film_is_refused_at_once(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ValueError, match=r"an MP4 needs the program ffmpeg.* or write a \.gif or \.html"):
        run("bouncing_ball")[1].animate(tmp_path / "ball.mp4")


class Page(HTMLParser):
    """Everything a page refers to, and the text of its scripts."""

    def __init__(self, page: str):
        super().__init__()
        self.links, self.scripts, self.ids, self._inside = [], [], set(), False
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.links += [attributes[name] for name in ("src", "href", "data", "srcset") if name in attributes]
        self.ids.add(attributes.get("id"))
        self._inside = tag == "script"
        if self._inside:
            self.scripts.append("")

    def handle_endtag(self, tag):
        self._inside = False

    def handle_data(self, data):
        if self._inside:
            self.scripts[-1] += data


@pytest.mark.parametrize("name", ["two_links", "tumbling_cube"])
def test_a_page_needs_nothing_else(name):
    page = page_of(animation(name).scene)
    parsed = Page(page)
    assert parsed.links == []
    assert not re.search(r"https?:|//\w+\.|@import|url\(|fetch|XMLHttp", page)
    assert {"play", "slider", "canvas", "rate"} <= parsed.ids
    assert len(page) < 100_000


@pytest.mark.parametrize("name", ["two_links", "dropped_cube", "jack_in_a_box"])
def test_a_page_holds_the_points_of_the_run(name):
    scene = animation(name).scene
    data = json.loads(Page(page_of(scene)).scripts[0])
    assert data["times"] == pytest.approx(scene.times.tolist())
    assert [len(frame) for frame in data["moving"]] == [len(data["moving"][0])] * len(scene.times)
    for k in (0, len(scene.times) // 2):
        sources = [(data["moving"][k], place) if place >= 0 else (data["still"], -1 - place) for place in data["place"]]
        whole = np.array([numbers[3 * place : 3 * place + 3] for numbers, place in sources])
        found = np.array(data["origin"]) + data["scale"] * whole
        np.testing.assert_allclose(found, scene.view.project(scene.points[k]), rtol=0, atol=0.51 * data["scale"])


def test_a_title_cannot_break_out_of_its_page():
    title = "</script><script>alert(1)</script><!--"
    page = page_of(animation("bouncing_ball", title=title).scene)
    parsed = Page(page)
    assert len(parsed.scripts) == 2
    assert json.loads(parsed.scripts[0])["title"] == title


@pytest.mark.skipif(NODE is None, reason="no node to run the page's script with")
@pytest.mark.parametrize("name", ["two_links", "tumbling_cube"])
def test_a_page_plays(name, tmp_path):
    one = animation(name)
    one.save(tmp_path / "page.html")
    script = Path(__file__).parents[1] / "page_in_node.js"
    done = subprocess.run([NODE, script, tmp_path / "page.html"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    last = len(one.scene.times) - 1
    assert [frame["frame"] for frame in said["frames"]] == [last, last // 2, 0]
    for frame in said["frames"]:
        words = [call[1] for call in frame["calls"] if call[0] == "fillText"]
        assert one.scene.caption(frame["frame"]) in words
        assert frame["play"] == "Play"
        numbers = [value for call in frame["calls"] if call[0] in ("moveTo", "lineTo", "arc") for value in call[1:]]
        assert numbers
        assert all(isinstance(value, int | float) for value in numbers)
    assert (said["afterASecond"], said["afterKey"]) == (25, 24)
    assert (said["turned"] > 0) == (not one.scene.view.planar)


def test_a_notebook_shows_the_page_in_a_frame_of_its_own():
    shown = animation("bouncing_ball")._repr_html_()
    page = re.fullmatch(r'<iframe srcdoc="([^"]*)" style="[^"]*" title="animation"></iframe>', shown).group(1)
    assert unescape(page) == page_of(animation("bouncing_ball").scene)


def test_animate_writes_the_file_and_returns_the_animation(tmp_path):
    result = run("bouncing_ball")[1]
    one = result.animate(tmp_path / "ball.HTML")
    assert "sympact" in (tmp_path / "ball.HTML").read_text()
    assert repr(one).startswith("<Animation of 126 frames, 25 in a second: t = 0 to 5")


SCRIPT = ROOT / "docs" / "how-to" / "two_links.py"


def test_the_script_from_import_to_animation_is_short():
    assert sum(1 for line in SCRIPT.read_text(encoding="utf-8").splitlines() if line.strip()) <= 25


@pytest.mark.slow
def test_the_script_from_import_to_animation_runs(tmp_path):
    """In a quick run `test_manual` runs it with a page as its film; above there is a film of these links."""
    run_script(SCRIPT, tmp_path)
    with Image.open(tmp_path / "two_links.gif") as image:
        assert image.n_frames == 251


def test_a_run_without_duration_is_one_frame():
    assert frame_times((1.0, 1.0), fps=25).tolist() == [1.0]


def test_the_numbers_of_a_page_are_plain():
    text = json.dumps(data_of(animation("tumbling_cube").scene), allow_nan=False)
    assert "NaN" not in text


def test_a_body_that_hides_its_corners_has_no_dots():
    cube, result = run("dropped_cube")
    body = cube.model.derivation.survey.bodies[0]
    scene = result.animate(shapes=[Box(body, (1, 1, 1)), Trace(body)]).scene
    assert {type(item).__name__ for item in scene.items if item.layer > 0} == {"Face", "Trail"}
    assert any(isinstance(item, Trail) for item in scene.items)
