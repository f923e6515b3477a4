"""The promise: manual, docstrings and messages use the terms of the field, not the words that version 0.1 had.

The manual is its pages, the readmes, and the scripts that pages show, with their docstrings and comments. Of the
package the docstrings, the comments and the strings that users read are checked.

`RETIRED` is the one list of these words. The table at the end of ``docs/glossary.rst`` is written from it by

    python tests/house/test_language.py
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from dataclasses import dataclass
from pathlib import Path

import pytest
from example_scripts import ROOT
from manual_code import DOCS, PAGES, README, SCRIPTS

GLOSSARY = DOCS / "glossary.rst"
PROSE = [README, ROOT / "benchmarks" / "README.md", *PAGES]
SHOWN = [*SCRIPTS, *sorted((ROOT / "examples").glob("*.py"))]
SOURCE = ROOT / "src" / "sympact"


@dataclass(frozen=True)
class Retired:
    """A word that the manual does not use in one of its senses.

    Parameters
    ----------
    word : str
        As the glossary lists it.
    term : str
        What to write in its place.
    pattern : str
        A regular expression of the sense that is retired, for text in which white space is one space.
    found, passed : tuple of str
        Sentences with that sense, and sentences with others, which are no fault.
    """

    word: str
    term: str
    pattern: str
    found: tuple[str, ...]
    passed: tuple[str, ...] = ()


RETIRED = (
    Retired(
        "tell, told",
        "state, report, determine, describe; distinguish (for tell apart)",
        r"\b(tells?|told|telling)\b",
        ("The message tells why.", "Painleve's paradox is told."),
        ("an intelligent method", "metallic"),
    ),
    Retired(
        "rub",
        "slide with friction",
        r"\brub(s|bed|bing)?\b",
        ("what rubs", "a disc that rubs all over"),
        ("a rubber ball",),
    ),
    Retired(
        "hang on",
        "depend on",
        r"\b(hangs?|hung|hanging) on\b",
        ("the outcome hangs on their order",),
        ("A ball hangs from a string.",),
    ),
    Retired(
        "what becomes of",
        "the motion, the state or the mode after an event",
        r"\bwhat (becomes|became) of\b",
        ("what becomes of a contact",),
        ("The normal velocity becomes zero.",),
    ),
    Retired(
        "jam",
        "self-locking (jamb)",
        r"\bjam(s|med|ming)?\b",
        ("The contact jams.", "nearly jammed", "a jam"),
        ("the jamb process", "James"),
    ),
    Retired(
        "hop",
        "rebound",
        r"\bhop(s|ped|ping)?\b",
        ("the hops get shorter", "leaves in a hop"),
        ("hopping_disc  Disc that lifts off a hill", "hope"),
    ),
    Retired(
        "bend (of a function)",
        "have a second derivative, be curved",
        r"\b(bends?|bent)\b|\bbending\b(?! (moment|stiffness|stress))",
        ("a gap that bends faster than the state",),
        ("the bending stiffness of a beam",),
    ),
    Retired(
        "pose",
        "assemble, formulate (a problem)",
        r"(?<![-\w])(posed|posing)\b|\b(to|is|are|we) pose\b",
        ("velocities that were posed", "to pose the problem"),
        ("an ill-posed problem", "Poses and velocities of bodies", "imposed"),
    ),
    Retired(
        "held",
        "constrained; kept (below a bound); compared (with formulas)",
        r"\bheld\b(?! (fixed|constant))",
        ("a direction that is held", "data that are held"),
        ("The length is held fixed.", "upheld"),
    ),
    Retired(
        "lighten",
        "reduce the normal force, the inverse mass or the load",
        r"\blighten(s|ed|ing)?\b",
        ("friction lightens the contact",),
        ("lightly damped",),
    ),
    Retired(
        "sharpen",
        "refine (iterative refinement)",
        r"\bsharpen(s|ed|ing)?\b",
        ("The motion is sharpened.",),
        ("a sharp edge",),
    ),
    Retired(
        "grip", "stick; friction within the cone", r"\bgrip(s|ped|ping)?\b", ("where friction grips",), ("gripen",)
    ),
    Retired(
        "handle",
        "object, address",
        r"\b(a|the|its|their|by) handles?\b|\bhandles (of|to)\b",
        ("the handles of the functions",),
        ("The solver handles redundant contacts.",),
    ),
    Retired(
        "letter",
        "symbol; notation (of all)",
        r"(?<!after a )\bletters?\b(?! to the editor|, digits)",
        ("its letters and contacts", "letter by letter"),
        (":doc:`theory/letters`", "letters, digits and underscores after a letter"),
    ),
    Retired(
        "word",
        "name, string; sentence (of a message)",
        r"(?<!other )(?<!guard )(?<!machine )(?<!bit )\bwords?\b(?! retired)",
        ("equal to its own word", "in the words of the call"),
        ("in other words", "Words retired in 0.2", "keywords", "a 64-bit word"),
    ),
    Retired(
        "own law",
        "custom law",
        r"\bown (impact )?laws?\b|\blaws? of (your|one's|their|its) own\b",
        ("laws of your own", "a law of one's own", "an own law"),
        ("Newton's own work", "a coordinate frame of your own"),
    ),
    Retired("crowd", "many contacts, a cluster", r"\bcrowd(s|ed|ing)?\b", ("a crowd of events",)),
    Retired(
        "strike, blow, hit (as nouns)",
        "impact",
        r"\b(a|an|the|without|lucky|plastic|foot|heel) (strike|blow|hit)\b(?! rate)|\b(strikes|blows|hits) of\b"
        r"|\b(plastic|foot|heel) strikes\b|\b(\d+|two|three|several|many|fourteen) (strikes|blows|hits)\b",
        ("the strikes of a wheel", "the blow on a stack", "2 of the 14 hits", "without a blow", "plastic strikes"),
        ("A ball hits the floor.", "contacts that hit at one instant", "The tip hits a wall."),
    ),
    Retired(
        "settle",
        "determine (an outcome); come to rest",
        r"\bsettle[sd]?\b",
        ("The model does not settle the order.",),
        ("the settling time of a controller",),
    ),
    Retired(
        "take out",
        "project to zero, remove, dissipate (energy)",
        r"\b(takes?|took|taken|taking) (\w+ )?out\b",
        ("Slip is taken out.", "takes energy out"),
        ("takes the order without a test",),
    ),
    Retired(
        "stand (for, beside, below)",
        "be stored; represent; be printed below",
        r"\bstands? (for|beside|below|above)\b|\bstands? in (a|the) (model|list|table|file)\b",
        ("coefficients that stand beside the parameters", "the corners stand for the face"),
        ("A body stands still.", "a table stands on the floor"),
    ),
    Retired(
        "flight",
        "smooth arc; free motion",
        r"\bflights?\b",
        ("the exact flight", "in free flight"),
        ("a flighty guess",),
    ),
    Retired(
        "give back",
        "return; reverse (a slip)",
        r"\b(gives?|given|gave|giving) back\b",
        ("expansion gives back the work",),
        ("It gives the backward error.",),
    ),
    Retired(
        "hand over, hand on",
        "give, pass, transmit",
        r"\bhand(s|ed|ing)? (over|on)\b",
        ("hands on its velocity", "the model that was handed over"),
        ("the right-hand side of one equation",),
    ),
    Retired(
        "get on",
        "make progress",
        r"\b(gets?|got|getting) on\b",
        ("the run does not get on",),
        ("get one event",),
    ),
    Retired(
        "ask for (a value), be asked",
        "request, need, evaluate; require (of a law)",
        r"\b(is|are|was|were|be|been) asked\b|\basked for\b|\bwhat (\w+ )?(\w+ )?asks?\b",
        ("forces that were asked for", "what the law asks for", "a contact is asked"),
        ("call the method", "masked forces"),
    ),
    Retired(
        "what is left of",
        "remainder, residual",
        r"\bwhat (is|was|are) left\b",
        ("what is left of its velocities",),
        ("the remaining part is left unchanged",),
    ),
    Retired(
        "what becomes, what holds, what touches (as nouns)",
        "the noun itself: the mode, the condition, the contacting part",
        r"\bwhat (holds?|touch(es)?|pushes|bears|slips|sticks|moves|fired|solves|solved)\b",
        ("the size of what touches", "what holds at +1"),
        ("the contact that touches",),
    ),
)


def prose(text: str, markdown: bool = False) -> str:
    """The prose of a page with every white space as one space; code, literals, roles and formulas are left out."""
    text = _without_fences(text) if markdown else _without_blocks(text)
    text = re.sub(r"`[^`<]*<[^`>]*>`_", " ", text)
    text = re.sub(r"(:[\w:]+:)?``?[^`]*``?_?", "`", text)
    return re.sub(r"\s+", " ", re.sub(r"\]\([^)]*\)", "]", text))


def _without_fences(text: str) -> str:
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


_CODE = re.compile(r"\s*\.\. (code-block|code|math|literalinclude|toctree|auto\w+)::|(?!\s*\.\.).*::$")


def _without_blocks(text: str) -> str:
    kept: list[str] = []
    outer = None  # the indentation of the block that is being left out
    for line in text.splitlines():
        indent = len(line) - len(line.lstrip())
        if outer is not None and line.strip() and indent <= outer:
            outer = None
        if outer is None and "::" in line and _CODE.match(line):
            outer = indent
            kept += [] if line.lstrip().startswith("..") else [line]
        elif outer is None:
            kept.append(line)
    return "\n".join(kept)


def comments(source: str) -> str:
    """The docstrings and comments of a script, as prose."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    written = [token.string.strip('#"') for token in tokens if token.string.startswith(('"""', "#"))]
    return prose("\n".join(written))


_PARAMETER = re.compile(r"^ *\w+(, \w+)* : .*$", re.MULTILINE)
_DOCTEST = re.compile(r"^ *>>> .*(?:\n *\S.*)*", re.MULTILINE)


def written(source: str) -> str:
    """The docstrings, comments and messages of a module, without names of parameters and doctests."""
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, (ast.Expr, ast.Constant, ast.JoinedStr))]
    docstrings, parts = [], set()
    for node in nodes:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            docstrings.append(_DOCTEST.sub("", _PARAMETER.sub("", node.value.value)))
            parts.add(id(node.value))
        elif isinstance(node, ast.JoinedStr):
            parts |= {id(part) for part in node.values}
    messages = [_message(node) for node in nodes if id(node) not in parts]
    tokens = tokenize.generate_tokens(io.StringIO(source).readline) if "#" in source else ()
    notes = [token.string.strip("# ") for token in tokens if token.type == tokenize.COMMENT]
    return prose("\n\n".join([*docstrings, *notes, *messages]))


def _message(node: ast.AST) -> str:
    """A string of four words or more in one line, which is a sentence and no code; else nothing."""
    if isinstance(node, ast.JoinedStr):
        text = "".join(part.value if isinstance(part, ast.Constant) else "..." for part in node.values)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        text = node.value
    else:
        return ""
    return text if text.count(" ") > 2 and "\n" not in text.strip() else ""


def faults(text: str) -> list[str]:
    """Retired words in a prose, each with what is around it and its term."""
    return [
        f"...{text[max(match.start() - 40, 0) : match.end() + 40]}...: instead of {one.word!r} write {one.term}"
        for one in RETIRED
        for match in re.finditer(one.pattern, text, re.IGNORECASE)
    ]


def table() -> str:
    """The rows of the glossary's last table."""
    return "".join(f"   * - {one.word}\n     - {one.term}\n" for one in RETIRED)


