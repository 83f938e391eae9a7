"""Markup: text is escaped, markup is not, and data cannot leave its script."""

import json

from hokm_solver.report.markup import Html, data_script, join, tag


def test_text_is_escaped_and_markup_is_not():
    assert tag("p", "a < b & c", tag("b", '"')) == '<p>a &lt; b &amp; c<b>"</b></p>'
    assert join("<", Html("<br/>")) == "&lt;<br/>"


def test_attributes():
    made = tag("input", type="radio", id='"><script>', for_="x", data_step=0, checked=True, hidden=False, title=None)
    assert made == '<input type="radio" id="&quot;&gt;&lt;script&gt;" for="x" data-step="0" checked/>'
    assert tag("svg", viewbox="0 0 1 1") == '<svg viewBox="0 0 1 1"></svg>'


def test_data_cannot_end_its_script():
    data = {"name": "</script><!--\u2028&", "persian": "دل"}
    made = data_script("data", data)
    inside = made.removeprefix('<script type="application/json" id="data">').removesuffix("</script>")
    assert not set("<>&\u2028") & set(inside)
    assert json.loads(inside) == data
