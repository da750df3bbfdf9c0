"""One import: sources → one database, all of it or nothing."""

from errdex.load.options import Options
from errdex.load.run import ingest, load
from errdex.load.summary import Summary

__all__ = ["Options", "Summary", "ingest", "load"]
