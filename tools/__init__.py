"""What writes the generated parts of this repository; for those who work on errdex.

    python -m tools            write them anew
    python -m tools --check    say which are stale; exit code 1 if any is

Each module that generates something has a function `outputs` that returns the wanted
text of each file by its path. Nothing of this is installed with errdex.
"""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
"""The checkout."""
