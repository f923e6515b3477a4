import subprocess
import sys
from importlib.metadata import version as installed_version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

project = "sympact"
author = copyright = "the sympact developers"
release = version = installed_version("sympact")

extensions = ["sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.mathjax", "gallery"]
exclude_patterns = ["_build"]
default_role = "code"
html_theme = "alabaster"
html_static_path = ["static"]
html_css_files = ["gallery.css"]
html_theme_options = {"description": "Mechanics with impacts, event by event", "page_width": "1080px"}

autodoc_member_order = "bysource"
autodoc_typehints = "none"
napoleon_google_docstring = False


def draw_pictures(app):
    """Run the scripts whose pictures pages show: they write them into the folder that the pages show them from."""
    folder = Path(app.srcdir, "pictures")
    folder.mkdir(exist_ok=True)
    how_to = [Path(app.srcdir, "how-to", f"{name}.py") for name in ("actuators", "ensembles", "sweeps")]
    for script in [*sorted(Path(app.srcdir, "tutorial").glob("*.py")), *how_to]:
        subprocess.run([sys.executable, str(script)], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def setup(app):
    app.connect("builder-inited", draw_pictures)
