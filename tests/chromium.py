"""A real browser for tests: Chromium without a window, driven by playwright."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@contextmanager
def started() -> Iterator:
    """The browser; the test is skipped where it, or playwright, is missing."""
    if CHROMIUM is None:
        pytest.skip("there is no Chromium on the PATH")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as driver:
        sandbox = [] if os.getuid() else ["--no-sandbox"]
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=sandbox)
        yield browser
        browser.close()
