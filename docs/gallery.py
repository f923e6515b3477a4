"""The gallery: runs the scripts of `examples` and writes a page for each: its picture, its output and its code.

A page writes ``.. gallery::`` with a line for each example below it, its name and a title. In its place stands a
thumbnail for each, with a link to the example's page. Before any page is read, the scripts run, as many at a time as
there are cores, into the folder where the pages of the examples are; so do the other scripts whose pictures pages show,
into `pictures`. What was made stays until its script or the package is newer.

As a program this file runs one script, and makes a film and a still of the ready-made model of the same name.
"""

import ast
import html
import os
import re
import runpy
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

DOCS = Path(__file__).parent
ROOT = DOCS.parent
PAGES = DOCS / "examples"
FILMS = DOCS / "films" / "examples"
"""What is in the folder above this one goes into the manual as it is."""

LISTED = re.compile(r"^   (?P<name>[a-z]\w*)  +(?P<title>\S.*)$", flags=re.MULTILINE)
ROW = re.compile(r"\S(  +\S.*?){3}")
"""In a line of output: columns of a table."""


@dataclass(frozen=True)
class Script:
    """A script whose pictures and output the manual shows."""

    path: Path
    folder: Path

    @property
    def printed(self):
        """The file of what it prints, the last that it writes."""
        return self.folder / f"{self.path.stem}.txt"

    def run(self, changed):
        """Run it, unless what it made is newer than the script and the package, which `changed` last."""
        if self.printed.exists() and self.printed.stat().st_mtime > max(changed, self.path.stat().st_mtime):
            return
        command = [sys.executable, __file__, str(self.path)]
        text = subprocess.run(command, cwd=self.folder, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout
        self.printed.write_text(text, encoding="utf-8")


@dataclass(frozen=True)
class Example(Script):
    """A script of the folder `examples`, as a page of the gallery."""

    title: str

    @property
    def name(self):
        return self.path.stem

    @property
    def thumbnail(self):
        """A still of the bodies, or the picture that the script draws."""
        still = self.folder / f"{self.name}_still.png"
        return still if still.exists() else self.folder / f"{self.name}.png"

    def page(self):
        """The lines of the page."""
        code = self.path.read_text(encoding="utf-8")
        text = [line for line in ast.get_docstring(ast.parse(code)).splitlines() if "python examples/" not in line]
        lines = [self.title, "=" * len(self.title), "", *text, ""]
        if (FILMS / f"{self.name}_film.html").exists():
            lines += [f".. film:: {self.name}  {self.title}", ""]
        lines += [f".. image:: {self.name}.png", f"   :alt: {self.title}", ""]
        lines += ["Output", "------", "", *include(self.printed, "text")]
        lines += ["Script", "------", "", *include(self.path, "python")]
        lines += [f":download:`Download {self.name}.py <../../examples/{self.name}.py>`", ""]
        if re.search(rf"^from sympact\.models import .*\b{self.name}\b", code, flags=re.MULTILINE):
            (model,) = ROOT.glob(f"src/sympact/models/*/{self.name}.py")
            lines += ["Model", "-----", "", *include(model, "python")]
        return lines


class Gallery(SphinxDirective):
    """``.. gallery::``, with lines of a name and a title as its content."""

    has_content = True

    def run(self):
        lines = []
        for example in examples("\n".join(f"   {line}" for line in self.content)):
            lines += [f".. figure:: /examples/{example.thumbnail.name}", f"   :alt: {example.title}"]
            lines += [f"   :target: examples/{example.name}.html", "", f"   :doc:`examples/{example.name}`", ""]
        box = nodes.container(classes=["gallery"])
        self.state.nested_parse(StringList(lines, source="gallery"), 0, box)
        return [box]


class Film(SphinxDirective):
    """``.. film::``, with the name of an example and what its film shows: a player."""

    has_content = True

    def run(self):
        name, title = self.content[0].split(maxsplit=1)
        path = "../" * self.env.docname.count("/") + f"examples/{name}_film.html"
        text = f'<iframe class="film" loading="lazy" title="{html.escape(title)}" src="{path}"></iframe>'
        return [nodes.raw("", text, format="html")]


def examples(text):
    """The examples that a page lists."""
    found = LISTED.finditer(text)
    return [Example(ROOT / "examples" / f"{each['name']}.py", PAGES, each["title"]) for each in found]


def include(path, language):
    """The text of a file. Tables that are wider than lines of code are set smaller, and their rows are not broken."""
    lines = path.read_text(encoding="utf-8").splitlines() if language == "text" else []
    wide = any(len(line) > 120 and ROW.search(line) for line in lines)
    name = os.path.relpath(path, PAGES)
    return [f".. literalinclude:: {name}", f"   :language: {language}", *["   :class: wide"] * wide, ""]


def make(app):
    """Run all scripts, and write the pages of the examples."""
    changed = max(path.stat().st_mtime for path in (ROOT / "src").rglob("*.py"))
    shown = examples((DOCS / "examples.rst").read_text(encoding="utf-8"))
    others = [*sorted(DOCS.glob("tutorial/*.py")), *(DOCS / "how-to" / f"{name}.py" for name in app.config.drawn)]
    scripts = [*shown, *(Script(path, DOCS / "pictures") for path in others)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda script: script.run(changed), scripts))
    for old in {*PAGES.glob("*.rst")} - {PAGES / f"{example.name}.rst" for example in shown}:
        old.unlink()
    for example in shown:
        page, text = PAGES / f"{example.name}.rst", "\n".join(example.page()) + "\n"
        if not page.exists() or page.read_text(encoding="utf-8") != text:
            page.write_text(text, encoding="utf-8")


def setup(app):
    for folder in (PAGES, FILMS, DOCS / "pictures"):
        folder.mkdir(parents=True, exist_ok=True)
    app.add_config_value("drawn", [], "env")
    app.add_directive("gallery", Gallery)
    app.add_directive("film", Film)
    app.connect("builder-inited", make)
    return {"parallel_read_safe": True}


def shoot(name):
    """A film of a ready-made model, and a still at the middle one of its events."""
    from sympact import models

    if not hasattr(models, name):
        return
    ready = getattr(models, name)()
    if not hasattr(ready, "animate"):
        return
    run = ready.simulate()
    times = [event.t for event in run.events] or [run.t[-1] / 2]
    moving = ready.animate(FILMS / f"{name}_film.html", result=run)
    moving.figure(times[len(times) // 2]).savefig(f"{name}_still.png", dpi=100)


if __name__ == "__main__":
    script = Path(sys.argv[1])
    sys.argv, sys.path[0] = [str(script)], str(script.parent)
    runpy.run_path(str(script), run_name="__main__")
    if script.parent == ROOT / "examples":
        shoot(script.stem)
