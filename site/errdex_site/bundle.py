"""Our small ES modules as one script, so that a page fetches one file and not thirty.

It understands the few forms that our modules are written in, and refuses all others:
imports of names by braces at the top of a line, exports in front of a declaration.
Comments that fill a line, indentation, and blanks around signs are left out; lines with a
slash or a backtick keep theirs, so that no regular expression or template is looked into.
Private names and those of constants become short ones.
"""

from __future__ import annotations

import re
from pathlib import Path
from string import ascii_letters

_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.[^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(
    r"^export (?=(?:async )?(?:function\*?|const|let|class) ([\w$]+))", re.MULTILINE
)
_OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
_COMMENT = re.compile(r"^[ \t]*(?://.*|/\*\*(?:[^*]|\*(?!/))*\*/[ \t]*)\n", re.MULTILINE)
_TEXT = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')""")
_BLANKS = re.compile(r" *([=*<>!&|?:;,(){}\[\]%]) *|(?<![+-]) ([+-]) (?![+-])")
_JOINED = re.compile(r"(?<=[{(\[,;])\n")
_PRIVATE = re.compile(r"#([A-Za-z]\w+)\b")
_CONSTANT = re.compile(r"^  ([A-Z][A-Z0-9_]{2,}): ", re.MULTILINE)
_CONSTANTS = "constants.js"
"""The module whose objects have upper-case names, which others follow by `.NAME` alone."""
_INDENT = re.compile(r"^[ \t]+|^\n", re.MULTILINE)


def bundle(entry: Path) -> str:
    """The module `entry` with all that it imports, each module a function of its own.

    Raises ValueError for a form that it does not know, or for modules that import each other
    in a circle.
    """
    done: dict[Path, str] = {}
    parts: list[str] = []
    _add(entry.resolve(), done, parts, ())
    script = _with_short_names("".join(parts))
    if (constants := entry.with_name(_CONSTANTS)).exists():
        names = _CONSTANT.findall(constants.read_text(encoding="utf-8"))
        script = _with_short_constants(script, sorted(set(names)))
    return script


def _add(file: Path, done: dict[Path, str], parts: list[str], above: tuple[Path, ...]) -> str:
    """The name that the module's exports have in the bundle."""
    if file in above:
        raise ValueError(f"{file.name} imports itself, by way of {above[-1].name}")
    if file in done:
        return done[file]
    text = _COMMENT.sub("", file.read_text(encoding="utf-8"))
    imports = []
    for names, other in _IMPORT.findall(text):
        target = _add((file.parent / other).resolve(), done, parts, (*above, file))
        imports.append(f"const {{{names.replace(' as ', ':').strip()}}}={target};\n")
    text = _IMPORT.sub("", text)
    exports = [hit[1] for hit in _EXPORT.finditer(text)]
    text = _EXPORT.sub("", text)
    if unknown := _OTHER.search(text):
        raise ValueError(f"{file.name}: {unknown[0]!r} is no form that can be bundled")
    done[file] = f"$m{len(done)}"
    body = _packed(_INDENT.sub("", "".join(imports) + text), file.name)
    parts.append(f"const {done[file]}=(()=>{{\n{body}return {{{','.join(exports)}}};\n}})();\n")
    return done[file]


def _packed(text: str, name: str) -> str:
    """The code without blanks and line feeds that mean nothing."""
    lines = []
    for line in text.splitlines():
        if "/" not in line and _TEXT.sub("", line).count("`") % 2:
            raise ValueError(f"{name}: a template over several lines cannot be bundled")
        if "/" in line or "`" in line:
            lines.append(line)
            continue
        parts = _TEXT.split(line)
        parts[::2] = [_BLANKS.sub(r"\1\2", part) for part in parts[::2]]
        lines.append("".join(parts))
    return _JOINED.sub("", "\n".join(lines) + "\n")


def _with_short_names(script: str) -> str:
    """The script with its private names, such as `#known`, in one or two letters."""
    if quoted := re.search(r"""["'`]#\w\w+""", script):
        raise ValueError(f"{quoted[0]!r} looks like a private name within a text")
    names = sorted(set(_PRIVATE.findall(script)))
    short = {name: f"#{_letters(at)}" for at, name in enumerate(names)}
    return _PRIVATE.sub(lambda hit: short[hit[1]], script)


def _with_short_constants(script: str, names: list[str]) -> str:
    """The script with short names for those constants that it names nowhere else, such as in a
    text or in a regular expression."""
    short = {name: f"${_letters(at)}" for at, name in enumerate(names)}
    any_name = "|".join(names)
    use = re.compile(
        rf"(?<=[\w)]\.)(?:{any_name})\b|(?:(?<=[{{,])|^)(?:{any_name})(?=:)", re.MULTILINE
    )
    elsewhere = set(re.findall(rf"\b(?:{any_name})\b", use.sub("", script)))
    kept = {name: name for name in elsewhere}
    return use.sub(lambda hit: (short | kept)[hit[0]], script)


def _letters(number: int) -> str:
    more, at = divmod(number, len(ascii_letters))
    return (_letters(more - 1) if more else "") + ascii_letters[at]
