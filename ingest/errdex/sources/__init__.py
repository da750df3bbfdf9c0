"""Files, folders and standard input → lines of bytes, each with its place."""

from errdex.sources.line import Line
from errdex.sources.places import expand
from errdex.sources.reading import STANDARD_INPUT, Meter, read_lines

__all__ = ["STANDARD_INPUT", "Line", "Meter", "expand", "read_lines"]
