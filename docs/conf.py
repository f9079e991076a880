"""How the manual is built: `sphinx-build -W docs docs/_build`."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_ext"))

from docutils import nodes  # noqa: E402
from sphinx.application import Sphinx  # noqa: E402

import discreet  # noqa: E402

project = "discreet"
author = "the discreet authors"
copyright = "the discreet authors, Apache License 2.0"  # noqa: A001
release = discreet.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "docstrings", "generated", "commands", "mathml"]
exclude_patterns = ["_build"]

myst_enable_extensions = ["deflist", "dollarmath"]
myst_heading_anchors = 3

autodoc_default_options = {"members": True}
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
autodoc_type_aliases = {name: name for name in ("Array", "ArrayLike", "Codes", "Direction", "Over", "Words")}
python_use_unqualified_type_names = True
add_module_names = False
maximum_signature_line_length = 88

smartquotes = False

html_theme = "furo"
html_title = f"discreet {release}"
html_static_path = ["_static"]
html_css_files = ["discreet.css"]
html_copy_source = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#b4430f", "color-brand-content": "#b4430f"},
    "dark_css_variables": {"color-brand-primary": "#f0884d", "color-brand-content": "#f0884d"},
}
html_math_renderer = "mathml"


def without_trailing_lines(_app: Sphinx, document: nodes.document) -> None:
    """An example ends with an empty line, so that it can be tested as it stands; it is not shown."""
    for block in document.findall(nodes.literal_block):
        block.rawsource = block.astext().rstrip()
        block.children = [nodes.Text(block.rawsource)]


def setup(app: Sphinx) -> None:
    app.connect("doctree-read", without_trailing_lines)
