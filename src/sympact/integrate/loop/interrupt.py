"""Ctrl-C while the loop runs."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType

__all__ = ["HeldInterrupt"]


class HeldInterrupt:
    """Defers Ctrl-C within its block until `deliver`, or the end, so that it always occurs between steps of the run.

    Python raises ``KeyboardInterrupt`` at any instruction. Where machine code calls Python this may be outside of any
    ``try``: ctypes then drops the exception, and the run would continue with undefined numbers.

    A second Ctrl-C before the first is delivered is not deferred, for a user's function that does not return. Outside
    of the main thread, where Python handles no signals, nothing is done.

    Parameters
    ----------
    notice : callable
        Called when an interrupt is deferred: the loop should return soon.
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
        """Pass a deferred interrupt to the previous handler."""
        if self._held and self._handler is not None:
            self._held = False
            self._handler(signal.SIGINT, None)

    def _hold(self, number: int, place: FrameType | None) -> None:
        if self._held and self._handler is not None:
            self._handler(number, place)
        self._held = True
        self._notice()
