"""The HTML of the interactive page about a run: the outcome, the events, and the links of its files."""

from __future__ import annotations

import math
from base64 import b64encode
from collections.abc import Mapping
from html import escape
from urllib.parse import urlencode

import numpy as np

from sympact.integrate.problem.status import Status
from sympact.models import ReadyModel
from sympact.show.play.play_run import File, Run, script_of, sentence_of
from sympact.show.report.sections import paragraph, table

__all__ = [
    "DOWNLOADS",
    "STYLE",
    "chooser_html",
    "downloads_html",
    "events_html",
    "outcome_html",
    "script_html",
    "shown",
]

DOWNLOADS = {"data": "data (CSV)", "report": "report", "script": "Python script", "animation": "animation"}
"""The files that can be downloaded, and the texts of their links."""

_MOST_EVENTS = 500
"""Rows of the table of events; all of them are in the report."""

STYLE = """
.bk-clearfix { width: 0; min-width: 100%; overflow-x: auto }
:host { font: 15px/1.45 system-ui, "DejaVu Sans", sans-serif; color: #222 }
h1 { font-size: 1.4em; margin: 0.2em 0 } p { margin: 0.3em 0 }
p.warned { background: #fbe3e0; padding: 0.4em 0.8em }
table { border-collapse: collapse; font-size: 13px } img { max-width: 100%; height: auto }
th, td { padding: 0.1em 1em 0.1em 0; text-align: left } td.number { text-align: right }
td.number { font-variant-numeric: tabular-nums } thead th { border-bottom: 1px solid #888 }
.scroll { max-height: 36em; overflow: auto } pre { background: #f6f6f6; padding: 0.8em; overflow: auto }
a.file { display: inline-block; margin: 0.2em 0.6em 0.2em 0; padding: 0.2em 0.8em; border: 1px solid #999 }
a.file { border-radius: 4px; text-decoration: none; color: #114; background: #f4f6fa }
iframe { box-sizing: border-box; width: 100%; height: 560px; border: 1px solid #ddd }
"""


def chooser_html(catalogue: Mapping[str, str]) -> str:
    """A list of links to the models, a line for each.

    >>> chooser_html({"bouncing_ball": "a ball that bounces"})
    '<h1>Choose a model</h1><ul><li><a href="?model=bouncing_ball">a ball that bounces</a></li></ul>'
    """
    links = (
        f'<li><a href="?{escape(urlencode({"model": name}))}">{escape(title)}</a></li>'
        for name, title in catalogue.items()
    )
    return f"<h1>Choose a model</h1><ul>{''.join(links)}</ul>"


def outcome_html(run: Run) -> str:
    """The end of the run, and its warnings; an early end is a warning, too."""
    result = run.result
    begin, end = result.t_span
    n = len(result.events)
    said = paragraph(f"The run went from t = {begin:g} to {end:g} s and had {n} event{'' if n == 1 else 's'}.")
    early = () if result.status is Status.FINISHED else (f"the run ended early: {result.message}",)
    return said + "".join(paragraph(sentence_of(text), warned=True) for text in (*early, *run.warned))


def events_html(run: Run) -> str:
    """The events as a table: times, kinds, contacts, impulses and energies."""
    columns = run.result.events.columns()
    numbers = {name: np.asarray(columns[name]).tolist() for name in ("t", "impulse", "energy")}
    shown_columns = {
        "t (s)": numbers["t"],
        "kind": columns["kind"],
        "contacts": columns["contacts"],
        "impulse (N s)": numbers["impulse"],
        "energy (J)": numbers["energy"],
        "from": columns["source"],
        "to": columns["target"],
    }
    kept = {name: values for name, values in shown_columns.items() if not _empty(values)}
    rows = [[str(k), *map(_short, row)] for k, row in enumerate(zip(*kept.values(), strict=True), start=1)]
    if not rows:
        return paragraph("There were no events.")
    left_out = len(rows) - _MOST_EVENTS
    more = paragraph(f"{left_out} more events are in the report.") if left_out > 0 else ""
    return table(["", *kept], rows[:_MOST_EVENTS]) + more


def _empty(values: list) -> bool:
    return all(value == "" or (isinstance(value, float) and math.isnan(value)) for value in values)


def _short(value: object) -> object:
    """A number with nine digits, in a readable form."""
    return float(f"{value:.9g}") if isinstance(value, float) else value


def script_html(run: Run) -> str:
    """The script as text."""
    return f"<pre>{escape(script_of(run))}</pre>"


def downloads_html(run: Run, key: str) -> str:
    """A link for each file; `key` identifies the run on the server."""
    kinds = [what for what in DOWNLOADS if what != "animation" or isinstance(run.ready, ReadyModel)]
    links = (f'<a class="file" href="files/{key}/{what}" download>{DOWNLOADS[what]}</a>' for what in kinds)
    return f"<p>Download: {''.join(links)}</p>"


def shown(run: Run, what: str) -> str:
    """A file of the run as part of the page; where there is none, the reason as a sentence."""
    try:
        file = run.file(what)
    except Exception as error:  # a picture that fails does not affect the other parts of the page
        return paragraph(sentence_of(error))
    return _frame(file) if file.kind == "text/html" else _image(file, what)


def _image(file: File, what: str) -> str:
    return f'<img alt="{escape(what)}" src="data:{file.kind};base64,{b64encode(file.content).decode("ascii")}">'


def _frame(file: File) -> str:
    """A page in a frame of its own."""
    return f'<iframe title="animation" srcdoc="{escape(file.content.decode(), quote=True)}"></iframe>'
