"""The page to play with: its numbers, its runs, its files and its sentences, without a browser."""

from __future__ import annotations

import asyncio
import csv
import io
import math
import sys
from pathlib import Path
from unittest.mock import patch
from urllib.parse import unquote, urlsplit

import pytest
from bokeh.document import Document
from bokeh.util.token import generate_jwt_token, generate_session_id
from example_scripts import run as run_script
from quick_members import KINDS_OF_READY, members

from sympact import models
from sympact.__main__ import DEMOS, main
from sympact.models import ball_ceiling_spring, bouncing_ball, dropped_cube
from sympact.show.play.play_dials import dials_of, set_numbers
from sympact.show.play.play_html import DOWNLOADS, downloads_html, events_html, outcome_html, shown
from sympact.show.play.play_page import _WORKER, Page, Shelf, make_server
from sympact.show.play.play_run import FILES, Refused, Run, attempt
from sympact.show.play.player import serve

FALL = {h: math.sqrt(2 * h / 9.81) for h in (1.0, 2.0)}
"""When a ball that is let go at the height h (m) meets the floor (s)."""


@pytest.fixture(autouse=True)
def drawn_to_the_end():
    """A page that is left draws on in its thread, and would draw among the texts that another test looks at."""
    yield
    _WORKER.submit(int).result()


def rows(text: str | bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text.decode() if isinstance(text, bytes) else text)))


def page_of(name: str = "") -> Page:
    page = Page(Document(), DEMOS, Shelf())
    page.choose(name)
    return page


@pytest.mark.parametrize("name", members(DEMOS, slow={*DEMOS} - KINDS_OF_READY))
def test_there_is_a_dial_for_every_number_and_it_keeps_its_sign(name):
    ready = getattr(models, name)()
    dials = {dial.key: dial for dial in dials_of(ready)}
    named = {"parameters": ready.named_parameters(), "start": ready.named_start(), "time": {"end": ready.t_span[1]}}
    assert {key: dial.value for key, dial in dials.items()} == {
        (group, name): value for group, values in named.items() for name, value in values.items()
    }
    quaternions = {("start", f"e_{k}") for k in range(4)}
    for key, dial in dials.items():
        assert dial.low <= dial.value <= dial.high
        steps = (dial.value - dial.low) / dial.step
        assert steps == pytest.approx(round(steps), abs=1e-9) or key in quaternions, "the number itself can be met"
        assert dial.low * dial.high >= 0 or dial.value == 0 or key in quaternions
    assert "e" not in named["parameters"] or (dials["parameters", "e"].low, dials["parameters", "e"].high) == (0, 1)


@pytest.mark.parametrize("name", members(DEMOS, slow={*DEMOS} - KINDS_OF_READY))
def test_names_of_the_start_are_those_of_the_result(name):
    ready = getattr(models, name)()
    assert tuple(ready.named_start()) == ready.simulate(max_events=1).state_names


def test_untouched_dials_leave_every_bit():
    ready = dropped_cube()
    same = set_numbers(ready, {dial.key: dial.read(dial.value) for dial in dials_of(ready)})
    assert (same.parameters, same.start, same.t_span) == (ready.parameters, ready.start, ready.t_span)


def test_a_quaternion_that_was_set_is_divided_by_its_norm():
    start = set_numbers(dropped_cube(), {("start", "e_0"): 0.1}).named_start()
    before = dropped_cube().named_start()
    assert math.hypot(*(start[f"e_{k}"] for k in range(4))) == pytest.approx(1, abs=1e-15)
    assert start["e_1"] / start["e_0"] == pytest.approx(before["e_1"] / 0.1, rel=1e-14)


@pytest.mark.parametrize(
    ("ready", "known"),
    [(bouncing_ball(), r"\['m', 'g', 'e'\]"), (ball_ceiling_spring(), r"\[\]")],
    ids=["model", "plain"],
)
def test_unknown_names_are_told_all_at_once(ready, known):
    with pytest.raises(
        ValueError, match=rf"parameters: unknown \['k'\]; the model has {known}; start: unknown \['w'\]"
    ):
        ready.with_numbers({"k": 1.0}, {"w": 2.0})


def test_a_run_has_the_numbers_that_were_set():
    run = attempt("bouncing_ball", "A ball", {("start", "z"): 2.0, ("time", "end"): 1.0})
    assert run.result.events[0].t == pytest.approx(FALL[2.0], rel=1e-12)
    assert run.result.t_span == (0, 1)
    assert f"{FALL[2.0]:.9g}" in events_html(run)


@pytest.mark.parametrize(
    "values", [{("start", "z"): -1.0}, {("parameters", "e"): 7.0}, {("start", "w"): 0.0}, {("time", "end"): 0.0}]
)
def test_what_cannot_run_is_a_sentence(values):
    refused = attempt("bouncing_ball", "A ball", values)
    assert isinstance(refused, Refused)
    assert refused.sentence[0].isupper()
    assert refused.sentence.endswith((".", "?"))
    assert "Traceback" not in refused.sentence


