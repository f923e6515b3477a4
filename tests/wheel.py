"""A wheel in an environment of its own, without numba: what it weighs, and how long the first runs take.

    python tests/wheel.py dist/sympact-0.2.0-py3-none-any.whl

`make wheel` does this with the wheel that it has built. The runs have a cache that is empty. It fails where numba is
installed or imported, where anything is compiled but the model, or where levels of the processor disagree on events.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import zipfile
import zlib
from pathlib import Path

from sympact.native import shipped
from sympact.native.processor import TARGETS

RUN = """
import json, sys, time
import sympact, sympact.models
began = time.process_time()
result = getattr(sympact.models, {name!r})().simulate()
first = time.process_time() - began
print(json.dumps([first, len(result.events), result.x[:, -1].tolist(), "numba" in sys.modules, str(sympact.about())]))
"""
UNITS = "from sympact.mechanics.every_unit import every_unit; print(len(every_unit()))"
NAMES = ("tumbling_cube", "dice")
LEVELS = ("x86-64-v3", "x86-64-v2")
FORMATS = {"linux": b"\x7fELF", "macos": b"\xcf\xfa\xed\xfe", "windows": b"\x64\x86"}
CLOSE = 1e-6
"""The largest difference of coordinates at the end between levels: they round sums of products differently."""


def main(wheel: Path) -> int:
    """Install the wheel, run two models at each level that this processor has; 0 where all is as it should be."""
    print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.2f} MB")
    with tempfile.TemporaryDirectory() as folder:
        python = Path(folder) / "environment" / "bin" / "python"
        subprocess.run([sys.executable, "-m", "venv", python.parents[1]], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel], check=True)
        packages = subprocess.run([python, "-m", "pip", "list"], check=True, capture_output=True, text=True).stdout
        assert "numba" not in packages, packages
        units = subprocess.run([python, "-c", UNITS], check=True, capture_output=True, text=True).stdout
        check_contents(wheel, int(units))
        size = sum(file.stat().st_size for file in python.parents[1].rglob("*") if file.is_file())
        print(f"the environment: {size / 1e6:.0f} MB")
        for name in NAMES:
            ends = [run(python, name, level, Path(folder) / f"cache-{name}-{level}") for level in LEVELS]
            worst = max(abs(a - b) for a, b in zip(*ends, strict=True))
            assert worst <= CLOSE, f"{name} ends {worst} apart at different levels"
    return 0


def check_contents(wheel: Path, units: int) -> None:
    """Machine code of all units for all targets, of the format of its system."""
    with zipfile.ZipFile(wheel) as content:
        for name, target in TARGETS.items():
            files = [file for file in content.namelist() if file.startswith(f"sympact/objects/{name}/")]
            assert len(files) == units, f"{len(files)} units for {name}, expected {units}"
            for file in files:
                code = zlib.decompress(content.read(file)[shipped.HEAD :]).partition(b"\0")[2]
                assert code.startswith(FORMATS[target.name.partition("-")[0]]), f"{file} is not for {name}"
    print(f"machine code of {units} units for each of {', '.join(TARGETS)}")


def run(python: Path, name: str, level: str, cache: Path) -> list[float]:
    """The first run of a model with an empty cache at a level of the processor: its state at the end."""
    place = os.environ | {"SYMPACT_CACHE_DIR": str(cache), "SYMPACT_PROCESSOR": level}
    command = [python, "-c", RUN.format(name=name)]
    done = subprocess.run(command, env=place, cwd=cache.parent, check=True, capture_output=True, text=True)
    seconds, events, end, imported, about = json.loads(done.stdout)
    assert not imported, "numba was imported"
    assert "compiling" not in done.stderr, done.stderr
    assert "shipped" in about, about
    print(f"{name} at {level}: first run {seconds:.2f} s CPU after the imports, {events} events")
    return end


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
