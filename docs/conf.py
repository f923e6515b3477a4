from importlib.metadata import version as installed_version

project = "sympact"
author = copyright = "the sympact developers"
release = version = installed_version("sympact")

extensions = ["sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.mathjax"]
exclude_patterns = ["_build"]
default_role = "code"
html_theme = "alabaster"
html_theme_options = {"description": "Mechanics with impacts, event by event", "page_width": "1080px"}

autodoc_member_order = "bysource"
autodoc_typehints = "none"
napoleon_google_docstring = False