def test_a_run_that_ends_early_says_why():
    with patch("sympact.show.play.play_run.MAX_EVENTS", 3):
        run = attempt("bouncing_ball", "A ball", {})
    assert 'class="warned">The run ended early: t = 1.75' in outcome_html(run)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("two_links", {("parameters", "h"): 1.35, ("start", "u2"): -0.15}),
        pytest.param("dropped_cube", {("start", "e_0"): 0.3, ("time", "end"): 2.0}, marks=pytest.mark.slow),
        ("ball_ceiling_spring", {("start", "v"): 20.0}),
    ],
)
def test_the_script_makes_the_same_bits_by_itself(name, values, tmp_path):
    run = attempt(name, DEMOS[name], values)
    script = tmp_path / run.file("script").name
    script.write_bytes(run.file("script").content)
    assert run_script(script, tmp_path) == run.result.table() + "\n"
    data = (tmp_path / f"{name}.csv").read_bytes()
    assert data == run.file("data").content
    assert len(rows(data)) == len(run.result.t)
    assert (tmp_path / f"{name}.png").read_bytes().startswith(b"\x89PNG")


def test_every_file_of_a_mechanical_run_can_be_had():
    run = attempt("two_links", "Two links", {})
    files = {what: run.file(what) for what in FILES}
    assert len({file.name for file in files.values()}) == len(FILES)
    assert b"<h1>Two links</h1>" in files["report"].content
    assert all(files[what].content.startswith(b"\x89PNG") for what in ("motion", "energy"))
    assert b"<canvas" in files["animation"].content
    assert all(f'href="files/KEY/{what}"' in downloads_html(run, "KEY") for what in DOWNLOADS)


def test_plain_functions_have_no_animation_and_the_page_says_so():
    run = attempt("ball_ceiling_spring", "A ball", {})
    assert shown(run, "animation").startswith("<p>This result cannot be animated: it was made from plain functions")
    assert shown(run, "energy").startswith("<p>This result has no kinetic energy")
    assert "animation" not in downloads_html(run, "KEY")


def test_page_without_a_model_lists_them_and_an_unknown_one_too():
    assert all(f'href="?model={name}"' in page_of().said.text for name in DEMOS)
    unknown = page_of("<b>cube").said.text
    assert "There is no model &#x27;&lt;b&gt;cube&#x27;." in unknown
    assert 'href="?model=two_links"' in unknown


def test_page_runs_with_its_sliders_and_resets_them():
    page = page_of("bouncing_ball")
    page.sliders["start", "z"].value = 2.0
    asyncio.run(page.run())
    [run] = page.shelf.runs.values()
    assert isinstance(run, Run)
    assert f"{FALL[2.0]:.9g}" in page.panels["events"].text
    assert page.key in page.downloads.text
    page.reset()
    assert "press Run" in page.said.text
    asyncio.run(page.run())
    assert f"{FALL[1.0]:.9g}" in page.panels["events"].text
    assert len(page.shelf.runs) == 1, "the run before is forgotten"


def test_page_shows_a_sentence_and_nothing_of_the_run_before():
    page = page_of("rod_on_wall")
    asyncio.run(page.run())
    assert page.tabs.visible
    page.sliders["start", "y"].value = page.sliders["start", "y"].start
    asyncio.run(page.run())
    assert page.said.text.startswith('<p class="warned">The motion cannot start at t = 0: the contact')
    assert (page.tabs.visible, page.downloads.text, page.shelf.runs) == (False, "", {})
    assert not page.run_button.disabled, "another start can be tried"


async def head_of(server, path: str, host: str = "localhost", more: str = "") -> int:
    """The status that the running server answers to a request, as any program of this machine can write it."""
    reader, writer = await asyncio.open_connection("localhost", server.port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}\r\n{more}\r\n".encode())
    answer = (await reader.readline()).decode()
    writer.close()
    return int(answer.split()[1])


def asked(*requests: tuple[str, ...]) -> list[int]:
    """The statuses of requests (path, host, headers) to a new server; ``TOKEN`` and ``PORT`` stand for its own."""

    async def ask():
        server = make_server(DEMOS, 0)
        server.start()
        own = {"TOKEN": server.prefix.removeprefix("/"), "PORT": str(server.port)}
        try:
            found = []
            for request in requests:
                parts = [part.replace("TOKEN", own["TOKEN"]).replace("PORT", own["PORT"]) for part in request]
                found.append(await head_of(server, *parts))
        finally:
            server.stop()
        return found

    return asyncio.run(ask())


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost:PORT", 200),
        ("127.0.0.1:PORT", 200),
        ("localhost", 200),
        ("rebound.example:PORT", 403),
        ("localhost.rebound.example:PORT", 403),
        ("", 403),
    ],
)
@pytest.mark.parametrize("path", ["/TOKEN/", "/TOKEN/files/key/report", "/TOKEN/ws"])
def test_page_answers_requests_to_this_machine_alone(host, status, path):
    """A name of somebody else's that leads to this machine (DNS rebinding) gets a refusal, whatever it asks for."""
    [found] = asked((path, host))
    assert found == status if path == "/TOKEN/" or status == 403 else found != 403


