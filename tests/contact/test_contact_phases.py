"""The phases of an event: the manual names them in the order of the code, and each event begins with a clean memory."""

import ast
import re
from pathlib import Path

import sympact
from sympact.contact.memory.event_memory import Event

SOURCE = Path(sympact.__file__).parent / "contact" / "event"
MANUAL = Path(__file__).parents[2] / "docs" / "architecture.rst"


def function(file, name):
    tree = ast.parse((SOURCE / file).read_text(encoding="utf-8"))
    return next(node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name)


def test_the_manual_names_the_phases_in_their_order():
    found = function("transition_kernel.py", "go_through").body[-1].value
    phases = [call.func.id for call in found.values]
    text = MANUAL.read_text(encoding="utf-8")
    assert re.findall(r"^- `(\w+)`: ", text[text.index("`go_through`") :], re.MULTILINE) == phases


def test_an_event_begins_with_every_field_of_its_memory():
    begin = function("event_view_kernel.py", "begin")
    stores = [node for node in ast.walk(begin) if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)]
    written = {node.attr for node in stores if node.value.id == "event"}
    assert written == set(Event.fields)
