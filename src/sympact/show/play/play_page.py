"""The interactive page, made of Bokeh's widgets, and its server; imported only on use."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial

from bokeh.document import Document
from bokeh.layouts import column, row
from bokeh.models import Button, Div, ScrollBox, Select, Slider, TabPanel, Tabs
from bokeh.server.server import Server
from tornado.httputil import HTTPServerRequest
from tornado.routing import Matcher, Rule
from tornado.web import HTTPError, RequestHandler

from sympact import models
from sympact.show.play.play_dials import Dial, dials_of
from sympact.show.play.play_html import (
    STYLE,
    chooser_html,
    downloads_html,
    events_html,
    outcome_html,
    script_html,
    shown,
)
from sympact.show.play.play_run import FILES, Refused, Run, attempt, sentence_of
from sympact.show.report.sections import paragraph

__all__ = ["Page", "Shelf", "make_server"]

_WORKER = ThreadPoolExecutor(max_workers=1, thread_name_prefix="sympact-play")
"""Runs and pictures are computed beside the server, one after the other."""

_OWN_NAMES = {"localhost", "127.0.0.1", "[::1]"}
_HEADINGS = {"parameters": "Parameters", "start": "Start", "time": "Time"}
_PANELS = {
    "animation": "Animation",
    "motion": "Motion",
    "energy": "Energy",
    "events": "Events",
    "script": "Python script",
}
_WIDTH = 340
"""Of the sliders (pixels)."""


@dataclass(frozen=True)
class Shelf:
    """The runs whose files can be downloaded, by keys that cannot be guessed; one for each open page."""

    runs: dict[str, Run] = field(default_factory=dict)

    def put(self, run: Run) -> str:
        """Store a run and return its key."""
        key = secrets.token_urlsafe(16)
        self.runs[key] = run
        return key

    def drop(self, key: str) -> None:
        """Remove a run, if it is stored."""
        self.runs.pop(key, None)


class Stranger(Matcher):
    """Matches requests that do not come from the address that was printed.

    Without the token they come from another user of this machine. With another host name than this machine's own they
    come from a page of the web that points its host name to this machine (DNS rebinding).
    """

    def __init__(self, token: str):
        self.token = token.encode()

    def match(self, request: HTTPServerRequest) -> dict | None:
        """An empty dict for a match, as tornado requires."""
        begin, *_ = request.path.removeprefix("/").split("/")
        knows = secrets.compare_digest(begin.encode(), self.token)
        return None if knows and request.host_name in _OWN_NAMES else {}


class Refusal(RequestHandler):
    """Answers every method with an error sentence."""

    def prepare(self) -> None:
        """Finish before any method is called."""
        self.set_status(403)
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish("This page answers under the address that was printed alone, which contains a token; open that")


class Files(RequestHandler):
    """Answers ``files/KEY/WHAT`` with a file of a run."""

    def initialize(self, shelf: Shelf) -> None:
        """Store the shelf of the runs."""
        self.shelf = shelf

    async def get(self, key: str, what: str) -> None:
        """Make the file in the worker and send it."""
        run = self.shelf.runs.get(key)
        if run is None or what not in FILES:
            raise HTTPError(404, reason="This run is no longer kept; run it again")
        try:
            file = await asyncio.get_running_loop().run_in_executor(_WORKER, run.file, what)
        except Exception as error:  # the browser gets a sentence for any error
            self.set_status(404)
            self.set_header("Content-Type", "text/plain; charset=utf-8")
            self.finish(sentence_of(error))
            return
        self.set_header("Content-Type", f"{file.kind}; charset=utf-8")
        self.set_header("Content-Disposition", f'attachment; filename="{file.name}"')
        self.finish(file.content)


class Page:
    """One open page: the sliders of a model to the left, the pictures of its run to the right.

    Parameters
    ----------
    document : Document
        Bokeh's, to which the page is added.
    catalogue : mapping of str to str
        The names of the models, functions of `sympact.models`, and their descriptions.
    shelf : Shelf
        The store of runs for downloads.

    Attributes
    ----------
    sliders : dict of (group, name) to Slider
        Those of the chosen model.
    said : Div
        The outcome of the run, or the reason why there is none.
    """

    def __init__(self, document: Document, catalogue: Mapping[str, str], shelf: Shelf):
        self.document, self.catalogue, self.shelf = document, catalogue, shelf
        self.key = ""
        self.dials: tuple[Dial, ...] = ()
        self.sliders: dict[tuple[str, str], Slider] = {}
        options = [("", "choose a model"), *((name, title) for name, title in catalogue.items())]
        self.choice = Select(title="Model", value="", options=options, width=_WIDTH)
        self.choice.on_change("value", lambda attr, old, new: self.choose(new))
        self.run_button = Button(label="Run", button_type="primary", width=_WIDTH // 2 - 5, disabled=True)
        self.run_button.on_click(self.start)
        self.reset_button = Button(label="Reset the numbers", width=_WIDTH // 2 - 5, disabled=True)
        self.reset_button.on_click(self.reset)
        self.numbers = column(Div(), width=_WIDTH + 10)
        self.said, self.downloads = _div("said", chooser_html(catalogue)), _div("downloads")
        self.panels = {what: _div(what) for what in _PANELS}
        self.tabs = Tabs(
            tabs=[TabPanel(title=title, child=self.panels[what]) for what, title in _PANELS.items()],
            sizing_mode="stretch_width",
            visible=False,
        )
        document.title = "sympact"
        document.add_root(self._layout())
        document.on_session_destroyed(lambda context: self.shelf.drop(self.key))

    def _layout(self):
        buttons = row(self.run_button, self.reset_button)
        scroll = ScrollBox(child=self.numbers, width=_WIDTH + 30, height=600)
        left = column(self.choice, buttons, scroll, width=_WIDTH + 30)
        return row(
            left, column(self.said, self.downloads, self.tabs, sizing_mode="stretch_width"), sizing_mode="stretch_width"
        )

    def choose(self, name: str) -> None:
        """Show the sliders of a model, and run it with its default numbers; without a name show the list of models."""
        self._clear()
        if name not in self.catalogue:
            self.dials, self.sliders, self.numbers.children = (), {}, [Div()]
            self.run_button.disabled = self.reset_button.disabled = True
            unknown = paragraph(f"There is no model {name!r}.", warned=True) if name else ""
            self.said.text = unknown + chooser_html(self.catalogue)
            return
        if self.choice.value != name:
            self.choice.value = name  # which chooses it
            return
        self.dials = dials_of(getattr(models, name)())
        self.sliders = {dial.key: _slider(dial) for dial in self.dials}
        for slider in self.sliders.values():
            slider.on_change("value_throttled", lambda attr, old, new: self.changed())
        self.numbers.children = _grouped(self.dials, self.sliders)
        self.reset_button.disabled = False
        self.start()

    def reset(self) -> None:
        """Move the sliders back to the numbers of the ready-made model."""
        for dial in self.dials:
            self.sliders[dial.key].value = dial.value
        self.changed()

    def changed(self) -> None:
        """State that the page shows a run of other numbers than those of the sliders."""
        if self.key:
            self.said.text = paragraph("The numbers have changed: press Run to see what they do.")

    def values(self) -> dict[tuple[str, str], float]:
        """The numbers that the sliders show."""
        return {dial.key: dial.read(self.sliders[dial.key].value) for dial in self.dials}

    def start(self) -> None:
        """State that a run is in progress, and start it once the browser has received the message."""
        self.run_button.disabled = True
        self.said.text = paragraph("Running ... (the first run on a machine compiles for some seconds)")
        self.document.add_next_tick_callback(self.run)

    async def run(self) -> None:
        """Make the run and its pictures in the worker, then show them."""
        name, values = self.choice.value, self.values()
        if name not in self.catalogue:  # the user has chosen another model meanwhile
            return
        loop = asyncio.get_running_loop()
        outcome, parts = await loop.run_in_executor(_WORKER, _made, name, self.catalogue[name], values)
        self.run_button.disabled = False
        match outcome:
            case Refused(sentence):
                self._clear()
                self.said.text = paragraph(sentence, warned=True)
            case _:
                self._show(outcome, parts)

    def _show(self, run: Run, parts: Mapping[str, str]) -> None:
        self.shelf.drop(self.key)
        self.key = self.shelf.put(run)
        for what, text in parts.items():
            self.panels[what].text = text
        self.said.text, self.downloads.text = outcome_html(run), downloads_html(run, self.key)
        self.tabs.visible = True

    def _clear(self) -> None:
        """Remove pictures that belong to other numbers than those of the sliders."""
        self.shelf.drop(self.key)
        self.key, self.downloads.text, self.tabs.visible = "", "", False
        for panel in self.panels.values():
            panel.text = ""


def _made(name: str, title: str, values: Mapping[tuple[str, str], float]) -> tuple[Run | Refused, dict[str, str]]:
    """A run and its panels; a failure is a sentence in the place of its panel."""
    outcome = attempt(name, title, values)
    if isinstance(outcome, Refused):
        return outcome, {}
    makers: dict[str, Callable[[], str]] = {
        **{what: partial(shown, outcome, what) for what in ("animation", "motion", "energy")},
        "events": lambda: events_html(outcome),
        "script": lambda: script_html(outcome),
    }
    return outcome, {what: make() for what, make in makers.items()}


def _div(name: str, text: str = "") -> Div:
    return Div(name=name, text=text, stylesheets=[STYLE], sizing_mode="stretch_width")


def _slider(dial: Dial) -> Slider:
    """A slider that shows its number with the unit."""
    title = "last time" if dial.group == "time" else dial.name
    return Slider(
        name=f"{dial.group}.{dial.name}",
        title=f"{title} ({dial.unit})" if dial.unit else title,
        value=dial.value,
        start=dial.low,
        end=dial.high,
        step=dial.step,
        format="0[.][00000]",
        width=_WIDTH - 20,
    )


def _grouped(dials: tuple[Dial, ...], sliders: Mapping[tuple[str, str], Slider]) -> list:
    """The sliders under their headings."""
    found = []
    for group, heading in _HEADINGS.items():
        members = [sliders[dial.key] for dial in dials if dial.group == group]
        if members:
            found += [Div(text=f"<b>{heading}</b>"), *members]
    return found


def make_server(catalogue: Mapping[str, str], port: int) -> Server:
    """A server of the page, for one user of this machine only, not started yet.

    Its `prefix`, the begin of all its paths, is a token that cannot be guessed; requests without it get nothing.

    Parameters
    ----------
    catalogue : mapping of str to str
        The names of the models and their descriptions.
    port : int
        The port of the server; 0 takes any free one.

    Raises
    ------
    OSError
        If the port is taken.
    """
    shelf, token = Shelf(), secrets.token_urlsafe()

    def open_page(document: Document) -> None:
        page = Page(document, catalogue, shelf)
        asked = document.session_context.request.arguments.get("model", [b""])[0].decode(errors="replace")
        if asked:
            page.choose(asked)

    extra = [(r"/files/([\w-]+)/(\w+)", Files, {"shelf": shelf})]
    server = Server({"/": open_page}, port=port, address="localhost", extra_patterns=extra, prefix=token)
    server._tornado.default_router.rules.insert(0, Rule(Stranger(token), Refusal))
    return server
