"""Print a command of the README: the code block after the comment `<!-- command: NAME -->`."""

from __future__ import annotations

import re
import sys
from pathlib import Path

README = Path(__file__).resolve().parent.parent / "README.md"


def command(name: str) -> str:
    """The one line of code below its mark."""
    mark = rf"<!-- command: {re.escape(name)} -->\s*```bash\n(.+)\n```"
    found = re.findall(mark, README.read_text(encoding="utf-8"))
    if len(found) != 1:
        sys.exit(f"README.md has {len(found)} one-line commands marked {name!r}, expected one")
    return str(found[0])


if __name__ == "__main__":
    print(command(sys.argv[1]))
