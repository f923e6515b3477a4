"""Compilation of units in parallel, each core in a process of its own, before a first run needs them one by one."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

from sympact.native import compile_ir, default_cache, shipped
from sympact.native.kernel import LEVEL, Unit, announce
from sympact.native.processor import TARGETS

__all__ = ["compile_together", "compile_what_is_named", "write_objects"]

_PACKAGE = str(Path(__file__).parents[2])
_CHILD = (
    "import sys; sys.path.append(sys.argv[1]); "
    "from sympact.native.compilation import compile_what_is_named; compile_what_is_named()"
)
_lock = threading.Lock()
_at_hand: set[Unit] = set()


def compile_together(units: Sequence[Unit]) -> None:
    """Compile the units that are not on disk yet; the first ones are started first.

    Where machine code cannot be stored on disk, or there is only one core, nothing is done: each unit is then compiled
    on first use. So is a unit whose process fails, so that its error is raised in this process.
    """
    if _at_hand.issuperset(units):
        return
    with _lock:
        missing = [unit for unit in dict.fromkeys(units) if not unit.kept()]
        cores = min(_cores(), len(missing))
        if cores > 1 and default_cache().writable():
            announce()
            _share_out(missing, cores)
        _at_hand.update(units)


def compile_what_is_named() -> None:
    """The body of such a process: compile the units named on standard input, and answer each with a line."""
    for line in sys.stdin:
        Unit(*line.rstrip("\n").split("\t")).address()
        print(flush=True)


def write_objects(units: Sequence[Unit], folder: Path) -> None:
    """Write the machine code of units for all targets to a folder, for an installation to bring along.

    Parameters
    ----------
    units : sequence of Unit
    folder : Path
        Such as `shipped.FOLDER`; it must be empty or new.

    Raises
    ------
    FileExistsError
        If there is something in the folder.
    """
    if folder.exists() and any(folder.iterdir()):
        raise FileExistsError(f"the folder {str(folder)!r} is not empty; remove it, or name a new one")
    for unit in units:
        text = unit.emit()
        for target in TARGETS.values():
            content = compile_ir(text, target, level=LEVEL, passes=False)
            shipped.write(unit.identity, content, target, folder)


def _share_out(units: Sequence[Unit], cores: int) -> None:
    """Give each process the next unit when it has finished one."""
    from tqdm import tqdm

    waiting = iter(units)
    with ExitStack() as open_until_the_end, ThreadPoolExecutor(cores) as pool:
        line = open_until_the_end.enter_context(tqdm(total=len(units), unit="part", leave=False, disable=None))
        children = [_child() for _ in range(cores)]
        for child in children:
            open_until_the_end.callback(_end, child)
        try:
            list(pool.map(lambda child: _feed(child, waiting, line.update), children))
        except BaseException:
            for child in children:
                child.kill()
            raise


def _child() -> subprocess.Popen:
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", _CHILD, _PACKAGE]
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True)


def _feed(child: subprocess.Popen, waiting: Iterator[Unit], done: Callable[[], object]) -> None:
    """Name one unit after the other to a process, until there are no more or the process has ended."""
    for unit in waiting:
        try:
            print(unit.module, unit.function, unit.signature, sep="\t", file=child.stdin, flush=True)
        except BrokenPipeError:
            return
        if child.stdout is None or not child.stdout.readline():
            return
        done()


def _end(child: subprocess.Popen) -> None:
    child.kill()
    child.communicate()


def _cores() -> int:
    """The number of processes: only this one where no Python can be started."""
    if not sys.executable or getattr(sys, "frozen", False):
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
