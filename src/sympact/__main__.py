"""``python -m sympact``: ``demo NAME`` runs a ready-made system and draws it, ``play NAME`` shows it on a page."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from sympact.native.sentences.near_names import suggestion

DEMOS = {
    "ball_ceiling_spring": "a ball between a ceiling and a spring, as plain functions",
    "bead_on_hill": "a bead that slides down a round hill, leaves it and lands",
    "belt_oscillator": "a mass on a spring on a moving belt, which sticks and slips in turn",
    "block_on_belt": "a block at rest on a belt that starts to move",
    "bouncing_ball": "a ball that bounces until it is at rest",
    "cart_pole": "a cart between two walls with a pole that falls over",
    "dice": "a die that is tossed and tumbles until it rests on a face",
    "double_pendulum": "two particles on rods, swinging beside a wall",
    "dropped_cube": "a tilted cube that is dropped on a floor and comes to rest",
    "falling_rod": "a rod that is dropped on a floor",
    "hopping_disc": "a disc that rolls over the edge of a smooth hill, slips and separates from it",
    "jack_in_a_box": "a cross of two rods in a box that is shaken",
    "kane_pendulum": "a double pendulum that hits a rough floor, where impact laws differ",
    "mass_spring_damper": "a mass on a spring and a damper that hits a stop, by Lagrange's method",
    "newtons_cradle": "balls in a row that transmit an impact",
    "pendulum": "three links on a pivot above a floor",
    "compass_walker": "a walker of two legs that goes ten steps down a slope",
    "rimless_wheel": "a wheel without a rim that rolls down a slope on its spokes",
    "rocking_block": "a block that rocks from corner to corner",
    "rod_on_wall": "a rod that slides down a wall, leaves it and falls",
    "rolling_ball": "a ball that slides, rolls, falls off a table and bounces on the floor",
    "shaking_table": "a ball that alternately rests on a shaking table and leaves it",
    "sliding_block": "a block on a table that is tilted until it slides",
    "struck_stack": "three stacked blocks, one of which is hit from the side",
    "superball": "a ball of rubber that is thrown on a rough floor, and spins",
    "tumbling_cube": "a cube that tumbles down on a floor",
    "two_links": "two links on a pivot above a floor",
    "woodpecker": "a toy that descends a pole by pecking",
}
"""The demos: functions of `sympact.models`, and their descriptions."""

WITHOUT_BODIES = {"ball_ceiling_spring"}
"""Demos of plain functions, which cannot be animated."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Execute the command line; return the exit code, 2 for a demo that does not exist."""
    parser = argparse.ArgumentParser(prog="python -m sympact", description="Event-driven simulation of contacts.")
    commands = parser.add_subparsers(title="commands", required=True)
    demo = commands.add_parser("demo", help="run a ready-made system, print its events, draw a picture")
    demo.add_argument("name", nargs="?", help="one of: " + ", ".join(DEMOS))
    demo.add_argument("--picture", metavar="PATH", help="file of the picture (default: NAME.png in this folder)")
    demo.add_argument("--animate", metavar="FILE", type=Path, help="also write an animation, such as a .gif or .html")
    demo.set_defaults(command=_demo)
    play = commands.add_parser("play", help="open a page with sliders for a ready-made system, to run and to watch it")
    play.add_argument("name", nargs="?", help="one of: " + ", ".join(DEMOS) + "; without it the page lists them")
    play.add_argument("--port", type=int, default=5006, help="port of the page, on this machine (0: any free one)")
    play.add_argument("--no-browser", action="store_true", help="print the address of the page and do not open it")
    play.set_defaults(command=_play)
    compile_all = commands.add_parser("compile", help="compile the integrator for this machine now, on all cores")
    compile_all.add_argument("--objects", metavar="FOLDER", type=Path, help="for wheels: machine code for all targets")
    compile_all.set_defaults(command=_compile)
    options = parser.parse_args(arguments)
    return options.command(parser, options)


def _demo(parser: argparse.ArgumentParser, options: argparse.Namespace) -> int:
    """Run a demo, or list them."""
    if options.name in DEMOS:
        picture = Path(options.picture or f"{options.name}.png")
        for fault in _faults(options.name, picture, options.animate):
            parser.error(fault)
        run_demo(options.name, picture, options.animate)
        return 0
    _list_demos("demo", options.name)
    return 0 if options.name is None else 2


def _play(parser: argparse.ArgumentParser, options: argparse.Namespace) -> int:
    """Show the page until Ctrl-C; 2 for a demo that does not exist, 1 where the page cannot be shown."""
    if options.name is not None and options.name not in DEMOS:
        _list_demos("play", options.name)
        return 2
    from sympact.show.play.player import serve

    try:
        serve(DEMOS, options.name, options.port, browse=not options.no_browser)
    except ImportError as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        print(f"the page cannot be at port {options.port}: {error.strerror}; try --port 0", file=sys.stderr)
        return 1
    return 0


def _compile(parser: argparse.ArgumentParser, options: argparse.Namespace) -> int:
    """Compile all units that runs would compile one by one, or write their machine code for all targets to a folder."""
    from sympact.mechanics.every_unit import every_unit
    from sympact.native.compilation import compile_together, write_objects

    if options.objects is None:
        compile_together(every_unit())
    else:
        write_objects(every_unit(), options.objects)
    return 0


def _list_demos(command: str, unknown: str | None) -> None:
    """Print the names of the demos, and the one that does not exist."""
    if unknown is not None:
        print(f"there is no demo {unknown!r}{suggestion(unknown, DEMOS)}", file=sys.stderr)
    print(f"demos, to be run with `python -m sympact {command} NAME`:")
    for name, description in DEMOS.items():
        print(f"  {name:<20}  {description}")


def _faults(name: str, picture: Path, animation: Path | None) -> list[str]:
    """The faults of the requested files, one sentence each."""
    faults = [
        f"there is no folder {str(path.parent)!r} to put the {what} in; make it, or name another"
        for what, path in (("picture", picture), ("animation", animation))
        if path is not None and not path.parent.is_dir()
    ]
    if animation is None:
        return faults
    from sympact.show.animation.formats import FORMATS, suffixes

    if animation.suffix.lower() not in FORMATS:
        faults.append(f"an animation is a file {suffixes()}; found {str(animation)!r}")
    if name in WITHOUT_BODIES:
        faults.append(f"{name} is a process of plain functions, without bodies to animate; leave --animate out")
    return faults


def run_demo(name: str, picture: Path, animation: Path | None = None) -> None:
    """Run the model of this name from `sympact.models`, print its table of events, save its picture and animation.

    The picture is of the bodies at some instants, and of the energy; of a process without bodies it is the plot.
    """
    from sympact import models

    ready = getattr(models, name)()
    result = ready.simulate(rtol=1e-12, atol=1e-14, engine="any")
    print(f"{DEMOS[name]}, from t = {result.t_span[0]:g} to {result.t_span[1]:g} s\n")
    print(result.table(), flush=True)
    title = DEMOS[name][0].upper() + DEMOS[name][1:]
    draw = result.plot if name in WITHOUT_BODIES else result.snapshots
    draw(title=title).savefig(picture, dpi=150)
    print(f"\nThe picture is in {picture}")
    if animation is not None:
        result.animate(animation, title=title)
        print(f"The animation is in {animation}")


if __name__ == "__main__":
    sys.exit(main())
