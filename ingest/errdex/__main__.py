"""The `errdex` command, and `python -m errdex`."""

from __future__ import annotations

import io
import sys


def main() -> None:
    """Answer the plainest call at once; leave every other to the command line proper."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # what a terminal cannot show is written out
            stream.reconfigure(errors="backslashreplace")
    try:
        _answer()
    except KeyboardInterrupt:  # while modules are imported; click sees to it later
        sys.exit("Aborted!")


def _answer() -> None:
    from errdex import quick

    call = quick.plain_call(sys.argv[1:])
    if call is not None:
        sys.exit(quick.match(call))
    from errdex.cli import main  # here, since reading options takes longer than matching

    main()


if __name__ == "__main__":
    main()
