"""The page to play with in a real browser: sliders move, runs change what is seen, files come down.

`make docs` runs these tests beside those of the manual in a browser.
"""

from __future__ import annotations

import csv
import math
import re
import subprocess
import sys
from collections.abc import Iterator

import chromium
import pytest

from sympact.models import two_links
from sympact.show.play.play_dials import dials_of
from sympact.show.play.play_run import attempt

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WAIT = 60_000
"""ms: a machine that compiles the loop first takes its time."""


@pytest.fixture(scope="module")
def browser() -> Iterator:
    with chromium.started() as browser:
        yield browser


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    command = [sys.executable, "-m", "sympact", "play", "--no-browser", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        said = server.stdout.readline()
        yield re.search(r"http://\S+", said)[0]
        server.terminate()


@pytest.fixture
def page(browser, address) -> Iterator:
    page = browser.new_page(viewport={"width": 1250, "height": 800})
    page.set_default_timeout(WAIT)
    page.asked, page.faults = set(), []
    page.on("request", lambda request: page.asked.add(request.url))
    page.on("pageerror", lambda error: page.faults.append(str(error)))
    yield page
    assert page.faults == [], "no script fails"
    assert {url for url in page.asked if url.startswith("http") and not url.startswith(address)} == set(), "offline"
    page.close()


def show(page, panel: str) -> None:
    page.locator(".bk-tab", has_text=panel).click()


def wait_for_first_event(page, t: float) -> None:
    """Until the table of events begins with an event at the time t."""
    show(page, "Events")
    page.wait_for_selector(f'tbody tr:first-child td:has-text("{t:.9g}")')


def press(page, slider: str, key: str, times: int = 1) -> None:
    handle = page.locator(".bk-Slider", has_text=slider).locator(".noUi-handle")
    for _ in range(times):
        handle.press(key)


def run(page) -> None:
    """Press the button; a run is over when its files have other addresses."""
    before = page.locator("a.file").first.get_attribute("href")
    page.get_by_role("button", name="Run", exact=True).click()
    page.wait_for_selector(f'a.file:not([href="{before}"])')


def download(page, text: str, folder) -> bytes:
    with page.expect_download() as coming:
        page.locator("a.file", has_text=text).click()
    path = folder / coming.value.suggested_filename
    coming.value.save_as(path)
    return path.read_bytes()


def test_choose_move_run_look_and_download(page, address, tmp_path):
    page.goto(address)
    page.get_by_text("a ball that bounces").last.click()
    page.wait_for_selector("a.file")
    wait_for_first_event(page, math.sqrt(2 / 9.81))
    show(page, "Motion")
    picture = page.get_by_alt_text("motion").get_attribute("src")

    press(page, "z (m)", "ArrowRight", times=4)
    page.wait_for_selector("text=The numbers have changed")
    run(page)
    wait_for_first_event(page, math.sqrt(2 * 1.2 / 9.81))
    show(page, "Motion")
    assert page.get_by_alt_text("motion").get_attribute("src") != picture
    box = page.get_by_alt_text("motion").bounding_box()
    assert box["x"] + box["width"] <= 1250, "nothing is cut off"

    same = attempt("bouncing_ball", "a ball that bounces until it is at rest", {("start", "z"): 1.2})
    assert download(page, "data", tmp_path) == same.file("data").content
    assert download(page, "script", tmp_path) == same.file("script").content
    assert download(page, "report", tmp_path) == same.file("report").content
    with open(tmp_path / "bouncing_ball.csv", newline="") as file:
        assert next(csv.DictReader(file))["z"] == "1.2"


def test_animation_plays_in_the_page(page, address):
    page.goto(f"{address}?model=two_links")
    page.wait_for_selector("a.file")
    frame = page.frame_locator("iframe")
    clock = frame.locator("input[type=range]")
    begin = clock.input_value()
    page.wait_for_timeout(500)
    assert clock.input_value() != begin
    box = frame.locator("canvas").bounding_box()
    assert 600 < box["width"] <= 1250 - box["x"], "it fills the page"


def test_bad_start_is_a_sentence_and_the_page_goes_on(page, address):
    page.goto(f"{address}?model=rod_on_wall")
    page.wait_for_selector("a.file")
    press(page, "y (m)", "ArrowLeft", times=3)
    page.get_by_role("button", name="Run", exact=True).click()
    page.wait_for_selector("p.warned")
    assert "The motion cannot start at t = 0" in page.locator("p.warned").inner_text()
    assert page.locator("a.file").count() == 0
    page.get_by_role("button", name="Reset the numbers").click()
    page.get_by_role("button", name="Run", exact=True).click()
    page.wait_for_selector("a.file")
    assert page.locator("p.warned").count() == 0


def test_chooser_changes_the_sliders(page, address):
    page.goto(f"{address}?model=bouncing_ball")
    page.wait_for_selector("a.file")
    page.locator("select").select_option(label="two links on a pivot above a floor")
    page.wait_for_selector("text=q1 (rad)")
    assert page.locator(".bk-Slider").count() == len(dials_of(two_links()))
