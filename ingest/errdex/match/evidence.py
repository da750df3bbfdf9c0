"""What else a text says about where an error came from: its class, its stack frames."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from typing import NamedTuple

from errdex.late import expression

_FRAME = expression(
    r"File \"([^\"\n]{1,400})\", line (\d{1,7})"
    r"|(\.(?:py|pyx|js|mjs|cjs|jsx|ts|tsx|vue|java|kt|scala|clj|go|rs|rb|php|cs|fs|vb|c|cc|cpp|cxx|cu"
    r"|h|hpp|m|mm|swift|dart|ex|exs|erl|hs|ml|lua|pl|pm|ps1|psm1|sh|r|jl|zig|nim))"
    r"(?:(?::|\(|:line | on line | line )(\d{1,7})"
    r"| in [^\n]{1,200}\n(?:[^\n]{0,200}\n){0,5}?-{1,6}> ?(\d{1,7}))"  # IPython's arrow
)
_LONGEST_PATH = 300
_PATH_BACKWARDS = expression(r"[\w./\\@+-]*")
_CALL_BACKWARDS = expression(r"\([\w.$<>-]*")
"""`com.acme.Query.run(` before `Query.java:12`, read backwards."""
_CLASS_BEFORE = expression(
    r"([A-Za-z_$][\w.$:]{0,150})(?: ?[\[(][^\])\n]{0,60}[\])])?"
    r"(?::\s*[\"']?|\(\s*[fbru]{0,2}[\"'])\Z"
)
_CLASS_ENDS = (":", '"', "'")
_LINE_ENDS = ("", '"', "'")
"""Python prints a KeyError with quotes around its message, as a string in source code."""
_LONGEST_CLASS = 240
_GENERIC_CLASSES = frozenset(("Error", "Exception", "BaseException", "Throwable", "error"))
_GENERIC_FOLDERS = frozenset(
    (
        "src",
        "lib",
        "python",
        "packages",
        "crates",
        "internal",
        "pkg",
        "app",
        "core",
        "site-packages",
        "dist-packages",
    )
)
_GENERIC_STEMS = frozenset(("index", "main", "__init__", "mod", "lib", "utils", "base", "core"))
_INSTALLED = expression(r"(?:site-packages|dist-packages|node_modules)[/\\](@[\w.-]+|[\w.-]+)")
_SEPARATORS = expression(r"[/\\]+")
_CLASS_SEPARATORS = expression(r"[.$:]+")
_NAME_SIGNS = expression(r"[-_.]")
_NAME_SIGN = expression(r"[\w-]")

SAME_LINE_BITS = 8.0
NAMED_BITS = 1.0
"""A repo whose name is in the text: little, but enough between equals."""
NEAR_LINES = 40
"""A raise site moves about so far between two releases."""


class Frame(NamedTuple):
    """A place in source code that a text names."""

    offset: int
    folders: tuple[str, ...]
    """The path split at its separators, the file name last."""
    line: int


class Place(NamedTuple):
    """What stands around a message."""

    stated_class: str | None
    """The class directly before it, as `Name: ` or `Name("`."""
    begins_line: bool
    """Nothing but a class stands before it on its line."""
    ends_line: bool
    nearest: tuple[Frame, ...]
    """The last frame before it and the first behind it."""


class Scene:
    """What one view, and the raw text that it was made from, tell besides messages."""

    def __init__(self, text: str, raw: str = "") -> None:
        self.text = text
        self.raw = raw
        self._named: dict[str, bool] = {}
        self.frames = list(_frames_of(text))
        self.logged = [] if self.frames or text == raw else list(_frames_of(raw))
        """Places named only in what was cleaned away, as where a line was logged."""
        self._offsets = [frame.offset for frame in self.frames]
        self._installed: frozenset[str] = frozenset()
        self._folders: frozenset[str] = frozenset()
        if self.frames:
            self._installed = frozenset(map(_plain, _INSTALLED.findall(text)))
            self._folders = frozenset(
                _plain(part) for frame in self.frames for part in frame.folders
            )

    def place(self, start: int, end: int) -> Place:
        """What stands around a message from `start` to `end`."""
        before = max(0, start - _LONGEST_CLASS)
        head = None
        if self.text[before:start].rstrip().endswith(_CLASS_ENDS):
            head = _CLASS_BEFORE.search(self.text, before, start)
        line_start = self.text.rfind("\n", 0, start) + 1
        line_end = self.text.find("\n", end)
        k = bisect_left(self._offsets, start)
        lead = head.start() if head and _last(head[1])[:1].isupper() else start
        return Place(
            head[1] if head else None,
            not self.text[line_start:lead].strip(),
            self.text[end : line_end if line_end >= 0 else None].strip() in _LINE_ENDS,
            tuple(self.frames[max(0, k - 1) : k + 1]),
        )

    def holds_code(self, code: str) -> bool:
        """Whether an error code stands in the text, not within a longer word; in the raw
        text too, since cleaning takes a code in brackets before a message for a prefix."""
        return any(_stands_apart(code, text, str.isalnum) for text in (self.text, self.raw))

    def frame_bits(
        self, place: Place, file_path: str, line: int | None
    ) -> tuple[float, str | None]:
        """How well the best frame fits the record's raise site, and that frame for people."""
        best, said = 0.0, None
        wanted = tuple(file_path.split("/"))
        for frame in self.frames:
            bits = _site_bits(frame, wanted, line)
            if bits > 0:
                bits += 2.0 if frame in place.nearest else 0.0
            if bits > best:
                best, said = bits, f"{frame.folders[-1]}:{frame.line}"
        for frame in self.logged:
            bits = _site_bits(frame, wanted, line) if frame.line == line else 0.0
            if bits > max(best, SAME_LINE_BITS):
                best, said = bits, f"{frame.folders[-1]}:{frame.line}"
        return best, said

    def repo_bits(self, place: Place, repo: str, file_path: str) -> float:
        """Whether the packages that the frames name are the record's, or, where there are
        none, the modules of the class before the message; or its name is in the text."""
        owner, name = repo.split("/", 1)
        bits = NAMED_BITS if self._names(name) else 0.0
        modules = _modules(place.stated_class)
        if not (self._folders or modules):
            return bits
        top = file_path.split("/", 1)[0]
        names = {_plain(name), _plain(owner), _plain("@" + owner)}
        if top not in _GENERIC_FOLDERS and top != file_path:
            names.add(_plain(top))
        if names & self._installed:
            return bits + 5.0
        if names & self._folders or not names.isdisjoint(modules):
            return bits + 3.0
        return bits - 2.0 if self._installed else bits

    def _names(self, name: str) -> bool:
        """Whether a name stands in the raw text, not within a longer one."""
        known = self._named.get(name)
        if known is None:
            known = self._named[name] = _stands_apart(name, self.raw, _NAME_SIGN.match)
        return known


