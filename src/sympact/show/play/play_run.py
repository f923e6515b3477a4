"""A run of a ready-made model with the numbers of the page, and its files."""

from __future__ import annotations

import io
import tempfile
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from matplotlib.figure import Figure

from sympact import models
from sympact.integrate.result import Result
from sympact.models import ReadyModel, ReadyProcess
from sympact.show.play.play_dials import set_numbers
from sympact.version import __version__

__all__ = ["FILES", "File", "Refused", "Run", "attempt", "script_of", "sentence_of"]

RTOL, ATOL, MAX_EVENTS = 1e-12, 1e-14, 20_000
"""As `python -m sympact demo` runs; the limit of events bounds the waiting time of the page."""

_DOTS_PER_INCH = 110


@dataclass(frozen=True)
class File:
    """A file that can be shown or downloaded: its name, its media type, and its bytes."""

    name: str
    kind: str
    content: bytes


@dataclass(frozen=True)
class Refused:
    """A run that is impossible, and the reason as a sentence."""

    sentence: str


@dataclass(frozen=True, eq=False)
class Run:
    """A completed run.

    Attributes
    ----------
    name : str
        Of the function of `sympact.models`.
    title : str
        The description of the model.
    ready : ReadyModel or ReadyProcess
        The model with the numbers of this run.
    result : Result
    warned : tuple of str
        The warnings of the run, a sentence each.
    """

    name: str
    title: str
    ready: ReadyModel | ReadyProcess
    result: Result
    warned: tuple[str, ...]

    def file(self, what: str) -> File:
        """Make a file of this run, one of `FILES`.

        Raises
        ------
        KeyError
            If there is no such file.
        TypeError, ValueError
            With a sentence, where this run does not have it: plain functions have neither bodies nor energy.

        Examples
        --------
        >>> run = attempt("bouncing_ball", "A ball", {})
        >>> run.file("data").name, run.file("data").content[:13]
        ('bouncing_ball.csv', b't,side,stage,')
        """
        suffix, kind, make = FILES[what]
        return File(f"{self.name}{suffix}", kind, make(self))


def attempt(name: str, title: str, values: Mapping[tuple[str, str], float]) -> Run | Refused:
    """Run a ready-made model with the numbers of its dials, or return the reason why it cannot run.

    Parameters
    ----------
    name : str
        A function of `sympact.models`.
    title : str
        The description of the model.
    values : mapping of (group, name) to float
        As `set_numbers` takes them.

    Returns
    -------
    Run or Refused

    Examples
    --------
    >>> attempt("bouncing_ball", "A ball", {("start", "z"): -1.0}).sentence[:78]
    "The motion cannot start at t = 0: the contact 'ball' starts 1 m below its surf"
    """
    with warnings.catch_warnings(record=True) as met:
        warnings.simplefilter("always")
        try:
            ready = set_numbers(getattr(models, name)(), values)
            result = ready.simulate(rtol=RTOL, atol=ATOL, max_events=MAX_EVENTS, engine="any")
        except Exception as error:  # for any error the page shows a sentence and continues
            return Refused(sentence_of(error))
    return Run(name, title, ready, result, tuple(dict.fromkeys(str(warning.message) for warning in met)))


def sentence_of(said: Exception | str) -> str:
    """The text of an error or a warning as a sentence for the page; the class of an error without text.

    >>> sentence_of(ValueError("the start is below the floor")), sentence_of(ZeroDivisionError())
    ('The start is below the floor.', 'The run failed with ZeroDivisionError.')
    """
    text = said if isinstance(said, str) else str(said.args[0] if said.args else "")
    text = text.strip() or f"the run failed with {type(said).__name__}"
    return f"{text[0].upper()}{text[1:]}{'' if text.endswith(('.', '?')) else '.'}"


def script_of(run: Run) -> str:
    """A Python script that repeats this run, bit for bit, and writes its data and its picture.

    A run that was interpreted at first and then machine code is repeated to rounding.

    Examples
    --------
    >>> print(script_of(attempt("bouncing_ball", "A ball", {("start", "z"): 2.0})).partition("import")[2])
     bouncing_ball
    <BLANKLINE>
    ready = bouncing_ball().with_numbers(
        parameters={'m': 1.0, 'g': 9.81, 'e': 0.8},
        start={'z': 2.0, 'v': 0.0},
        t_span=(0.0, 5.0),
    )
    result = ready.simulate(rtol=1e-12, atol=1e-14, max_events=20000)
    <BLANKLINE>
    print(result.table())
    result.to_csv("bouncing_ball.csv")
    result.plot(units=ready.units).savefig("bouncing_ball.png", dpi=150)
    """
    ready, (begin, end) = run.ready, map(float, run.ready.t_span)
    named = ready.named_parameters()
    engine = ', engine="interpreted"' if run.result.settings["engine"] == "interpreted" else ""
    parameters = [f"    parameters={named!r},"] if named else []
    lines = [
        f'"""{run.title[0].upper()}{run.title[1:]}: written by `python -m sympact play`, sympact {__version__}."""',
        "",
        f"from sympact.models import {run.name}",
        "",
        f"ready = {run.name}().with_numbers(",
        *parameters,
        f"    start={ready.named_start()!r},",
        f"    t_span={(begin, end)!r},",
        ")",
        f"result = ready.simulate(rtol={RTOL!r}, atol={ATOL!r}, max_events={MAX_EVENTS}{engine})",
        "",
        "print(result.table())",
        f'result.to_csv("{run.name}.csv")',
        f'result.plot(units=ready.units).savefig("{run.name}.png", dpi=150)',
    ]
    return "\n".join(lines) + "\n"


def _written(suffix: str, write: Callable[[Run, Path], None]) -> Callable[[Run], bytes]:
    """The bytes of a file that can only be written to a path."""

    def content(run: Run) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, f"run{suffix}")
            write(run, path)
            return path.read_bytes()

    return content


def _png(figure: Figure) -> bytes:
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=_DOTS_PER_INCH)
    return file.getvalue()


FILES: Mapping[str, tuple[str, str, Callable[[Run], bytes]]] = {
    "data": (".csv", "text/csv", _written(".csv", lambda run, path: run.result.to_csv(path))),
    "report": (
        "_report.html",
        "text/html",
        _written(".html", lambda run, path: run.result.report(path, title=run.title, units=run.ready.units)),
    ),
    "script": (".py", "text/x-python", lambda run: script_of(run).encode()),
    "animation": (
        ".html",
        "text/html",
        _written(".html", lambda run, path: run.result.animate(path, units=run.ready.units, title=run.title)),
    ),
    "motion": (".png", "image/png", lambda run: _png(run.result.plot(units=run.ready.units))),
    "energy": ("_energy.png", "image/png", lambda run: _png(run.result.plot_energy())),
}
"""The files of a run: the end of the file's name, its media type, and the function that makes it."""
