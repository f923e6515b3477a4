"""Ctrl-C while the loop runs."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType

__all__ = ["HeldInterrupt"]


class HeldInterrupt:
    """Within its block Ctrl-C is held back until `deliver`, or the end, so that it always meets the run between steps.

    Python raises ``KeyboardInterrupt`` wherever it happens to be. Where machine code calls back into Python this may be
    outside of any ``try``: ctypes then drops the exception, and the run would go on with numbers that nobody wrote.

    A second Ctrl-C before the first is delivered is not held, for a user's function that does not return. Outside of
    the main thread, where Python handles no signals, nothing is done.

    Parameters
    ----------
    notice : callable
        Called when an interrupt is held: the loop should come back soon.
    """

    def __init__(self, notice: Callable[[], None]):
        self._notice = notice
        self._handler: Callable[[int, FrameType | None], object] | None = None
        self._held = False

    def __enter__(self) -> HeldInterrupt:
        handler = signal.getsignal(signal.SIGINT)
        if callable(handler) and threading.current_thread() is threading.main_thread():
            self._handler = handler
            signal.signal(signal.SIGINT, self._hold)
        return self

    def __exit__(self, kind: type[BaseException] | None, *exception: object) -> None:
        if self._handler is not None:
            signal.signal(signal.SIGINT, self._handler)
        if kind is None:
            self.deliver()

    def deliver(self) -> None:
        """Let the handler that was in force before have what is held."""
        if self._held and self._handler is not None:
            self._held = False
            self._handler(signal.SIGINT, None)

    def _hold(self, number: int, place: FrameType | None) -> None:
        if self._held and self._handler is not None:
            self._handler(number, place)
        self._held = True
        self._notice()
