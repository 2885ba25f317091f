"""Formulas as MathML, made while the documentation is built: nothing is loaded from elsewhere."""

from docutils.nodes import SkipNode
from docutils.utils.math.latex2mathml import tex2mathml


def _inline(translator, node):
    translator.body.append(tex2mathml(node.astext()))
    raise SkipNode


def _block(translator, node):
    translator.body.append(tex2mathml(node.astext(), as_block=True))
    raise SkipNode


def setup(app):
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    app.config.html_math_renderer = "mathml"
    return {"parallel_read_safe": True}
