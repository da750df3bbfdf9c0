"""What else a text says about where an error came from: its class, its stack frames."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import NamedTuple

_FRAME = re.compile(
    r"File \"([^\"\n]{1,400})\", line (\d{1,7})"
    r"|([\w./\\@+-]{1,300}\.(?:py|pyx|js|mjs|cjs|jsx|ts|tsx|java|kt|scala|go|rs|rb|php|cs|c|cc|cpp|h"
    r"|hpp|swift|ex|exs|erl|lua|pl|r|jl))(?::|\()(\d{1,7})"
)
_CLASS_BEFORE = re.compile(
    r"([A-Za-z_$][\w.$:]{0,150})(?: ?[\[(][^\])\n]{0,60}[\])])?"
    r"(?::\s*|\(\s*[fbru]{0,2}[\"'])\Z"
)
_GENERIC_CLASSES = frozenset(("Error", "Exception", "BaseException", "Throwable", "error"))
_GENERIC_FOLDERS = frozenset(
    ("src", "lib", "python", "packages", "crates", "internal", "pkg", "app", "core")
)
_GENERIC_STEMS = frozenset(("index", "main", "__init__", "mod", "lib", "utils", "base", "core"))
_INSTALLED = re.compile(r"(?:site-packages|dist-packages|node_modules)[/\\](@[\w.-]+|[\w.-]+)")
_SEPARATORS = re.compile(r"[/\\]+")
_NAME_SIGNS = re.compile(r"[-_.]")

NEAR_LINES = 40
"""A raise site moves about so far between two releases."""


class Frame(NamedTuple):
    """A place in source code that a text names."""

    offset: int
    folders: tuple[str, ...]
    """The path split at its separators, the file name last."""
    line: int


class Scene:
    """The frames of one view, read when they are first asked for."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.frames: list[Frame] = []
        for found in _FRAME.finditer(text):
            path, line = found[1] or found[3], found[2] or found[4]
            folders = tuple(part for part in _SEPARATORS.split(path) if part)
            if folders:
                self.frames.append(Frame(found.start(), folders, int(line)))
        self._offsets = [frame.offset for frame in self.frames]
        self.installed = frozenset(map(_plain, _INSTALLED.findall(text)))
        self._folders = frozenset(_plain(part) for frame in self.frames for part in frame.folders)

    def class_before(self, start: int) -> str | None:
        """The class that stands directly before a message, as `Name: ` or `Name("`."""
        found = _CLASS_BEFORE.search(self.text, max(0, start - 240), start)
        return found[1] if found else None

    def class_bits(self, stated: str | None, error_class: str | None) -> float:
        """Whether the class before the message is the record's: for it or against it."""
        if not stated or not error_class:
            return 0.0
        if stated == error_class:
            return 4.0 if error_class in _GENERIC_CLASSES else 12.0
        if _last(stated) == _last(error_class):
            return 3.0 if _last(error_class) in _GENERIC_CLASSES else 10.0
        return -6.0 if _last(stated)[:1].isupper() and _last(error_class)[:1].isupper() else 0.0

    def frame_bits(self, start: int, file_path: str, line: int | None) -> tuple[float, str | None]:
        """How well the best frame fits the record's raise site, and that frame for people."""
        best, said = 0.0, None
        wanted = tuple(file_path.split("/"))
        nearest = self._nearest(start)
        for frame in self.frames:
            bits = _site_bits(frame, wanted, line)
            if bits > 0:
                bits += 2.0 if frame in nearest else 0.0
            if bits > best:
                best, said = bits, f"{frame.folders[-1]}:{frame.line}"
        return best, said

    def _nearest(self, start: int) -> tuple[Frame, ...]:
        """The last frame before a place and the first behind it."""
        k = bisect_left(self._offsets, start)
        return tuple(self.frames[max(0, k - 1) : k + 1])

    def repo_bits(self, repo: str, file_path: str) -> float:
        """Whether the packages that the text names are the record's."""
        if not self.frames:
            return 0.0
        owner, name = repo.split("/", 1)
        top = file_path.split("/", 1)[0]
        names = {_plain(name), _plain(owner), _plain("@" + owner)}
        if top not in _GENERIC_FOLDERS and top != file_path:
            names.add(_plain(top))
        if names & self.installed:
            return 5.0
        if names & self._folders:
            return 3.0
        return -2.0 if self.installed else 0.0


def _site_bits(frame: Frame, wanted: tuple[str, ...], line: int | None) -> float:
    """Equal trailing folders of the path, and the line."""
    common = 0
    for ours, theirs in zip(reversed(wanted), reversed(frame.folders), strict=False):
        if ours != theirs:
            break
        common += 1
    if common == 0:
        stem = wanted[-1].rsplit(".", 1)[0]
        if stem in _GENERIC_STEMS or stem != frame.folders[-1].rsplit(".", 1)[0]:
            return 0.0
        return 2.0
    bits = 3.0 * min(common, 4)
    if line is not None:
        distance = abs(frame.line - line)
        bits += 8.0 if distance == 0 else 3.0 * max(0.0, 1 - distance / NEAR_LINES)
    return bits


def _last(name: str) -> str:
    return re.split(r"[.$:]+", name)[-1]


def _plain(name: str) -> str:
    return _NAME_SIGNS.sub("", name.lower())
