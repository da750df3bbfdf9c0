"""Files, folders and standard input → lines of bytes, each with its place."""

from errdex.sources.feed import Feed, Progress
from errdex.sources.line import Line
from errdex.sources.places import feeds_of
from errdex.sources.reading import STANDARD_INPUT, read_lines

__all__ = ["STANDARD_INPUT", "Feed", "Line", "Progress", "feeds_of", "read_lines"]