@pytest.mark.parametrize("page", PROSE, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_a_page_uses_the_terms_of_the_field(page):
    text = prose(page.read_text(encoding="utf-8").partition("\nWords retired in ")[0], page.suffix == ".md")
    assert not faults(text), "\n".join(faults(text))


@pytest.mark.parametrize("script", SHOWN, ids=lambda script: script.relative_to(ROOT).as_posix())
def test_a_script_that_a_page_shows_uses_the_terms_of_the_field(script):
    text = comments(script.read_text(encoding="utf-8"))
    assert not faults(text), "\n".join(faults(text))


@pytest.mark.parametrize("room", sorted({file.parent for file in SOURCE.rglob("*.py")}), ids=lambda room: room.name)
def test_docstrings_and_messages_use_the_terms_of_the_field(room):
    found = {file.name: faults(written(file.read_text(encoding="utf-8"))) for file in room.glob("*.py")}
    assert not any(found.values()), "\n".join(f"{name}: {one}" for name, some in found.items() for one in some)


@pytest.mark.parametrize("one", RETIRED, ids=lambda one: one.word)
def test_a_pattern_finds_its_own_sense_only(one):
    for text in one.found:
        assert re.search(one.pattern, text, re.IGNORECASE), text
    for text in one.passed:
        assert not re.search(one.pattern, prose(text), re.IGNORECASE), text


def test_the_glossary_lists_the_retired_words():
    """Otherwise run ``python tests/house/test_language.py``."""
    assert GLOSSARY.read_text(encoding="utf-8").endswith(f"     - Term\n{table()}")


def test_code_literals_and_formulas_are_not_prose():
    page = (
        "A hop ``rub`` of `jam` :doc:`letters`, `a word <http://flight>`_ and :math:`held`::\n\n    grip\n\n"
        "Text.\n\n.. math::\n\n   settle\n\n.. note:: A crowd.\n\n"
        ".. code-block:: python\n   :caption: x\n\n   told = 1\n\nEnd.\n"
    )
    assert prose(page) == "A hop ` of ` `, and `:: Text. .. note:: A crowd. End."
    assert prose("A `rub`\n```python\njam\n```\n[flight](docs/hop.rst)\n", markdown=True) == "A ` [flight] "
    assert len(faults("A hop and a jam.")) == 2
    assert comments('"""A hop."""\nhop = "jam"  # told\n') == "A hop. told"


def test_names_and_doctests_are_no_prose_of_a_module():
    module = (
        '"""A hop.\n\nParameters\n----------\nletters : list\n    Of it.\n\n>>> jam(1)\nheld\n\nThe rest.\n"""\n'
        'grip = 1  # told\nraise ValueError(f"the {grip} is held by {grip}")\nraise KeyError("settle")\n'
    )
    assert written(module) == "A hop. Parameters ---------- Of it. The rest. told the ... is held by ... "


def _write(path: Path) -> None:
    head, _, _ = path.read_text(encoding="utf-8").partition("     - Term\n")
    path.write_text(f"{head}     - Term\n{table()}", encoding="utf-8")


if __name__ == "__main__":
    _write(GLOSSARY)