def _frames_of(text: str) -> Iterator[Frame]:
    for found in _FRAME.finditer(text):
        start, path, line = found.start(), found[1], found[2] or found[4] or found[5]
        if path is None:
            start, path = _path_before(text, found.start())
            path += found[3]
        folders = tuple(part for part in _SEPARATORS.split(path) if part)
        if folders:
            yield Frame(start, folders, int(line))


def _path_before(text: str, at: int) -> tuple[int, str]:
    """Where the path begins whose extension stands at `at`, and it as far as there.

    Read backwards, since forwards every word of a text would begin one. Where a call
    stands before it, as on the Java machine, the folders are those of its package.
    """
    backwards = text[max(0, at - _LONGEST_PATH) : at][::-1]
    found = _PATH_BACKWARDS.match(backwards)
    length = found.end() if found else 0
    path = text[at - length : at]
    call = _CALL_BACKWARDS.match(backwards, length)
    if call:
        package = call[0][:0:-1].split(".")[:-2]
        path = "/".join([*package, path])
    return at - length, path


def _modules(stated: str | None) -> tuple[str, ...]:
    """`acme.errors` of `acme.errors.BadThing`, in its parts."""
    if not stated or ("." not in stated and ":" not in stated):
        return ()
    return tuple(map(_plain, _CLASS_SEPARATORS.split(stated)[:-1]))


def _stands_apart(word: str, text: str, goes_on: Callable[[str], object]) -> bool:
    """Whether a word stands in a text, not within a longer one: neither the sign before it nor
    the one behind it (either may be empty) is one that `goes_on`."""
    at = text.find(word)
    while at >= 0:
        end = at + len(word)
        if not (goes_on(text[at - 1 : at]) or goes_on(text[end : end + 1])):
            return True
        at = text.find(word, at + 1)
    return False


def class_bits(stated: str | None, error_class: str | None) -> float:
    """Whether the class before a message is the record's: bits for it or against it."""
    if not stated or not error_class:
        return 0.0
    if stated == error_class:
        return 4.0 if error_class in _GENERIC_CLASSES else 12.0
    last_stated, last_class = _last(stated), _last(error_class)
    if last_stated == last_class:
        return 3.0 if last_class in _GENERIC_CLASSES else 10.0
    return -6.0 if last_stated[:1].isupper() and last_class[:1].isupper() else 0.0


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
        bits += SAME_LINE_BITS if distance == 0 else 3.0 * max(0.0, 1 - distance / NEAR_LINES)
    return bits


def _last(name: str) -> str:
    return _CLASS_SEPARATORS.split(name)[-1]


def _plain(name: str) -> str:
    return _NAME_SIGNS.sub("", name.lower())
