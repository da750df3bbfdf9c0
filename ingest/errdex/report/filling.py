"""A record's text with the values of the reader's own error in its placeholders."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from errdex.late import expression
from errdex.patterns import template_names

_PLACEHOLDER = expression(r"\{([^{}\n]{1,80})\}")


def fill(text: str, values: Mapping[str, str], dress: Callable[[str], str] = str) -> str:
    """`{name}` becomes `dress(value)` for every name that has a value; the rest stays."""

    def put(placeholder: re.Match[str]) -> str:
        inside = placeholder[1]
        name = inside if inside in values else template_names(placeholder[0])[0]
        return dress(values[name]) if name in values else placeholder[0]

    return _PLACEHOLDER.sub(put, text)
