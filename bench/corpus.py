"""A corpus of records for the benchmarks, made from the source of packages at run time.

    python -m bench.corpus OUT.jsonl [--count 100000] [--cache FOLDER] [--mutate N] [PACKAGE…]

The packages are fetched by name from the package index (`pip download --no-deps`) into a
folder outside the checkout, which is kept; the standard library of the Python that runs this
comes first. Messages, patterns, classes, paths, lines and snippets are real; the prose is
made up, to the lengths that people write. If the packages hold fewer errors than asked for,
records with some words replaced fill up, as `--mutate` does for still larger corpora.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import re
import subprocess
import sys
import sysconfig
import zipfile
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from functools import lru_cache
from pathlib import Path

from bench.extract import Found, errors_in

PACKAGES = (
    "sglang", "diffusers", "transformers", "vllm", "ray", "jax", "mlflow", "nova", "neutron",
    "google-cloud-aiplatform", "scipy", "sympy", "langchain-community", "pandas", "keras",
    "paddlenlp", "ansible-core", "django", "scikit-learn", "plotly", "statsmodels", "sqlalchemy",
    "peft", "wandb", "numba", "matplotlib", "xarray", "dask", "twisted", "nltk", "trl",
    "torch-geometric", "streamlit", "networkx", "bokeh", "lightning", "gradio", "datasets",
    "openstacksdk", "distributed", "accelerate", "cinder", "pydantic", "scrapy", "aiohttp",
    "celery", "kubernetes", "botocore", "fastapi", "pip",
)  # fmt: skip
CACHE = Path.home() / ".cache" / "errdex-bench"
LONGEST_RECORD = 24_000
"""Bytes of a line; longer ones are left out."""
AROUND = 16
"""Lines of a snippet before and behind the one that raises."""

_WORD = re.compile(r"[A-Za-z_]{3,24}")
_SENTENCES = (
    "This is raised when the {0} is not what the {1} needs, before anything is changed.",
    "The {0} was given together with a {1}, which it does not support.",
    "It means that no {0} was found for the {1}, or that it was found too late.",
    "The check stands in front of the {0}, so that the {1} is never used half set up.",
    "Somebody upgraded the {0} and kept the old {1}.",
    "A configuration names a {0} that this version of the {1} does not know.",
    "Most people meet it in tests, where the {0} is built without its {1}.",
    "Give the {0} explicitly, and leave the {1} at its default.",
    "Check the {0} before the call, and log the {1} where it is made.",
    "Pin the version of the {0} until the {1} is migrated.",
)


def main() -> None:
    """Make a corpus."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("packages", nargs="*", default=PACKAGES, help="instead of the usual ones")
    parser.add_argument("--count", type=int, default=100_000, help="records (default 100000)")
    parser.add_argument("--mutate", type=int, default=0, help="so many more, words replaced")
    parser.add_argument("--cache", type=Path, default=CACHE, help=f"downloads (default {CACHE})")
    asked = parser.parse_intermixed_args()
    write_corpus(asked.out, asked.count, asked.cache, asked.packages, asked.mutate)


def write_corpus(
    out: Path, count: int, cache: Path, packages: tuple[str, ...] = PACKAGES, mutate: int = 0
) -> None:
    """Write `count` records, and `mutate` more with words replaced."""
    kept: list[str] = []
    with out.open("w", encoding="utf-8") as file:
        for line in _records(packages, cache):
            kept.append(line)
            file.write(line)
            if len(kept) == count:
                break
        rng = random.Random(7)  # noqa: S311  # the same corpus each time
        for number in range(count - len(kept) + mutate):
            file.write(_mutated(rng.choice(kept), number, rng))
    print(f"{out}: {len(kept):,} records from source, {count - len(kept) + mutate:,} varied")


def _records(packages: tuple[str, ...], cache: Path) -> Iterator[str]:
    """The records of the standard library and of each package, read on all processors."""
    waiting: deque[Future[list[str]]] = deque()
    with ProcessPoolExecutor() as pool:
        for package in (None, *packages):
            waiting.append(pool.submit(_records_of, package, cache))
            if len(waiting) > (os.cpu_count() or 1):
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()


def _records_of(package: str | None, cache: Path) -> list[str]:
    """The records of a package; of the standard library, if None."""
    seen: set[str] = set()
    repo = f"{package}/{package}" if package else "python/cpython"
    lines = [
        record_line(repo, path, source, found, seen)
        for path, source in (_wheel(package, cache) if package else _library())
        for found in errors_in(source)
    ]
    return [line for line in lines if line is not None]


def _library() -> Iterator[tuple[str, str]]:
    """Path and text of every Python file of the standard library."""
    library = Path(sysconfig.get_path("stdlib"))
    for file in sorted(library.rglob("*.py")):
        if "site-packages" not in file.parts:
            yield file.relative_to(library).as_posix(), _text(file.read_bytes())


def _wheel(package: str, cache: Path) -> Iterator[tuple[str, str]]:
    """Path and text of every Python file of a package; none if it cannot be fetched."""
    archive = _fetched(package, cache)
    if archive is None:
        return
    with zipfile.ZipFile(archive) as wheel:
        for name in sorted(wheel.namelist()):
            if name.endswith(".py") and "site-packages/" not in name:
                yield name, _text(wheel.read(name))


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _fetched(package: str, cache: Path) -> Path | None:
    """The package's wheel, from the cache or the index; None if there is none."""
    folder = cache / package
    if not list(folder.glob("*.whl")):
        folder.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        command += ["--only-binary=:all:", "--dest", str(folder), package]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            print(f"bench: {package} is passed over ({done.stderr.strip()[-100:]})")
            return None
    return next(folder.glob("*.whl"))