UPGRADE = (
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: bokeh, {session}\r\n"
)


@pytest.mark.parametrize("begin", ["", "/", "/wrong/", "/token/", "/TOKENx/", "//TOKEN/", "/x/TOKEN/", "/%C3%A9/"])
def test_nothing_is_served_without_the_token(begin):
    """To another user of this machine, who can reach the port and does not know the address that was printed."""
    session, origin = UPGRADE.format(session=generate_session_id()), "Origin: http://localhost:PORT\r\n"
    places = ["", "ws", "static/js/bokeh.min.js", "metadata", "autoload.js", "files/key/report", "?model=two_links"]
    requests = [(f"{begin}{place}" or "/", "localhost:PORT") for place in places]
    sockets = [(f"{begin}ws" if begin else "/ws", "localhost:PORT", head) for head in (session, session + origin)]
    assert set(asked(*requests, *sockets)) == {403}


def test_with_the_token_page_scripts_and_websocket_answer_again_and_again():
    """A page that is opened again in the same browser has the same address; a foreign origin is refused as before."""
    socket = UPGRADE.format(session=generate_jwt_token(generate_session_id()))
    own, foreign = (socket + f"Origin: http://{host}\r\n" for host in ("localhost:PORT", "rebound.example"))
    pages = [("/TOKEN/", "localhost:PORT"), ("/TOKEN/?model=bouncing_ball", "localhost:PORT")] * 2
    scripts = ("/TOKEN/static/js/bokeh.min.js", "localhost:PORT")
    websockets = [("/TOKEN/ws", "localhost:PORT", head) for head in (own, own, foreign)]
    assert asked(*pages, scripts, *websockets) == [200, 200, 200, 200, 200, 101, 101, 403]


def test_every_server_has_a_token_of_its_own():
    tokens = [make_server(DEMOS, 0).prefix for _ in range(3)]
    assert len(set(tokens)) == 3
    assert all(len(token) >= 40 for token in tokens)


def test_browser_learns_the_token_from_a_file_of_the_owner(tmp_path):
    """The command line of a browser is readable by all users of a machine."""
    with (
        patch("sympact.show.play.player.webbrowser.open") as opened,
        patch("bokeh.server.server.Server.io_loop") as loop,
    ):
        seen = {}

        def start():
            [call] = loop.add_callback.call_args_list
            call.args[0](*call.args[1:])
            [address] = opened.call_args.args
            path = Path(unquote(urlsplit(address).path))
            seen.update(address=address, path=path, text=path.read_text(), mode=path.parent.stat().st_mode & 0o077)

        loop.start.side_effect = start
        with patch("builtins.print") as printed:
            serve(DEMOS, "two_links", 0)
    [said] = printed.call_args.args
    printed_address = said.split()[4]
    token = urlsplit(printed_address).path.strip("/")
    assert token not in seen["address"]
    assert f"url={printed_address}" in seen["text"]
    assert seen["mode"] == 0 or sys.platform == "win32"
    assert not seen["path"].exists(), "it goes with the server"


def test_command_refuses_an_unknown_name(capsys):
    assert main(["play", "cube"]) == 2
    printed = capsys.readouterr()
    assert "there is no demo 'cube'" in printed.err
    assert "python -m sympact play NAME" in printed.out
    assert main(["demo", "two_linkz"]) == 2
    assert "there is no demo 'two_linkz'; did you mean 'two_links'?" in capsys.readouterr().err


def test_missing_library_is_a_sentence_with_its_cure(capsys):
    with patch.dict(sys.modules, {"bokeh.document": None, "sympact.show.play.play_page": None}):
        del sys.modules["sympact.show.play.play_page"]
        assert main(["play", "two_links"]) == 1
    assert "needs Bokeh" in (said := capsys.readouterr().err)
    assert "python -m pip install 'sympact[play]'" in said


def test_taken_port_is_a_sentence(capsys):
    with patch("sympact.show.play.play_page.make_server", side_effect=OSError(98, "Address already in use")):
        assert main(["play", "--no-browser", "--port", "5006"]) == 1
    assert capsys.readouterr().err == "the page cannot be at port 5006: Address already in use; try --port 0\n"
