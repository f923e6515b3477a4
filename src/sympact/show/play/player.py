"""``python -m sympact play``: a local page for users who do not program, built on Bokeh, an optional dependency."""

from __future__ import annotations

import webbrowser
from collections.abc import Mapping
from urllib.parse import urlencode

__all__ = ["CURE", "address_of", "serve"]

CURE = "python -m pip install 'sympact[play]'"


def serve(catalogue: Mapping[str, str], name: str | None, port: int, browse: bool = True) -> None:
    """Show the page until Ctrl-C.

    Parameters
    ----------
    catalogue : mapping of str to str
        The names of the models, functions of `sympact.models`, and their descriptions.
    name : str, optional
        The model to begin with; without it the page lists them.
    port : int
        The port of the server, on this machine only; 0 takes any free port.
    browse : bool
        Whether the browser is opened at once.

    Raises
    ------
    ImportError
        If Bokeh is not installed, with the command that installs it.
    OSError
        If the port is taken.
    """
    try:
        from sympact.show.play.play_page import make_server
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in ("bokeh", "tornado"):
            raise
        raise ImportError(f"this page needs Bokeh, which is not installed; install it with: {CURE}") from error
    server = make_server(catalogue, port)
    server.start()
    address = address_of(server.port, name)
    print(f"The page is at {address} until Ctrl-C", flush=True)
    if browse:
        server.io_loop.add_callback(webbrowser.open, address)
    try:
        server.io_loop.start()
    except KeyboardInterrupt:
        server.stop()


def address_of(port: int, name: str | None = None) -> str:
    """The address of the page of a model.

    >>> address_of(5006, "two_links"), address_of(5006)
    ('http://localhost:5006/?model=two_links', 'http://localhost:5006/')
    """
    return f"http://localhost:{port}/" + (f"?{urlencode({'model': name})}" if name else "")
