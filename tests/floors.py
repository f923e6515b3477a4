"""Quick tests under the lowest and the newest versions of the dependencies, in environments made for it.

    python tests/floors.py lowest            # this Python, each dependency at the floor that pyproject.toml states
    python tests/floors.py newest python3.13 # another Python, each dependency as new as there is

Environments stay in ``.venv-floors`` for the next time. ``make floors`` does both for every Python that is found.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
PYTHONS = ("python3.11", "python3.13")
WHAT = ("lowest", "newest")
COMPILED = ("contact/test_contact_lcp.py", "contact/test_contact_code.py")
"""Tests that compile units of the loop, a few of them: all take minutes."""
INTERPRETED = (
    "graph/test_graph_code.py",
    "graph/test_graph_sympy.py",
    "hybrid/test_hybrid_sympy.py",
    "integrate/test_integrate_first_step.py",
    "integrate/test_integrate_progress.py",
    "integrate/test_integrate_stiff.py",
    "mechanics/test_mechanics_equations.py",
    "mechanics/test_mechanics_model.py",
    "native/test_native_cache.py",
    "integrate/result/test_result_archive.py",
    "show/test_show_graph.py",
    "show/test_show_panels.py",
)
"""Tests that meet every dependency, with kernels as Python."""


def main(arguments: list[str]) -> int:
    """One environment, or all that can be made; 0 where all tests pass."""
    if arguments:
        what, python = arguments[0], arguments[1] if len(arguments) > 1 else sys.executable
        return check(what, python)
    found = [python for python in PYTHONS if shutil.which(python)]
    print("not found, left out:", *(python for python in PYTHONS if python not in found))
    return max([check(what, python) for python in found for what in WHAT], default=1)


def check(what: str, python: str) -> int:
    """The quick tests in one environment."""
    made = environment(what, python)
    place = os.environ | {
        "PYTHONPATH": os.pathsep.join(map(str, (ROOT / "src", ROOT / "tests"))),
        "SYMPACT_CACHE_DIR": str(made / "sympact-cache"),
    }
    codes = []
    for tests, kernels in ((COMPILED, "0"), (INTERPRETED, "1")):
        command = [made / "bin" / "python", "-m", "pytest", "-q", "-p", "no:cacheprovider"]
        files = [ROOT / "tests" / name for name in tests]
        done = subprocess.run([*command, *files], env=place | {"NUMBA_DISABLE_JIT": kernels}, cwd=ROOT, check=False)
        codes.append(done.returncode)
    print(f"{what} versions, {python}: {'passed' if not any(codes) else 'FAILED'}", flush=True)
    return max(codes)


def environment(what: str, python: str) -> Path:
    """A virtual environment with the dependencies; its folder."""
    made = ROOT / ".venv-floors" / f"{Path(python).name}-{what}"
    asked = requirements(what)
    stamp = made / "asked.txt"
    if not stamp.exists() or stamp.read_text() != "\n".join(asked):
        shutil.rmtree(made, ignore_errors=True)
        subprocess.run([python, "-m", "venv", made], check=True)
        pip = [made / "bin" / "python", "-m", "pip", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "install", "--only-binary", ":all:", *asked], check=True)
        stamp.write_text("\n".join(asked))
    subprocess.run([made / "bin" / "python", "-m", "pip", "--disable-pip-version-check", "freeze"], check=True)
    return made


def requirements(what: str) -> list[str]:
    """The dependencies and what the quick tests need, as pip takes them."""
    with open(ROOT / "pyproject.toml", "rb") as file:
        project = tomllib.load(file)["project"]
    tools = [one for one in project["optional-dependencies"]["test"] if one.startswith(("hypothesis", "pytest>"))]
    extras = project["optional-dependencies"]
    floors = [*project["dependencies"], *tools, *extras["kernels"], *extras["tables"]]
    if what == "newest":
        return [one.split(">=")[0] for one in floors]
    return [one.replace(">=", "==") for one in floors]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
