"""``python -m sympact play``: a local page for users who do not program, built on Bokeh, an optional dependency."""

from __future__ import annotations

import webbrowser
from collections.abc import Mapping
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlencode

__all__ = ["CURE", "address_of", "forwarding", "serve"]

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
    address = address_of(server.port, server.prefix, name)
    print(f"The page is at {address} until Ctrl-C", flush=True)
    with TemporaryDirectory(prefix="sympact-play-") as folder:
        if browse:
            server.io_loop.add_callback(webbrowser.open, forwarding(address, Path(folder)).as_uri())
        try:
            server.io_loop.start()
        except KeyboardInterrupt:
            server.stop()


def address_of(port: int, prefix: str, name: str | None = None) -> str:
    """The address of the page of a model.

    >>> address_of(5006, "/Zq3w", "two_links"), address_of(5006, "/Zq3w")
    ('http://localhost:5006/Zq3w/?model=two_links', 'http://localhost:5006/Zq3w/')
    """
    return f"http://localhost:{port}{prefix}/" + (f"?{urlencode({'model': name})}" if name else "")


def forwarding(address: str, folder: Path) -> Path:
    """A file in a private folder that leads a browser to the address.

    The command line of a browser can be read by all users of a machine; this file only by its owner.
    """
    path = folder / "play.html"
    path.write_text(f'<meta http-equiv="refresh" content="0; url={escape(address)}">', encoding="utf-8")
    return path
