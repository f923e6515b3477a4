"""The gallery: runs the scripts of `examples` and shows their pictures and what they print beside their code.

A page writes ``.. gallery::`` with a line for each example below it, its name and a title. In its place stand a
thumbnail for each, and below them a section for each: the text of the script's docstring, its picture, its output, its
code, and the code of the ready-made model that it takes, if any. The scripts run when the directive is met, each in a
folder of its own.
"""

import ast
import re
import subprocess
import sys
from pathlib import Path

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import nested_parse_with_titles


class Gallery(SphinxDirective):
    """``.. gallery::``, with lines of a name and a title as its content."""

    has_content = True

    def run(self):
        docs = Path(self.env.srcdir)
        examples = [Example(docs, *line.split(maxsplit=1)) for line in self.content]
        for example in examples:
            self.env.note_dependency(str(example.script))
            example.run()
        source = ["", ".. container:: gallery", ""]
        for example in examples:
            source += [f"   {line}" for line in example.thumbnail()]
        for example in examples:
            source += example.section()
        self.env.note_reread()  # the scripts depend on all of the package
        container = nodes.section()
        container.document = self.state.document
        nested_parse_with_titles(self.state, StringList(source, source="gallery"), container)
        return container.children


class Example:
    """A script of the folder `examples`, as a part of a page."""

    def __init__(self, docs, name, title):
        self.name, self.title = name, title
        self.root = docs.parent
        self.script = self.root / "examples" / f"{name}.py"
        self.folder = docs / "pictures" / name
        self.code = self.script.read_text(encoding="utf-8")

    def run(self):
        """Run the script; its pictures and what it prints go into its folder, nothing older stays there."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for old in self.folder.iterdir():
            old.unlink()
        done = subprocess.run(
            [sys.executable, str(self.script)], cwd=self.folder, check=True, stdout=subprocess.PIPE, encoding="utf-8"
        )
        (self.folder / "printed.txt").write_text(done.stdout, encoding="utf-8")

    def thumbnail(self):
        """A small picture with the title below it, both a link to the section."""
        lines = [f".. figure:: {self.pictures()[0]}", "   :width: 220px", f"   :alt: {self.title}"]
        return [*lines, f"   :target: #{nodes.make_id(self.title)}", "", f"   `{self.title}`_", ""]

    def section(self):
        """All that is shown of the example."""
        lines = ["", self.title, "-" * len(self.title), "", *self.text(), ""]
        for picture in self.pictures():
            lines += [f".. image:: {picture}", "   :width: 760px", f"   :alt: {self.title}", ""]
        lines += ["It prints:", "", *self.include("pictures", self.name, "printed.txt", language="text")]
        lines += ["The script:", "", *self.include("..", "examples", f"{self.name}.py", language="python")]
        if re.search(rf"^from sympact\.models import .*\b{self.name}\b", self.code, flags=re.MULTILINE):
            (model,) = self.root.glob(f"src/sympact/models/*/{self.name}.py")
            lines += ["The model:", "", *self.include("..", *model.relative_to(self.root).parts, language="python")]
        return lines

    def text(self):
        """The docstring without the line that says how to call the script."""
        lines = ast.get_docstring(ast.parse(self.code)).splitlines()
        return [line for line in lines if not line.startswith("    python examples/")]

    def pictures(self):
        """Where the pictures are, as a page of the top folder names them."""
        return [f"pictures/{self.name}/{path.name}" for path in sorted(self.folder.glob("*.png"))]

    @staticmethod
    def include(*parts, language):
        """The text of a file."""
        return [f".. literalinclude:: {'/'.join(parts)}", f"   :language: {language}", ""]


def setup(app):
    app.add_directive("gallery", Gallery)
    return {"parallel_read_safe": False}
