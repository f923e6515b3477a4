"""The promise: the manual that ``make docs`` builds can be read on any screen and without a network.

These tests read what was built last, and are skipped where nothing was, or where a source is newer. They are slow
because ``make docs`` runs them itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import chromium
import pytest
from manual_code import DOCS

pytestmark = pytest.mark.slow

BUILT = DOCS / "_build" / "html"
SOURCES = (".rst", ".inc", ".py", ".css", ".js")
NARROW, WIDE = 400, 1280
"""px: windows of a telephone and of a small notebook."""

LOOK = """() => {
    const all = selector => [...document.querySelectorAll(selector)];
    return {
        width: Math.max(...all("html, .content").map(box => box.getBoundingClientRect().left + box.scrollWidth)),
        cut: all("pre").filter(pre => !pre.closest(".wide") && pre.scrollWidth > pre.clientWidth + 1)
            .map(pre => pre.innerText.split("\\n")[0]),
        tables: all(".wide").length,
        blocks: all("div.highlight").length,
        buttons: all("div.highlight button.copybtn").length,
        formulas: all(".math").length,
        typeset: all(".math mjx-container").length,
        wrong: all("mjx-merror, [data-mjx-error]").map(formula => formula.innerText),
    };
}"""


@dataclass
class Written(HTMLParser):
    """What a file of HTML says of itself."""

    title: str = ""
    heading: str = ""
    sections: int = 0
    contents: bool = False
    loaded: list[str] = field(default_factory=list)
    _inside: str = ""

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attributes: list) -> None:
        found, self._inside = dict(attributes), tag
        self.sections += tag == "h2"
        self.contents |= "toc-tree" in (found.get("class") or "").split()
        if tag in ("script", "img", "iframe", "source", "video", "audio") and found.get("src"):
            self.loaded.append(found["src"])
        if tag == "link" and found.get("rel") in ("stylesheet", "icon", "preload", "modulepreload", "shortcut icon"):
            self.loaded.append(found["href"])

    def handle_data(self, data: str) -> None:
        if self._inside == "title" and not self.title:  # later ones are those of drawings
            self.title = data
        if self._inside == "h1" and not self.heading:
            self.heading = data


@cache
def written(page: Path) -> Written:
    parsed = Written()
    parsed.feed(page.read_text(encoding="utf-8"))
    return parsed


@pytest.fixture(scope="module")
def pages() -> list[Path]:
    """The files of HTML that were built from pages."""
    index = BUILT / "searchindex.js"
    if not index.exists():
        pytest.skip("the manual is not built: make docs")
    sources = [path for path in DOCS.rglob("*") if path.suffix in SOURCES and "_build" not in path.parts]
    if max(path.stat().st_mtime for path in sources) > index.stat().st_mtime:
        pytest.skip("the manual that is built is older than its sources: make docs")
    return [BUILT / path.relative_to(DOCS).with_suffix(".html") for path in sorted(sources) if path.suffix == ".rst"]


def test_every_page_has_a_title_and_a_heading(pages):
    faults = [page.name for page in pages if "no title" in written(page).title or not written(page).heading]
    assert faults == []
    assert written(BUILT / "index.html").heading == "sympact"
    assert len({written(page).title for page in pages}) == len(pages)


def test_every_page_of_several_sections_has_its_contents_beside_it(pages):
    assert [page.name for page in pages if written(page).sections > 1 and not written(page).contents] == []


def test_no_page_loads_anything_that_did_not_come_with_it(pages):
    for page in BUILT.rglob("*.html"):
        for name in written(page).loaded:
            assert not re.match(r"\w+:|//", name), f"{page.name} loads {name}"
            assert (page.parent / name.partition("?")[0]).exists(), f"{page.name} loads {name}, which is not there"


@pytest.fixture(scope="module")
def tab(pages) -> Iterator:
    """A tab of a browser without a network; `asked` are the files that it loads, `faults` what fails."""
    with chromium.started() as browser:
        tab = browser.new_context(offline=True).new_page()
        tab.asked, tab.faults = set(), set()
        tab.on("request", lambda request: tab.asked.add(request.url))
        tab.on("requestfailed", lambda request: tab.faults.add(request.url))
        tab.on("pageerror", lambda error: tab.faults.add(str(error)))
        yield tab


@pytest.fixture(scope="module")
def looks(pages, tab) -> dict[str, dict[int, dict]]:
    """How each page looks in both windows."""
    found: dict[str, dict[int, dict]] = {}
    for page in pages:
        tab.set_viewport_size({"width": WIDE, "height": 300})
        tab.goto(page.as_uri())
        tab.evaluate("window.MathJax ? MathJax.startup.promise.catch(() => {}) : null")
        found[page.relative_to(BUILT).as_posix()] = look = {WIDE: tab.evaluate(LOOK)}
        tab.set_viewport_size({"width": NARROW, "height": 300})
        look[NARROW] = tab.evaluate(LOOK)
    return found


@pytest.mark.browser
@pytest.mark.parametrize("width", [NARROW, WIDE])
def test_no_page_is_wider_than_its_window(looks, width):
    assert {page: look[width]["width"] for page, look in looks.items() if look[width]["width"] > width} == {}


@pytest.mark.browser
def test_no_line_of_code_is_cut_in_a_small_notebook(looks):
    """Tables of events that are wider scroll, as other tables do: they are marked, and are output of examples."""
    assert {page: look[WIDE]["cut"] for page, look in looks.items() if look[WIDE]["cut"]} == {}
    assert all(page.startswith("examples/") for page, look in looks.items() if look[WIDE]["tables"])


@pytest.mark.browser
def test_every_block_of_code_can_be_copied_by_a_button(looks):
    assert sum(look[WIDE]["blocks"] for look in looks.values()) > 400
    assert [page for page, look in looks.items() if look[WIDE]["buttons"] != look[WIDE]["blocks"]] == []


@pytest.mark.browser
def test_formulas_are_typeset(looks):
    assert sum(look[WIDE]["formulas"] for look in looks.values()) > 400
    assert [page for page, look in looks.items() if look[WIDE]["typeset"] != look[WIDE]["formulas"]] == []
    assert [look[WIDE]["wrong"] for look in looks.values() if look[WIDE]["wrong"]] == []


@pytest.mark.browser
def test_pages_ask_no_network_and_no_script_fails(looks, tab):
    assert {url for url in tab.asked if not url.startswith(("file:", "data:"))} == set()
    assert tab.faults == set()


@pytest.mark.browser
def test_search_finds_a_word_in_the_pages_about_it(tab):
    tab.goto((BUILT / "search.html").as_uri() + "?q=restitution")
    assert tab.wait_for_selector("ul.search li a[href*='theory/laws']")


@pytest.mark.browser
def test_pages_are_dark_where_the_system_is(tab):
    brightness = "Number(getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0])"
    tab.goto((BUILT / "index.html").as_uri())
    assert tab.evaluate(brightness) > 240
    tab.emulate_media(color_scheme="dark")
    assert tab.evaluate(brightness) < 40
