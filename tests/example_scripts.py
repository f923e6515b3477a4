"""The examples as scripts to run and as modules whose functions can be called.

Scripts run in processes of their own, which are forked from one that has imported what nearly all of them import.
"""

from __future__ import annotations

import importlib.util
import multiprocessing
import os
import re
import runpy
import signal
import sys
import tempfile
import warnings
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import ModuleType

import numpy as np

ROOT = Path(__file__).parent.parent
PNG = b"\x89PNG"


_processes = multiprocessing.get_context("forkserver")
_processes.set_forkserver_preload(["pytest", "matplotlib.pyplot", "scipy.stats", "sympact.models", "sympact.show"])


def run(example: Path, folder: Path, *arguments: str, action: str = "error") -> str:
    """Run an example as a reader would, by default with warnings as errors; return what it prints."""
    with tempfile.TemporaryDirectory() as kept:
        out, err = Path(kept, "out"), Path(kept, "err")
        told = (example, folder, arguments, action, dict(os.environ), out, err)
        process = _processes.Process(target=_run, args=told)
        process.start()
        process.join()
        assert process.exitcode == 0, err.read_text(encoding="utf-8")
        return out.read_text(encoding="utf-8")


def _run(
    example: Path, folder: Path, arguments: tuple[str, ...], action: str, environment: Mapping, out: Path, err: Path
) -> None:
    """The work of such a process."""
    for file, number in ((out, 1), (err, 2)):
        os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT), number)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # also where this run of the tests ignores it
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv, sys.path[:0] = [str(example), *arguments], [str(example.parent)]
    warnings.resetwarnings()
    warnings.simplefilter(action)
    runpy.run_path(str(example), run_name="__main__")


@cache
def printed(name: str) -> str:
    """What an example prints; it has drawn its picture, which goes with its folder."""
    with tempfile.TemporaryDirectory() as folder:
        text = run(ROOT / "examples" / f"{name}.py", Path(folder))
        assert Path(folder, f"{name}.png").read_bytes().startswith(PNG)
    return text


def load(name: str) -> ModuleType:
    """An example as a module; its `main` is not called."""
    spec = importlib.util.spec_from_file_location(f"example_{name}", ROOT / "examples" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def printed_times(text: str) -> np.ndarray:
    """The times in a printed table of events: the numbers at the beginnings of its lines."""
    return np.array([float(time) for time in re.findall(r"^(\d+\.\d+) +\w", text, flags=re.MULTILINE)])
