"""Compilation of units in processes of their own: at once for who waits, or beside a run for the next one.

Both need a cache on disk, and one set of processes at a time works for a cache: a file in its folder is locked, and the
system releases the lock of a process that was killed.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from sympact.native import compile_ir, default_cache, shipped
from sympact.native.kernel import LEVEL, LOG, Unit, announce, interpreted
from sympact.native.processor import TARGETS
from sympact.native.system.platform_calls import of_its_own, yield_to_others

__all__ = [
    "compile_beside",
    "compile_named_beside",
    "compile_together",
    "compile_what_is_named",
    "cores",
    "has_numba",
    "keeps_what_others_compile",
    "lacks_its_folder",
    "missing_units",
    "write_objects",
]

_PACKAGE = str(Path(__file__).parents[2])
_CHILD = (
    "import sys; sys.path.append(sys.argv[1]); "
    "from sympact.native.compilation import compile_what_is_named; compile_what_is_named()"
)
_BESIDE = _CHILD.replace("compile_what_is_named", "compile_named_beside")
_SET_LOCK, _BESIDE_LOCK = "compiling.lock", "beside.lock"
_OTHERS_AT_WORK = 3  # exit code
_PAUSE = 0.1  # s, between looks at the work of another process
_lock = threading.Lock()
_at_hand: set[Unit] = set()


def missing_units(units: Sequence[Unit]) -> list[Unit]:
    """Those without machine code on this machine, in their order."""
    if _at_hand.issuperset(units):
        return []
    missing = [unit for unit in dict.fromkeys(units) if not unit.kept()]
    _at_hand.update(set(units).difference(missing))
    return missing


def compile_together(units: Sequence[Unit]) -> None:
    """Compile the units that are not on disk yet, on all cores; the first ones are started first.

    Where processes are at work for the same cache already, wait for them first. Where machine code cannot be stored on
    disk, each unit is compiled on first use. So is a unit whose process fails, so that its error is raised in this
    process. Where units are interpreted nothing is done.
    """
    if interpreted() or _at_hand.issuperset(units):
        return
    with _lock:
        missing = missing_units(units)
        if missing and keeps_what_others_compile():
            announce()
            with _only_set(missing):
                missing = missing_units(units)
                _share_out(missing, min(cores(), len(missing)))
        _at_hand.update(units)


def has_numba() -> bool:
    """Whether units can be compiled at all."""
    return find_spec("numba") is not None


def keeps_what_others_compile() -> bool:
    """Whether machine code that another process makes is found by later runs."""
    return _starts_processes() and default_cache().writable()


def lacks_its_folder() -> bool:
    """Whether machine code should be kept, and the folder for it cannot be used."""
    cache = default_cache()
    return cache.folder is not None and not cache.writable()


def compile_beside(units: Sequence[Unit]) -> None:
    """Start a process that compiles units on all cores, outlives this one, and shares nothing with it.

    It has no terminal and none of the open files of this process, and ends when the units are compiled. Nothing is
    started while such a process works for the same cache; a later call may then be more successful.
    """
    with _lock:
        _beside.look()
        if _beside.process is None and not _beside.failed.issuperset(units) and not _others_work_beside():
            _beside.start(units)


def compile_what_is_named() -> None:
    """The body of a process of `compile_together`: compile the units named on standard input, answer each by a line.

    Garbage is collected between units, and never anew among what a unit has left for the next ones.
    """
    gc.disable()
    try:
        for line in sys.stdin:
            _named(line).machine_address()
            print(flush=True)
            gc.collect()
            gc.freeze()
    finally:
        gc.unfreeze()
        gc.enable()


def compile_named_beside() -> None:
    """The body of a process of `compile_beside`: compile the units named on standard input."""
    units = [_named(line) for line in sys.stdin]
    release = default_cache().lock(_BESIDE_LOCK)
    if release is None:
        sys.exit(_OTHERS_AT_WORK)
    yield_to_others()
    compile_together(units)
    release()


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
            content = compile_ir(text, target, level=LEVEL)
            shipped.write(unit.identity, content, target, folder)


class _Detached(subprocess.Popen):
    """A process that is meant to go on when this one ends."""

    def __del__(self, *_: object) -> None:
        """No warning that the process still runs, as that of the class."""


class _Beside:
    """The process that this one has started to compile beside it.

    Attributes
    ----------
    process : process or None
        None where there is none that is at work.
    failed : set of Unit
        Those that such a process could not compile.
    """

    def __init__(self) -> None:
        self.process: _Detached | None = None
        self.failed: set[Unit] = set()
        self._asked: list[Unit] = []

    def look(self) -> None:
        """Notice that it has ended, and what it has not compiled."""
        if self.process is None or self.process.poll() is None:
            return
        if self.process.returncode != _OTHERS_AT_WORK and not _others_work_beside():  # nor this one, after a fork
            failed = missing_units(self._asked)
            self.failed.update(failed)
            if failed:
                LOG.warning("sympact: %s could not be compiled; engine='compiled' shows the reason.", _listed(failed))
        self.process = None

    def start(self, units: Sequence[Unit]) -> None:
        """Start one."""
        folder = default_cache().folder
        place = {} if folder is None else {"SYMPACT_CACHE_DIR": str(folder.parent.absolute())}
        command, nowhere = [sys.executable, "-c", _BESIDE, _PACKAGE], subprocess.DEVNULL
        self._asked = [unit for unit in units if unit not in self.failed]
        own: dict[str, Any] = {"env": os.environ | place, **of_its_own()}
        self.process = _Detached(command, stdin=subprocess.PIPE, stdout=nowhere, stderr=nowhere, text=True, **own)
        assert self.process.stdin is not None
        with suppress(BrokenPipeError), self.process.stdin as names:
            names.writelines(f"{_name(unit)}\n" for unit in self._asked)


_beside = _Beside()


def _others_work_beside() -> bool:
    """Whether a process compiles for later runs with this cache."""
    release = default_cache().lock(_BESIDE_LOCK)
    if release is None:
        return True
    release()
    return False


@contextmanager
def _only_set(units: Sequence[Unit]) -> Iterator[None]:
    """Wait until no other process compiles for the cache, or has compiled these units; others wait for this block."""
    release = default_cache().lock(_SET_LOCK)
    while release is None and not all(unit.kept() for unit in units):
        time.sleep(_PAUSE)
        release = default_cache().lock(_SET_LOCK)
    try:
        yield
    finally:
        if release is not None:
            release()


def _share_out(units: Sequence[Unit], cores: int) -> None:
    """Give each process a further unit when it has finished one: the first to half of them, the last to the others.

    Neighbours in the list share kernels, which numba types and lowers once in each process that needs them.
    """
    if not units:
        return
    from tqdm import tqdm

    waiting = deque(units)
    ends = [waiting.popleft if number < (cores + 1) // 2 else waiting.pop for number in range(cores)]
    with ExitStack() as open_until_the_end, ThreadPoolExecutor(cores) as pool:
        line = open_until_the_end.enter_context(tqdm(total=len(units), unit="part", leave=False, disable=None))
        children = [_child() for _ in range(cores)]
        for child in children:
            open_until_the_end.callback(_end, child)
        try:
            list(pool.map(lambda child, take: _feed(child, take, line.update), children, ends))
        except BaseException:
            for child in children:
                child.kill()
            raise


def _child() -> subprocess.Popen:
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", _CHILD, _PACKAGE]
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True)


def _feed(child: subprocess.Popen, take: Callable[[], Unit], done: Callable[[], object]) -> None:
    """Name one unit after the other to a process, until there are no more or the process has ended."""
    while True:
        try:
            print(_name(take()), file=child.stdin, flush=True)
        except (IndexError, BrokenPipeError):
            return
        if child.stdout is None or not child.stdout.readline():
            return
        done()


def _name(unit: Unit) -> str:
    return "\t".join((unit.module, unit.function, unit.signature))


def _named(line: str) -> Unit:
    return Unit(*line.rstrip("\n").split("\t"))


def _listed(units: Sequence[Unit]) -> str:
    return ", ".join(sorted(unit.name for unit in units))


def _end(child: subprocess.Popen) -> None:
    child.kill()
    child.communicate()


def _starts_processes() -> bool:
    """Whether another Python can be started."""
    return bool(sys.executable) and not getattr(sys, "frozen", False)


def cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
