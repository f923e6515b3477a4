"""The page of everything a run may say: statuses, kinds of events, warnings, each with its cure.

    python tests/statuses_page.py

writes ``docs/api/statuses.rst``; `test_manual` compares it with the enums and with the warnings in the source.
"""

from __future__ import annotations

import ast
import re
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
        "the state reached a boundary of a `HybridSystem`, or met the condition of a `Transition` of a `HybridModel`, "
        "and the jump was applied; if it comes too often, check whether the jump leaves the state on its boundary"
    ),
    EventKind.IMPACT: "impulses of contacts changed the speeds; `impulse` and `energy` contain the figures",
    EventKind.CLOSE: "contacts that touched without approaching closed: at the start of a run, or when others opened",
    EventKind.OPEN: (
        "the force of a closed contact fell to zero, and the contact left its surface or no longer carries a force"
    ),
    EventKind.STICK: "the slip of a contact reached zero, and the contact sticks: its friction is within the cone",
    EventKind.SLIP: (
        "a sticking contact began to slip, or the slip of a contact reached zero and continues in another direction; "
        "`source` and `target` state which"
    ),
    EventKind.ACCUMULATION: (
        "impacts accumulated, and the remaining ones were replaced by closed contacts; `t_inf` is the time at which "
        "their sequence would have ended"
    ),
    EventKind.TIME: "a time that a controller records was reached (:doc:`../how-to/control`); the state is unchanged",
    EventKind.STOP: "a `Stop` of the user's own ended the run; the state is unchanged",
    EventKind.SWITCH: (
        "a condition in a flow (`Piecewise`, `Abs`, `sign`, ...) changed its branch; the state is unchanged"
    ),
    EventKind.CROSSING: "an event of the user's own, given as ``events=``, occurred; the state is unchanged",
    EventKind.SLIDE: (
        "the flows on both sides of a condition lead back to it, and the motion continues along it by Filippov's "
        "convex combination; where it ends, an event ``switch`` names the condition, such as ``x = 0``"
    ),
}

WARNINGS = {
    ("mechanics/run/equation_audit.py", "ImpactWarning"): (
        "*impact(s) gained energy*: Newton's law does this in simultaneous impacts of contacts with different "
        "restitutions, or where friction changes the direction of the slip; the message names the cause. Take "
        "``impact=Energetic()`` or ``Newton(guard=True)``, which do not gain. *Followed by another contact just "
        "outside the window*: two contacts hit so nearly at the same time that the outcome depends on their order; "
        "lower `rtol`, change the initial state a little, and check whether the quantities of interest change"
    ),
    ("mechanics/derive/derivation.py", "SympactWarning"): (
        "*the potential energy of ... acts as a load*: SymPy's `KanesMethod` ignores a body's potential energy, "
        "sympact does not; do not add the same force as a load, and set no potential energy if the force is already a "
        "load"
    ),
    ("mechanics/start/set_velocities.py", "SympactWarning"): (
        "*the velocity of the point ... differs by ... from the rate of its position*, or the angular velocity of a "
        "frame from the rate of its orientation: it was set to something that does not follow from positions and "
        "kinematic differential equations, so that the motion and its energy are wrong; set the position alone, and "
        "SymPy derives the velocity"
    ),
    ("native/cache.py", "RuntimeWarning"): (
        "*compiled code is not kept*: the cache folder is not writable; set ``SYMPACT_CACHE_DIR`` to a folder of "
        "your own, or to ``off``"
    ),
    ("native/renamed.py", "DeprecationWarning"): (
        "*... is ... since version 0.2*: a public name has changed; write the new one, the old one ends with 0.3"
    ),
    ("hybrid/adapters.py", "EndWarning"): (
        "the sentence of a status: `MultiConditionalDynamic` returns arrays only and therefore reports an early end of "
        "a run by a warning; follow the advice of the status"
    ),
}
"""What to do, by the file that warns and the category of the warning."""

_HEAD = """\
Statuses, events, warnings
==========================

Every run ends with a `Status`: ``result.status`` is the member, ``result.message`` its sentence with the time. A run
that ends early keeps everything up to that time.

"""

_WARNINGS = """\
``result.warnings`` contains the warnings of a run. All but that of the cache are a `SympactWarning`, which Python's
warning filters can select; each kind of warning of a run is shown once in a process.

"""


def warned() -> set[tuple[str, str]]:
    """The files of the package that warn, and the categories they warn of."""
    return {
        (file.relative_to(SOURCE).as_posix(), category)
        for file in sorted(SOURCE.rglob("*.py"))
        if file.stem != "warn_user"  # which warns of what others tell it
        for text in [file.read_text(encoding="utf-8")]
        if re.search("warn", text, flags=re.IGNORECASE)  # which is quick, and few do
        for category in _categories(ast.parse(text))
    }


def _categories(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("warnings.warn", "warn_user"):
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
            _title("Kinds of events") + "``event.kind`` compares equal to its name as a string.\n\n" + kinds,
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
