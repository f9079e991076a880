"""Formulas as MathML, made while the manual is built: every browser draws it, offline and without a script."""

import re

from docutils import nodes
from docutils.utils.math import MathError, latex2mathml
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.writers.html5 import HTML5Translator

log = logging.getLogger(__name__)

NAMED = r"\\(?:log|exp|sinh|cosh|tanh|coth)(?![a-zA-Z])"

TIDY = (
    (re.compile(r"\\(?:[bB]igg?(?![a-zA-Z])|textstyle)"), ""),
    (re.compile(r"\\\|"), r"\\parallel "),
    (re.compile(r"\|(\w)\|"), r"\\lvert \1\\rvert "),
    (re.compile(r"(\\[dt]?frac)\s*([0-9a-z])\s*([0-9a-z])"), r"\1{\2}{\3}"),
    (re.compile(r"(?<![0-9])\.(?=[0-9])"), "0."),
    (re.compile(rf"(?<=[\w)}}\]])\s*(?={NAMED})"), r"\\,"),
    (re.compile(rf"({NAMED})\s*(?=[a-zA-Z0-9\\])(?!\\(?:[bB]ig|left))"), r"\1\\,"),
)
"""What the converter leaves to its caller: sizes and bars, fractions without braces, the space about a function."""


def drawn(node: nodes.Element, *, as_block: bool) -> str:
    formula = node.astext()
    for found, instead in TIDY:
        formula = found.sub(instead, formula)
    try:
        return latex2mathml.tex2mathml(formula, as_block=as_block)
    except MathError as error:
        log.warning("formula %r: %s", node.astext(), error, location=node)
        return ""


def inline(writer: HTML5Translator, node: nodes.math) -> None:
    writer.body.append(drawn(node, as_block=False))
    raise nodes.SkipNode


def block(writer: HTML5Translator, node: nodes.math_block) -> None:
    writer.body.append(f'<div class="math notranslate">{drawn(node, as_block=True)}</div>\n')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
