"""Files that are written are there whole or not at all: on a full disk and at Ctrl-C the older one stays."""

import os
import signal
import subprocess
import sys
from contextlib import contextmanager

import numpy as np
import pytest
from dropped_ball import dropped_ball

from sympact import load
from sympact.integrate.export.whole_file import replaced, whole_file
from sympact.models import bouncing_ball

resource = pytest.importorskip("resource")

WRITERS = {
    "run.npz": lambda result, path: result.save(path),
    "run.csv": lambda result, path: result.to_csv(path),
    "run.html": lambda result, path: result.report(path),
    "film.html": lambda result, path: result.animate(path, fps=5),
    "film.gif": lambda result, path: result.animate(path, fps=5),
}


@contextmanager
def files_up_to(size: int):
    """The system refuses what makes a file larger, as a full disk does."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@pytest.fixture(scope="module")
def ball():
    return bouncing_ball().simulate(max_events=4)


@pytest.mark.parametrize("name", WRITERS)
def test_what_cannot_be_written_leaves_the_older_file(ball, tmp_path, name):
    path = tmp_path / name
    path.write_bytes(b"older")
    with (
        files_up_to(1000),
        pytest.raises(OSError, match=r"the file was not written, and one of this name is as it was"),
    ):
        WRITERS[name](ball, path)
    assert path.read_bytes() == b"older"
    assert os.listdir(tmp_path) == [name]


def test_the_error_names_the_file(ball, tmp_path):
    with files_up_to(1000), pytest.raises(OSError, match="new") as caught:
        ball.save(tmp_path / "new.npz")
    assert caught.value.filename == str(tmp_path / "new.npz")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit, ValueError])
def test_an_exception_while_a_file_is_written_leaves_the_older_one(tmp_path, kind):
    path = tmp_path / "table.csv"
    path.write_text("older")

    def write():
        with whole_file(path, text=True) as file:
            file.write("half")
            raise kind

    with pytest.raises(kind):
        write()
    assert path.read_text() == "older"
    assert os.listdir(tmp_path) == ["table.csv"]


def test_links_devices_and_permissions_stay_what_they_are(tmp_path):
    there, link = tmp_path / "there.csv", tmp_path / "link.csv"
    there.write_text("older")
    there.chmod(0o640)
    link.symlink_to(there)
    with whole_file(link, text=True) as file:
        file.write("newer")
    assert link.is_symlink()
    assert there.read_text() == "newer"
    assert there.stat().st_mode & 0o777 == 0o640
    with whole_file("/dev/null") as file:
        file.write(b"nothing")
    with pytest.raises(OSError, match="/dev/full"), whole_file("/dev/full") as file:
        file.write(b"nothing")


def test_a_program_that_fails_leaves_nothing(tmp_path):
    def film():
        with replaced(tmp_path / "film.mp4") as part:
            part.write_bytes(b"half")
            raise ValueError("it failed")

    with pytest.raises(ValueError, match="failed"):
        film()
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda result, folder: result.save(folder / "a.mat"), r"'a\.mat' is no name of a NumPy archive, .*a\.npz"),
        (lambda result, folder: result.to_csv(folder / "a.xlsx"), r"'a\.xlsx' is no name of a table of text.*a\.csv"),
        (lambda result, folder: result.report(folder / "a.pdf"), r"'a\.pdf' is no name of a page.*a\.html"),
    ],
)
def test_a_name_of_another_kind_of_file_is_refused(tmp_path, call, name):
    with pytest.raises(ValueError, match=name):
        call(dropped_ball(), tmp_path)
    assert os.listdir(tmp_path) == []


def test_a_name_with_a_number_at_its_end_has_no_suffix(tmp_path):
    dropped_ball().save(tmp_path / "run_0.5")
    assert load(tmp_path / "run_0.5").t[-1] == dropped_ball().t[-1]


CHILD = """\
import sys, numpy as np
from sympact.integrate.export.whole_file import whole_file
print("ready", flush=True)
try:
    while True:
        with whole_file(sys.argv[1]) as file:
            np.savez(file, a=np.zeros(100_000), b=np.ones(100_000))
except KeyboardInterrupt:
    pass
"""


@pytest.mark.slow
def test_ctrl_c_at_any_moment_leaves_a_whole_file(tmp_path):
    path, rng = tmp_path / "a.npz", np.random.default_rng(5)
    np.savez(path, a=np.zeros(3), b=np.ones(3))
    for _ in range(100):
        command = [sys.executable, "-c", CHILD, str(path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True) as child:
            assert child.stdout.readline() == b"ready\n"
            with pytest.raises(subprocess.TimeoutExpired):
                child.wait(rng.uniform(0.0, 0.2))
            child.send_signal(signal.SIGINT)
            assert child.wait(60) == 0
        with np.load(path) as found:
            assert (found["a"] == 0).all()
            assert (found["b"] == 1).all()
        assert os.listdir(tmp_path) == ["a.npz"]
