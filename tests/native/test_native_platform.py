"""A system without POSIX's own calls is served, too: here one is made of this one, by taking its names away."""

import json
import os
import subprocess
import sys

import pytest

from sympact.models import falling_rod
from sympact.native import ObjectCache
from sympact.native.system import platform_calls, platform_other
from sympact.native.system.platform_posix import NEEDED

TAKEN_AWAY = (*NEEDED, "O_NOCTTY", "fork", "forkpty", "geteuid", "getgid", "getpwuid", "sched_getaffinity", "fchmod")
BY_DESCRIPTOR = ("access", "open", "rename", "stat", "unlink", "utime")

PROGRAM = f"""
import json, os, sys
import llvmlite.binding, logging, numpy, platformdirs, random, subprocess, sympy, tempfile, threading, tqdm
for name in {TAKEN_AWAY!r}:
    if hasattr(os, name):
        delattr(os, name)

def by_path_alone(call):
    def called(*arguments, **options):
        if any(name in options for name in ("dir_fd", "src_dir_fd", "dst_dir_fd")):
            raise NotImplementedError("dir_fd unavailable on this platform")
        return call(*arguments, **options)
    return called

for name in {BY_DESCRIPTOR!r}:
    setattr(os, name, by_path_alone(getattr(os, name)))

sys.modules["fcntl"] = sys.modules["pwd"] = None  # whoever imports them has an ImportError

import sympy as sm
from sympact import HybridSystem, Transition
from sympact.native import default_cache
from sympact.native.system import platform_calls
y, v, g, e = sm.symbols("y v g e")
ground = Transition("air", "air", boundary=-y, jump={{v: -e * v}}, name="ground")
ball = HybridSystem.from_sympy({{"air": [v, -g]}}, [ground], states=[y, v], parameters=[g, e])
run = ball.simulate((0, 1.5), {{y: 5, v: 0}}, start="air", parameters={{g: 10, e: 0.5}})
from sympact.models import falling_rod
rod = falling_rod().with_numbers(t_span=(0, 0.5)).simulate()
kept = sorted(os.listdir(default_cache().folder))
times = [event.t for event in run.events], [event.t for event in rod.events]
print(json.dumps([platform_calls._SYSTEM.__name__, run.status.name, *times, rod.settings["engine"], kept]))
"""


def run_without_posix(folder):
    place = {**os.environ, "NUMBA_DISABLE_JIT": "1", "SYMPACT_CACHE_DIR": str(folder)}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=place, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_process_runs_without_the_calls_of_posix_and_keeps_its_code(tmp_path):
    """Twice: the second process finds the code of the first. A fall of 5 m at 10 m/s^2 takes 1 s."""
    system, status, times, hits, engine, kept = run_without_posix(tmp_path)
    assert system == "sympact.native.system.platform_other"
    assert status == "FINISHED"
    assert times == pytest.approx([1.0], abs=1e-12)
    rod = falling_rod().with_numbers(t_span=(0, 0.5)).simulate()
    assert hits == pytest.approx([event.t for event in rod.events], abs=1e-9)
    assert len(hits) >= 1
    assert engine == "interpreted"
    assert kept
    assert all(name.endswith(".object") for name in kept)
    assert run_without_posix(tmp_path) == [system, status, times, hits, engine, kept]


def test_calls_of_posix_stand_in_one_file():
    """No other file of the package names what only POSIX has."""
    import sympact

    source = os.path.dirname(sympact.__file__)
    words = (*NEEDED, "dir_fd", "fcntl", "geteuid", "os.fork", "import pwd", "import resource", "import termios")
    found = []
    for folder, _, files in os.walk(source):
        for name in files:
            if name.endswith(".py") and name not in ("platform_posix.py", "platform_calls.py"):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    text = file.read()
                found += [(name, word) for word in words if word in text]
    assert found == []


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """A cache as it is on such a system."""
    monkeypatch.setattr(platform_calls, "_SYSTEM", platform_other)
    return ObjectCache(tmp_path)


def test_what_was_stored_is_read_and_what_is_damaged_is_removed(cache):
    cache.put("a1", b"machine code")
    assert cache.get("a1") == b"machine code"
    assert cache.get("b2") is None
    file = cache.folder / "a1.object"
    file.write_bytes(file.read_bytes()[:-1])
    assert cache.get("a1") is None
    assert not file.exists()


def test_links_are_not_followed(cache, tmp_path):
    cache.put("a1", b"machine code")
    file = cache.folder / "a1.object"
    file.rename(tmp_path / "elsewhere")
    file.symlink_to(tmp_path / "elsewhere")
    with pytest.warns(RuntimeWarning, match="symbolic link"):
        assert cache.get("a1") is None
    linked = ObjectCache(tmp_path / "other")
    linked.folder.parent.mkdir()
    linked.folder.symlink_to(cache.folder)
    with pytest.warns(RuntimeWarning, match="no folder"):
        linked.put("b2", b"machine code")


def test_files_used_longest_ago_leave_first(cache):
    cache.limit = 2 * (len(b"machine code") + 49)
    for age, key in enumerate(("a1", "b2")):
        cache.put(key, b"machine code")
        os.utime(cache.folder / f"{key}.object", (1000 + age,) * 2)
    cache.put("c3", b"machine code")
    assert [cache.get(key) is not None for key in ("a1", "b2", "c3")] == [False, True, True]


@pytest.mark.parametrize("other", [False, True], ids=["posix", "other"])
def test_a_folder_is_locked_and_released(tmp_path, monkeypatch, other):
    if other:
        monkeypatch.setattr(platform_calls, "_SYSTEM", platform_other)
    folder = tmp_path / "locked"
    folder.mkdir()
    release = platform_calls.lock_folder(folder)
    assert release is not None
    if not other:  # the twin relies on Windows, which does not remove a file that is open
        assert platform_calls.lock_folder(folder) is None
    release()
    again = platform_calls.lock_folder(folder)
    assert again is not None
    again()
