"""`python -m tools`: write, or check, every generated file."""

from __future__ import annotations

import sys

from tools import ROOT, codes, import_graph, own_errors, reference

GENERATORS = (reference.outputs, import_graph.outputs, own_errors.outputs, codes.outputs)


def main(arguments: list[str]) -> int:
    if arguments not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    check = bool(arguments)
    stale = []
    for outputs in GENERATORS:
        for path, text in outputs().items():
            if path.is_file() and path.read_text(encoding="utf-8") == text:
                continue
            stale.append(path.relative_to(ROOT))
            if not check:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
    for path in stale:
        print(f"{path} {'is stale: run python -m tools' if check else 'was written'}")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
