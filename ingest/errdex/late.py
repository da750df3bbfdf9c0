"""Regular expressions that are compiled when they are first used.

Compiling those of the matcher takes as long as starting Python; a paste needs few of them.
"""

from __future__ import annotations

import re
from typing import cast

_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "split", "sub")


class LateExpression:
    """What `expression` gives: a `re.Pattern` in all that is asked of it."""

    def __init__(self, source: str) -> None:
        self.pattern = source

    @property
    def compiled(self) -> re.Pattern[str]:
        """The expression itself."""
        return re.compile(self.pattern)

    def __getattr__(self, name: str) -> object:
        if name not in _METHODS:
            raise AttributeError(name)
        compiled = self.compiled
        # From now on its methods are found here, and this one is called no more.
        vars(self).update((method, getattr(compiled, method)) for method in _METHODS)
        return vars(self)[name]


def expression(source: str) -> re.Pattern[str]:
    """The expression, not yet compiled; `re.error` is raised where it is first used."""
    return cast("re.Pattern[str]", LateExpression(source))
