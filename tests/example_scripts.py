"""The examples as scripts to run and as modules whose functions can be called."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np

ROOT = Path(__file__).parent.parent
PNG = b"\x89PNG"


def run(example: Path, folder: Path, *arguments: str, warnings: str = "error") -> str:
    """Run an example as a reader would, by default with warnings as errors; return what it prints."""
    command = [sys.executable, "-W", warnings, str(example), *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def load(name: str) -> ModuleType:
    """An example as a module; its `main` is not called."""
    spec = importlib.util.spec_from_file_location(f"example_{name}", ROOT / "examples" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def printed_times(text: str) -> np.ndarray:
    """The times in a printed table of events: the numbers at the beginnings of its lines."""
    return np.array([float(time) for time in re.findall(r"^(\d+\.\d+) +\w", text, flags=re.MULTILINE)])
