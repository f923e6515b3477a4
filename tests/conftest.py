"""What every test shares."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("sympact", deadline=None, derandomize=True)
settings.load_profile("sympact")
