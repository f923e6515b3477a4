"""A run as pictures, films and pages: the members of `Result` that import `sympact.show` on use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any

from sympact.integrate.export.paths import checked_path
from sympact.integrate.history import mode_graph
from sympact.integrate.history.run_view import RunView
from sympact.integrate.trajectory.about import Formula
from sympact.on_request import on_request

if TYPE_CHECKING:
    import networkx


__all__ = ["animate", "draw_modes", "plot", "plot_energy", "report", "snapshots"]


def plot(result: RunView, *panels: str, **options):
    """Draw the run: some of ``"states"``, ``"outputs"``, ``"gaps"``, ``"energy"``, ``"forces"``, ``"impulses"``,
    ``"phase"`` and ``"stages"``, in the order in which they are named; gaps, states and outputs by default.

    `sympact.show.plot_result` describes them, and the options ``states``, ``gaps``, ``phase``, ``units``, ``title``,
    ``width``, ``t_span`` and ``ax``.

    Examples
    --------
    >>> from sympact.models import rod_on_wall
    >>> rod = rod_on_wall()
    >>> figure = rod.simulate().plot("forces", "stages", title="A rod that slides down a wall")
    >>> figure.axes[1].get_ylabel()
    'normal force (N)'
    """
    return on_request("plot_result")(result, *panels, **{**_units(result), **options})


def plot_energy(result: RunView, **options):
    """Draw kinetic, potential and total energy over time, and the change in each impact: ``plot("energy")``.

    Raises
    ------
    TypeError
        If the run was made from plain functions, which have no mass.
    """
    result._model.check("kinetic_energy", "kinetic energy", "draw the states with matplotlib")
    return on_request("plot_energy")(result, **{**_units(result), **options})


def animate(result: RunView, path: str | PathLike | None = None, *, shapes: Iterable | None = None, **options):
    """Animate the bodies of a mechanical model; see `sympact.show.animation.animation.animate_result`.

    Parameters
    ----------
    path : path-like, optional
        The file to write, ``.gif``, ``.mp4`` or ``.html``.
    shapes : iterable of Shape, optional
        The shapes of the bodies; by default those of the `ReadyModel` that made the run, or their points joined.
    **options
        ``speed``, ``fps``, ``slow``, ``impulses``, ``units``, ``view`` and ``title``.

    Raises
    ------
    TypeError
        If the run was made from plain functions or loaded from a file, which have no bodies.
    """
    geometry = _bodies(result, "animated")
    return on_request("animate_result")(
        result,
        geometry,
        path,
        **{"shapes": _shapes(result, shapes), **_units(result), **options},
    )


def snapshots(result: RunView, *, shapes: Iterable | None = None, **options):
    """Draw the bodies at some instants in one strip, above the energy.

    `sympact.show.snapshots.strip.draw_snapshots` describes it, and the options ``times``, ``units``, ``view``,
    ``title`` and ``width``.

    Raises
    ------
    TypeError
        If the run was made from plain functions or loaded from a file, which have no bodies.

    Examples
    --------
    >>> from sympact.models import bouncing_ball
    >>> figure = bouncing_ball().simulate().snapshots(times=[0, 0.45, 1])
    >>> [label.get_text() for label in figure.axes[0].get_xticklabels()]
    ['0.00 s', '0.45 s', '1.00 s']
    """
    _bodies(result, "shown in snapshots")
    return on_request("draw_snapshots")(result, **{"shapes": _shapes(result, shapes), **_units(result), **options})


def _bodies(result: RunView, done: str) -> Any:
    """The geometry of a run of a mechanical model."""
    if result._facts.geometry is None:
        raise TypeError(
            f"this result cannot be {done}: it was made from plain functions or loaded from a file, without the"
            " bodies of a mechanical model; run a HybridModel, or read its file by load(path, model=model), and"
            " animate that, or draw result.plot()"
        )
    return result._facts.geometry


def _shapes(result: RunView, given: Iterable | None) -> Iterable | None:
    """The given shapes, or those of the model."""
    appearance = result._facts.appearance
    return given if given is not None or appearance is None else appearance.shapes


def draw_modes(result: RunView, *, formulas: bool = False, **options):
    """Draw the stages of the run and the events between them; see `sympact.show.draw_modes`.

    Parameters
    ----------
    formulas : bool
        Whether to write the boundary and the jump of each transition of the run, or the gap and the jump map of each
        participating contact, below the graph.
    **options
        ``title``.

    Raises
    ------
    TypeError
        If formulas are requested and the run was made from plain functions or loaded from a file.

    Examples
    --------
    >>> from sympact.models import bouncing_ball
    >>> figure = bouncing_ball().simulate().draw_modes(formulas=True)
    >>> [text.get_text() for text in figure.axes[0].texts][-3:]
    ['ball', '$g_N = z$', '$v^+ = - e v$']
    """
    modes = mode_graph.modes(result)
    return on_request("draw_modes")(modes, formulas=_formulas(result, modes) if formulas else (), **options)


def _formulas(result: RunView, modes: networkx.MultiDiGraph) -> list[Formula]:
    known = result._model.formulas()
    if known is None:
        raise TypeError(
            "this result has no formulas: it was made from plain functions or loaded from a file, without a mechanical "
            "model; draw the modes without formulas=True"
        )
    met = {name for *_, of in modes.edges(data=True) for name in of["contacts"]}
    return [formula for name, formula in known.items() if name in met]


def report(result: RunView, path: str | PathLike, **options) -> None:
    """Write a report of the run as one HTML page, which opens without a network; see `sympact.show.write_report`.

    The result has its model, its numbers and its settings, so that nothing on the page can belong to another run.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from sympact.models import bouncing_ball
    >>> ball = bouncing_ball()
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     ball.simulate().report(f"{folder}/ball.html", title="A ball that bounces")
    ...     page = Path(folder, "ball.html").read_text(encoding="utf-8")
    >>> "<h1>A ball that bounces</h1>" in page, "9.81" in page
    (True, True)
    """
    page = checked_path(path, "a page", (".html", ".htm"))
    on_request("write_report")(result, page, **{**_units(result), **options})


def _units(result: RunView) -> dict[str, Mapping[str, str]]:
    """The option ``units`` of a run that knows its units."""
    appearance = result._facts.appearance
    return {} if appearance is None else {"units": appearance.units}