# -- one record ---------------------------------------------------------------------------


def record_line(repo: str, path: str, source: str, found: Found, seen: set[str]) -> str | None:
    """The record of an error as a line in its envelope; None if it is no good one."""
    message = "".join(f"{{{part.text}}}" if part.value else part.text for part in found.parts)
    pattern = "".join("(.+?)" if part.value else _escaped(part.text) for part in found.parts)
    key = f"{repo} {path} {found.line} {message}"
    digest = hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()
    if digest[:16] in seen or "\0" in message or not message.strip():
        return None
    seen.add(digest[:16])
    rng = random.Random(digest)  # noqa: S311  # the same record each time
    sha = hashlib.sha256(repo.encode()).hexdigest()[:40]
    lines = _lines(source)
    start = max(1, found.line - AROUND)
    end = min(len(lines), start + 2 * AROUND, max(found.last_line, found.line + AROUND))
    record = {
        "id": digest[:16],
        "repo": repo,
        "slug": _slug(message, repo, seen, digest),
        "errorCode": None,
        "errorMessage": message,
        "messagePattern": pattern,
        "errorType": "exception" if found.error_class else "console",
        "errorClass": found.error_class,
        "httpStatus": None,
        "severity": rng.choice(["error", "error", "error", "warning", "critical"]),
        "filePath": path,
        "lineNumber": found.line,
        "sourceCode": "\n".join(lines[start - 1 : end]),
        "sourceCodeStart": start,
        "sourceCodeEnd": end,
        "githubUrl": f"https://github.com/{repo}/blob/{sha}/{path}#L{start}-L{end}",
        **_prose(message, found, rng),
        "analyzedSha": sha,
        "analyzedAt": "2026-08-28T05:10:05.995Z",
        "schemaVersion": 2,
    }
    envelope = {"record": record, "datasetVersion": "2026-08-28T06:17:29.519Z"}
    line = json.dumps(envelope, ensure_ascii=False).encode("utf-8", "replace").decode() + "\n"
    return line if len(line.encode()) <= LONGEST_RECORD and " " not in path else None


@lru_cache(maxsize=1)  # a file has many errors
def _lines(source: str) -> list[str]:
    return source.split("\n")


def _escaped(text: str) -> str:
    return re.sub(r"([.*+?^${}()|\[\]\\])", r"\\\1", text)


def _slug(message: str, repo: str, seen: set[str], digest: str) -> str:
    words = "-".join(re.findall(r"[a-z0-9]+", message.lower()))[:48].strip("-") or digest[:8]
    slug = words if f"{repo} {words}" not in seen else f"{words}-{digest[:8]}"
    seen.add(f"{repo} {slug}")
    return slug


def _prose(message: str, found: Found, rng: random.Random) -> dict[str, object]:
    """The fields that people write, made up from the error's own words."""
    words = _WORD.findall(f"{message} {found.function} {found.docstring[:300]}") or ["value"]

    def sentences(count: int) -> str:
        drawn = (rng.choice(_SENTENCES) for _ in range(count))
        return " ".join(one.format(rng.choice(words), f"`{rng.choice(words)}`") for one in drawn)

    name = found.error_class or "RuntimeError"
    tags = sorted({word.lower().strip("_") for word in words[:6] if word.isalpha()})
    call = f"{found.function}({rng.choice(words).lower()}="
    return {
        "documentation": sentences(rng.randint(2, 5)),
        "triggerScenarios": sentences(rng.randint(1, 3)),
        "commonSituations": sentences(rng.randint(1, 3)),
        "solutions": [sentences(rng.randint(1, 2)) for _ in range(rng.randint(2, 4))],
        "exampleFix": f"# before\n{call}None)\n\n# after\n{call}{rng.randint(1, 99)})",
        "handlingStrategy": rng.choice(["try-catch", "validation", "fallback", "retry", None]),
        "validationCode": f"if not {words[0]}:\n    raise SystemExit('no {words[0]}')",
        "typeGuard": None,
        "tryCatchPattern": f"try:\n    {call}1)\nexcept {name} as error:\n    report(error)",
        "preventionTips": [sentences(1) for _ in range(rng.randint(1, 3))],
        "tags": [tag for tag in tags if len(tag) < 30][:5],
        "backgroundTag": rng.choice(["invalid-argument", "missing-dependency", None]),
    }


def _mutated(line: str, number: int, rng: random.Random) -> str:
    """A record with a few words of its message replaced, and names of its own."""
    envelope = json.loads(line)
    record = envelope["record"]
    digest = hashlib.sha256(f"{record['id']} {number}".encode()).hexdigest()
    words = re.findall(r"(?<![\\\w{])[A-Za-z]{5,}(?![\w}])", record["errorMessage"])
    for word in set(rng.sample(words, min(2, len(words)))):
        other = f"{word[:3]}{digest[:3]}"
        for field in ("errorMessage", "messagePattern"):
            record[field] = re.sub(rf"(?<!\w){word}(?!\w)", other, record[field])
    record |= {"id": digest[:16], "slug": f"{record['slug'][:150]}-{digest[:8]}"}
    return json.dumps(envelope, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    main()
