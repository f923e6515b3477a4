"""Animations of a run: shapes, frames, and the file or the notebook that shows them."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from os import PathLike
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure

from sympact.native.sentences.refused_calls import explain_public
from sympact.show.animation.bodies import Marks, usual_shapes, walls
from sympact.show.animation.canvas import Canvas
from sympact.show.animation.clock import frame_times
from sympact.show.animation.formats import format_of, suffixes
from sympact.show.animation.scene import Scene
from sympact.show.animation.shapes import Ground, Shape
from sympact.show.animation.staging import Style, stage_scene
from sympact.show.animation.web_page import page_of

if TYPE_CHECKING:
    from sympact.integrate.result import Result
    from sympact.mechanics.present.geometry import Geometry

__all__ = ["Animation", "animate_result"]

NOTHING: Mapping = MappingProxyType({})


@dataclass(frozen=True, eq=False, repr=False)
class Animation:
    """An animation of a run; in a notebook it plays as the value of a cell.

    Parameters
    ----------
    scene : Scene
        All frames as numbers.

    Examples
    --------
    >>> from sympact.models import bouncing_ball
    >>> bouncing_ball().simulate().animate()
    <Animation of 126 frames, 25 in a second: t = 0 to 5; .save(path) writes .gif, .mp4 or .html>
    """

    scene: Scene

    def save(self, path: str | PathLike) -> None:
        """Write a file: ``.gif``, ``.mp4`` (by ffmpeg, where it is installed) or ``.html``.

        The page plays in any browser without a network: play and pause (also with the space bar), a slider for the
        time, the arrow keys for single frames; the mouse rotates spatial motions.

        Raises
        ------
        ValueError
            For another suffix, or an MP4 without ffmpeg.
        """
        format_of(path).write(self.scene, path)

    def figure(self, t: float) -> Figure:
        """A matplotlib figure of the frame closest to the time `t`, to be saved as a picture.

        Raises
        ------
        ValueError
            If `t` is outside the run.
        """
        first, last = self.scene.times[[0, -1]]
        if not first <= t <= last:
            raise ValueError(f"t = {t!r} is outside this animation, which goes from {first:.12g} to {last:.12g}")
        return Canvas(self.scene).still(int(np.argmin(np.abs(self.scene.times - t))))

    def __repr__(self) -> str:
        times, fps = self.scene.times, self.scene.fps
        return (
            f"<Animation of {len(times)} frames, {fps:g} in a second: t = {times[0]:.6g} to {times[-1]:.6g};"
            f" .save(path) writes {suffixes()}>"
        )

    def _repr_html_(self) -> str:
        """The page in a frame of its own, so that several in one notebook do not interfere."""
        page = html.escape(page_of(self.scene), quote=True)
        style = "width:100%;max-width:720px;height:560px;border:1px solid #ddd"
        return f'<iframe srcdoc="{page}" style="{style}" title="animation"></iframe>'


def animate_result(
    result: Result,
    geometry: Geometry,
    path: str | PathLike | None = None,
    *,
    shapes: Iterable[Shape] | None = None,
    speed: float = 1.0,
    fps: float = 25,
    slow: float | None = None,
    impulses: bool = True,
    units: Mapping[str, str] = NOTHING,
    view: tuple[float, float] | None = None,
    title: str = "",
) -> Animation:
    """Animate the bodies of a mechanical model; `Result.animate` calls this.

    A planar motion is viewed perpendicularly, with axes; any other from above at an angle, with a box around it. The
    weight determines the upward direction. The time and the mode are shown above. Arrows along the normals of the
    contacts show impulses, with a length proportional to the impulse.

    Parameters
    ----------
    result : Result
    geometry : Geometry
        Of the model behind it.
    path : path-like, optional
        The file to write: ``.gif``, ``.mp4`` (by ffmpeg, where it is installed) or ``.html``, a page that plays
        offline.
    shapes : iterable of Shape, optional
        The shapes of the bodies: `Box`, `Ball`, `Rod`, `Line`, `Polygon`, `Ground`, `Trace`. By default the points of
        each body are joined, or wrapped where they are spread in space. The surfaces of all contacts are shown unless
        there is a `Ground` among the shapes; their points are marked where no solid shape is.
    speed : float
        Seconds of the run in a second of the animation; 1 is real time.
    fps : float
        Frames in a second of the animation.
    slow : float, optional
        The factor of the speed around impacts, such as 0.1.
    impulses : bool
        Whether arrows show impulses.
    units : mapping of str to str
        Units for the labels, by the name of a state, ``"t"``, ``"length"`` or ``"gaps"``, as for `Result.plot`; that of
        lengths (or of gaps) labels the axes, that of ``"t"`` the time.
    view : tuple of two floats, optional
        Azimuth and elevation of the viewer (degrees), for a spatial view of any motion.
    title : str
        The title above the picture.

    Returns
    -------
    Animation
        With ``save(path)``; notebooks show it.

    Raises
    ------
    ValueError
        For an invalid suffix, unit, speed or shape; with a sentence for each shape.
    TypeError
        If `shapes` contains another object.

    Examples
    --------
    >>> from sympact import Ball
    >>> from sympact.models import bouncing_ball
    >>> ball = bouncing_ball()
    >>> point = ball.model.contacts[0].point
    >>> animation = ball.simulate().animate(shapes=[Ball(point, 0.05)], slow=0.1, units={"length": "m"})
    >>> animation.scene.view.labels
    ('x (m)', 'z (m)')
    """
    if path is not None:
        format_of(path)
    impacts = [event.t for event in result.events if event.kind == "impact"]
    times = frame_times(result.t_span, fps, speed, slow, impacts)
    style = style_of(result, units, view, title, fps=float(fps), impulses=bool(impulses))
    animation = Animation(stage_scene(result, geometry, complete_shapes(shapes, geometry, result), times, style))
    if path is not None:
        animation.save(path)
    return animation


def style_of(
    result: Result, units: Mapping[str, str], view: tuple[float, float] | None, title: str, **options: Any
) -> Style:
    """The checked options of a picture besides its shapes; `options` are further fields of `Style`."""
    length_unit, time_unit = _units(result, units)
    return Style(angles=_angles(view), length_unit=length_unit, time_unit=time_unit, title=str(title), **options)


def complete_shapes(shapes: Iterable[Shape] | None, geometry: Geometry, result: Result) -> list[Shape]:
    """The shapes with the default grounds and marks of contact points."""
    if shapes is None:
        given = usual_shapes(geometry, result)
    else:
        given = [shapes] if isinstance(shapes, Shape) else list(shapes)
        wrong = [shape for shape in given if not isinstance(shape, Shape)]
        if wrong:
            raise TypeError(
                f"shapes: expected Box, Ball, Rod, Line, Polygon, Ground or Trace; found {', '.join(map(repr, wrong))}"
            )
        if not any(shape.solid for shape in given):
            given = [*given, Marks(geometry.touching)]
    surfaces = {} if any(isinstance(shape, Ground) for shape in given) else walls(geometry)
    shown = [*map(Ground, surfaces.values()), *given]
    if not any(shape.places() for shape in shown):
        raise ValueError(
            "there is nothing to show: the model has no points; give a LagrangesMethod its frame= and animate shapes=, "
            "such as [Rod(O, P, 0.02)] of points that the coordinates locate, or its bodies=; or draw result.plot()"
        )
    return shown


def _units(result: Result, units: Mapping[str, str]) -> tuple[str, str]:
    """The units of lengths and of the time."""
    known = [*result.state_names, "t", "length", "gaps"]
    unknown = [name for name in units if name not in known]
    if unknown:
        raise ValueError(f"units: unknown {unknown}; a unit belongs to one of {known}")
    return units.get("length", units.get("gaps", "")), units.get("t", "")


def _angles(view: tuple[float, float] | None) -> tuple[float, float] | None:
    if view is None:
        return None
    try:
        azimuth, elevation = map(float, view)
    except (TypeError, ValueError):
        azimuth = elevation = np.nan
    if not (np.isfinite(azimuth) and -90 < elevation < 90):
        raise ValueError(f"view is {view!r}, expected azimuth and elevation in degrees, such as (-60, 20)")
    return azimuth, elevation


explain_public(globals())
