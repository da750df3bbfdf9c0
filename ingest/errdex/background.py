"""Work that others should not wait for: it steps back where they want the processor too."""

from __future__ import annotations

import os
from contextlib import suppress

NICENESS = 10
"""Beside a process that always has something to do, a tenth of a processor is left for us."""


def step_back() -> None:
    """Give this process, and those that it starts, a lower priority from now on.

    The system lets nobody take that back, so only a command that ends with its work may do
    it. One that was started with a lower priority still keeps it.
    """
    with suppress(AttributeError, OSError):  # there is none on Windows; a sandbox may forbid it
        if os.getpriority(os.PRIO_PROCESS, 0) < NICENESS:
            os.setpriority(os.PRIO_PROCESS, 0, NICENESS)
