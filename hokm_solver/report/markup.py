"""HTML and SVG put together from pieces: text is escaped unless it is markup already."""

from __future__ import annotations

import json
from html import escape
from typing import TypeAlias

Attribute: TypeAlias = "str | int | float | bool | None"

EMPTY = frozenset({"input", "link", "meta", "rect", "line", "circle", "path", "polygon"})
_UNSAFE_IN_SCRIPT = {ord(char): f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"}


class Html(str):
    """Text that is markup, so that it is not escaped again."""

    __slots__ = ()


def tag(element: str, /, *children: str, **attributes: Attribute) -> Html:
    """An element of HTML or SVG.

    Args:
        element: its name.
        children: text, which is escaped, and markup.
        attributes: by name, with ``_`` for ``-`` and one more ``_`` behind words of Python: ``class_``. True is an
            attribute without a value; None and False leave it out.
    """
    start = element + "".join(_attribute(name, value) for name, value in attributes.items())
    if element in EMPTY:
        return Html(f"<{start}/>")
    return Html(f"<{start}>{join(*children)}</{element}>")


def join(*children: str) -> Html:
    """Text and markup one behind the other, as markup."""
    return Html("".join(child if isinstance(child, Html) else escape(child, quote=False) for child in children))


def data_script(name: str, data: object) -> Html:
    """Data for a script of the page, which finds it by its id; nothing in it can end the element."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).translate(_UNSAFE_IN_SCRIPT)
    return tag("script", Html(text), type="application/json", id=name)


def _attribute(name: str, value: Attribute) -> str:
    if value is None or value is False:
        return ""
    named = name.removesuffix("_").replace("_", "-")
    if named == "viewbox":
        named = "viewBox"  # the one name in SVG here that has a capital
    return f" {named}" if value is True else f' {named}="{escape(str(value))}"'
