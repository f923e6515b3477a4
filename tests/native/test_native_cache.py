"""Promises of the object cache: what is read was written here, whole, by this user; trouble never stops the program."""

import os
import subprocess
import sys
import time
import warnings

import pytest

from sympact.native import ObjectCache, default_cache

KEY = "0a1b"
CONTENT = bytes(range(256)) * 40


@pytest.fixture
def cache(tmp_path):
    return ObjectCache(tmp_path)


def stored_file(cache, key=KEY):
    return cache.folder / f"{key}.object"


def test_returns_what_was_stored(cache):
    cache.put(KEY, CONTENT)
    assert cache.get(KEY) == CONTENT
    assert cache.get("ffff") is None


def test_folder_and_files_are_the_users_own(cache):
    cache.put(KEY, CONTENT)
    assert cache.folder.stat().st_mode & 0o777 == 0o700
    assert stored_file(cache).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("length", [0, 5, 30, 60, -1])
def test_truncated_file_is_removed(cache, length):
    cache.put(KEY, CONTENT)
    stored_file(cache).write_bytes(stored_file(cache).read_bytes()[:length])
    assert cache.get(KEY) is None
    assert not stored_file(cache).exists()


@pytest.mark.parametrize("position", [0, 20, 100, -1])
def test_tampered_file_is_removed(cache, position):
    cache.put(KEY, CONTENT)
    data = bytearray(stored_file(cache).read_bytes())
    data[position] ^= 1
    stored_file(cache).write_bytes(data)
    assert cache.get(KEY) is None
    assert not stored_file(cache).exists()


def test_file_under_the_name_of_another_is_not_taken(cache):
    cache.put(KEY, CONTENT)
    stored_file(cache).rename(stored_file(cache, "beef"))
    assert cache.get("beef") is None


def test_file_that_is_a_link_is_not_followed(cache, tmp_path):
    cache.put(KEY, CONTENT)
    moved = tmp_path / "elsewhere"
    stored_file(cache).rename(moved)
    stored_file(cache).symlink_to(moved)
    with pytest.warns(RuntimeWarning, match="cannot be used"):
        assert cache.get(KEY) is None


@pytest.mark.parametrize("mode", [0o755, 0o770, 0o701])
def test_folder_open_to_others_is_not_used(cache, mode):
    cache.put(KEY, CONTENT)
    cache.folder.chmod(mode)
    with pytest.warns(RuntimeWarning, match="others may enter it"):
        assert cache.get(KEY) is None


def test_folder_of_another_user_is_not_used(cache, monkeypatch):
    cache.put(KEY, CONTENT)
    other = os.getuid() + 1
    monkeypatch.setattr(os, "getuid", lambda: other)
    with pytest.warns(RuntimeWarning, match="belongs to user"):
        assert cache.get(KEY) is None


def test_folder_that_is_a_link_is_not_used(cache, tmp_path):
    (tmp_path / "other").mkdir(mode=0o700)
    cache.folder.symlink_to(tmp_path / "other")
    with pytest.warns(RuntimeWarning, match="cannot be used"):
        cache.put(KEY, CONTENT)
    assert list((tmp_path / "other").iterdir()) == []


def test_unusable_folder_is_told_once(tmp_path):
    (tmp_path / "file").write_text("not a folder")
    cache = ObjectCache(tmp_path / "file")
    with pytest.warns(RuntimeWarning, match="SYMPACT_CACHE_DIR") as caught:
        cache.put(KEY, CONTENT)
    assert len(caught) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cache.put(KEY, CONTENT)
        assert cache.get(KEY) is None


def test_least_recently_used_files_leave_first(tmp_path):
    cache = ObjectCache(tmp_path, limit=3 * (len(CONTENT) + 49))
    for age, key in enumerate(["a", "b", "c"]):
        cache.put(key, CONTENT)
        os.utime(stored_file(cache, key), (1000 + age, 1000 + age))
    assert cache.get("a") == CONTENT
    cache.put("d", CONTENT)
    assert cache.get("b") is None
    assert [cache.get(key) for key in ("a", "c", "d")] == [CONTENT] * 3


def test_remains_of_a_crash_are_cleared(cache):
    cache.put(KEY, CONTENT)
    old, new = cache.folder / "1-x.part", cache.folder / "2-y.part"
    old.write_bytes(b"half")
    new.write_bytes(b"half")
    os.utime(old, (time.time() - 7200,) * 2)
    cache.put("cc", CONTENT)
    assert not old.exists()
    assert new.exists()


def test_writers_at_once_leave_a_whole_file(tmp_path):
    """Three processes write different contents under one key; a reader only ever sees one of them, whole."""
    program = (
        "import sys; from pathlib import Path; from sympact.native import ObjectCache\n"
        "cache = ObjectCache(Path(sys.argv[1]))\n"
        "for _ in range(100): cache.put('aa', sys.argv[2].encode() * 50_000)\n"
    )
    letters = ["x", "y", "z"]
    writers = [subprocess.Popen([sys.executable, "-c", program, tmp_path, letter]) for letter in letters]
    cache, possible = ObjectCache(tmp_path), {letter.encode() * 50_000 for letter in letters}
    seen = []
    while any(writer.poll() is None for writer in writers):
        content = cache.get("aa")
        if content is not None:
            seen.append(content)
    assert [writer.returncode for writer in writers] == [0, 0, 0]
    assert seen
    assert set(seen) <= possible
    assert [file.name for file in cache.folder.iterdir()] == ["aa.object"]


def test_environment_names_the_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("SYMPACT_CACHE_DIR", str(tmp_path))
    assert default_cache().folder == tmp_path / "objects"
    monkeypatch.delenv("SYMPACT_CACHE_DIR")
    assert default_cache().folder.parent.name == "sympact"


def test_off_keeps_nothing(monkeypatch):
    monkeypatch.setenv("SYMPACT_CACHE_DIR", "off")
    cache = default_cache()
    cache.put(KEY, CONTENT)
    assert cache.folder is None
    assert cache.get(KEY) is None
