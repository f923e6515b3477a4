import re
import sys
from importlib.metadata import version as installed_version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

project = "sympact"
author = copyright = "the sympact developers"
release = version = installed_version("sympact")

extensions = ["sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.mathjax", "sphinx_copybutton", "gallery"]
exclude_patterns = ["_build"]
default_role = "code"
html_theme = "furo"
html_title = "sympact"
html_static_path = ["static"]
html_extra_path = ["films"]
html_css_files = ["manual.css"]
html_copy_source = False
mathjax_path = "mathjax/tex-svg.js"  # MathJax 3.2.2 (Apache-2.0), one file with its fonts: pages need no network
copybutton_prompt_text = r">>> |\.\.\. "
copybutton_prompt_is_regexp = True
drawn = ["actuators", "compliant", "ensembles", "friction", "sweeps"]  # how-to pages with pictures

autodoc_member_order = "bysource"
autodoc_typehints = "none"
napoleon_google_docstring = False


def number_references(app, what, name, obj, options, lines):
    """Number the references of all docstrings of a page one after another: each begins at [1] by itself."""
    lines[:] = [re.sub(r"(?<=\.\. \[)(?=\d+\])|(?<=\[)(?=\d+\]_)", f"#{name}-", line) for line in lines]


def setup(app):
    app.connect("autodoc-process-docstring", number_references)
