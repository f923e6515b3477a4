"""The page of everything a run may say: statuses, kinds of events, warnings, each with its cure.

    python tests/statuses_page.py

writes ``docs/api/statuses.rst``; `test_manual` compares it with the enums and with the warnings in the source.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from textwrap import fill

import sympact
from sympact import Status
from sympact.integrate.history.event import EventKind

SOURCE = Path(sympact.__file__).parent
PAGE = SOURCE.parent.parent / "docs" / "api" / "statuses.rst"

KINDS = {
    EventKind.TRANSITION: (
        "a boundary of a `HybridSystem` was reached, and its jump was made; if it comes too often, look whether the "
        "jump leaves the state on its boundary"
    ),
    EventKind.IMPACT: "contacts hit, and their impulses changed the speeds; `impulse` and `energy` say how",
    EventKind.CLOSE: "contacts that touched without approaching closed: at the start of a run, or as others opened",
    EventKind.OPEN: "the force of a closed contact came down to zero, and it left its surface or ceased to bear",
    EventKind.STICK: "the slip of a contact came to zero, and its friction can hold it there",
    EventKind.SLIP: (
        "a sticking contact began to slip, or the slip of one came to zero and goes on in another direction; `source` "
        "and `target` tell which"
    ),
    EventKind.ACCUMULATION: (
        "hops died away, and what was left of them was taken at once; `t_inf` is when the last would have ended"
    ),
    EventKind.TIME: "a time that was asked for was reached; kept for a later version",
    EventKind.STOP: "the run was ended by a boundary; kept for a later version",
    EventKind.SWITCH: (
        "a condition in a flow (`Piecewise`, `Abs`, `sign`, ...) changed its branch; the state stays as it is"
    ),
}

WARNINGS = {
    ("mechanics/run/equation_audit.py", "ImpactWarning"): (
        "*impact(s) gained energy*: Newton's law does this when contacts with different restitutions hit together, or "
        "where friction turns the slip; the sentence names the cause. Take ``impact=Energetic()`` or "
        "``Newton(guard=True)``, which do not gain. *Followed by another contact just outside the "
        "window*: two contacts hit so nearly together that the outcome hangs on their order; lower `rtol`, move the "
        "start a little, and see whether what you ask for changes"
    ),
    ("mechanics/derive/derivation.py", "SympactWarning"): (
        "*the potential energy of ... acts as a load*: SymPy's `KanesMethod` ignores a body's potential energy, "
        "sympact does not; do not add the same force as a load, and set no potential energy where it is one already"
    ),
    ("native/cache.py", "RuntimeWarning"): (
        "*compiled code is not kept*: the cache folder cannot be written; set ``SYMPACT_CACHE_DIR`` to a folder of "
        "your own, or to ``off``"
    ),
    ("hybrid/adapters.py", "EndWarning"): (
        "the sentence of a status: `MultiConditionalDynamic` returns arrays only, so that a run that ended early says "
        "so by a warning; do what the status says"
    ),
}
"""What to do, by the file that warns and the category of the warning."""

_HEAD = """\
Statuses, events, warnings
==========================

Every run ends with a `Status`: ``result.status`` is the member, ``result.message`` its sentence with the time. A run
that ends early keeps everything up to there.

"""

_WARNINGS = """\
``result.warnings`` keeps those of a run. All but that of the cache are a `SympactWarning`, by which Python's filters
find them; a run's own are shown once for each kind in a process.

"""


def warned() -> set[tuple[str, str]]:
    """The files of the package that warn, and the categories they warn of."""
    return {
        (file.relative_to(SOURCE).as_posix(), category)
        for file in sorted(SOURCE.rglob("*.py"))
        for category in _categories(ast.parse(file.read_text(encoding="utf-8")))
    }


def _categories(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "warnings.warn":
            yield next((one.id for one in node.args[1:] if isinstance(one, ast.Name)), "UserWarning")
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("ImpactWarning", "EndWarning"):
            yield ast.unparse(node.func)


def page() -> str:
    """The page as reStructuredText."""
    statuses = "".join(_entry(f"``{status.name}``", status.value) for status in Status)
    kinds = "".join(_entry(f"``{kind.value}``", KINDS[kind]) for kind in EventKind)
    warnings = "".join(_entry(f"``{category}``, from ``{file}``", cure) for (file, category), cure in WARNINGS.items())
    return _HEAD + "\n".join(
        [
            _title("Why a run ended") + statuses,
            _title("Kinds of events") + "``event.kind`` compares equal to its own word.\n\n" + kinds,
            _title("Warnings") + _WARNINGS + warnings,
        ]
    )


def _title(text: str) -> str:
    return f"{text}\n{'-' * len(text)}\n\n"


def _entry(term: str, text: str) -> str:
    sentence = text.replace("|", r"\|") + "."
    return f"{term}\n{fill(sentence, 119, initial_indent='   ', subsequent_indent='   ', break_on_hyphens=False)}\n\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
