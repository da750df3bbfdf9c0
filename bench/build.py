"""The static build against Hugo and against a plain Jinja2 + Pygments loop, in one run.

    python -m bench.build RECORDS.jsonl [--limit N] [--rounds N] [--skip-references]

Hugo (Debian's package) gets the same records as Markdown with fenced code, the same lists
by tag and repo, and highlighting on. The loop does for each record what one would write
first: a template, Markdown fields, and Pygments for the snippet. Rates are HTML pages a
second; seconds of CPU are printed too, since a busy machine tells the truth in those only.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import shutil
import statistics
import sys
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from bench.figures import Figure, ratio_of
from bench.ingest import Run, change_one_percent, measured
from errdex_site.addresses import RESERVED

FASTER_THAN_HUGO = 4.0
CHANGED_SHARE, UNCHANGED_SHARE = 0.05, 0.02
PEAK_MB = 300
MEDIAN_PAGE, MEDIAN_PACKED, LARGEST_PAGE = 20_000, 5_000, 50_000

_SINGLE = """<!doctype html><title>{{ .Title }}</title><h1>{{ .Title }}</h1>
<p>{{ .Params.class }} {{ .Params.repo }}</p>{{ .Content }}
{{ range .Params.tags }}<a href="/tags/{{ . }}/">{{ . }}</a> {{ end }}"""
_LIST = """<!doctype html><title>{{ .Title }}</title><h1>{{ .Title }}</h1><ul>
{{ range (.Paginate .Pages 100).Pages }}<li><a href="{{ .RelPermalink }}">{{ .Title }}</a></li>
{{ end }}</ul>"""
_LOOP_TEMPLATE = """<!doctype html><title>{{ r.errorMessage }}</title><h1>{{ r.errorMessage }}</h1>
<p>{{ r.errorClass }} {{ r.repo }}</p>{% for part in prose %}{{ part|safe }}{% endfor %}
{{ code|safe }}{{ fix|safe }}{% for tag in r.tags %}<a href="/tags/{{ tag }}/">{{ tag }}</a>
{% endfor %}"""


def records_of(file: Path, limit: int) -> Iterator[dict[str, object]]:
    with file.open() as lines:
        for line in islice(lines, limit):
            yield json.loads(line)["record"]


def write_hugo(file: Path, limit: int, site: Path) -> None:
    """The records as a Hugo site."""
    (site / "layouts" / "_default").mkdir(parents=True)
    (site / "layouts" / "_default" / "single.html").write_text(_SINGLE)
    (site / "layouts" / "_default" / "list.html").write_text(_LIST)
    (site / "hugo.toml").write_text(
        'baseURL = "https://errdex.example/"\ntitle = "errdex"\n'
        '[taxonomies]\ntag = "tags"\n[markup.highlight]\nlineNos = true\nnoClasses = false\n'
    )
    for record in records_of(file, limit):
        folder = site / "content" / str(record["repo"]).replace("/", "-")
        folder.mkdir(parents=True, exist_ok=True)
        head = {
            "title": record["errorMessage"],
            "class": record["errorClass"],
            "repo": record["repo"],
            "tags": record["tags"],
        }
        name = f"{record['slug']}.md"
        (folder / name).write_text(json.dumps(head) + "\n\n" + _markdown(record))


def _markdown(record: dict[str, object]) -> str:
    language = "python" if str(record["filePath"]).endswith(".py") else "js"
    line = int(str(record["lineNumber"] or 1)) - int(str(record["sourceCodeStart"] or 1)) + 1
    options = f"{{linenostart={record['sourceCodeStart'] or 1},hl_lines=[{max(line, 1)}]}}"
    prose = [record["documentation"], record["triggerScenarios"], record["commonSituations"]]
    fixes = [f"1. {text}" for text in _list(record["solutions"])]
    tips = [f"- {text}" for text in _list(record["preventionTips"])]
    code = f"```{language} {options}\n{record['sourceCode'] or ''}\n```"
    blocks = [f"```{language}\n{record[name] or ''}\n```" for name in ("exampleFix", *_HANDLING)]
    return "\n\n".join([*map(str, prose), "\n".join(fixes), code, *blocks, "\n".join(tips)])


_HANDLING = ("validationCode", "typeGuard", "tryCatchPattern")


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def loop(file: Path, limit: int, out: Path) -> None:
    """What one would write first."""
    from jinja2 import Environment
    from markdown_it import MarkdownIt
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import get_lexer_by_name

    template = Environment(autoescape=True).from_string(_LOOP_TEMPLATE)
    markdown = MarkdownIt("js-default")
    lexers = {".py": get_lexer_by_name("python"), "": get_lexer_by_name("js")}
    for record in records_of(file, limit):
        lexer = lexers[".py" if str(record["filePath"]).endswith(".py") else ""]
        start = int(str(record["sourceCodeStart"] or 1))
        raised = int(str(record["lineNumber"] or start)) - start + 1
        shape = HtmlFormatter(linenos=True, linenostart=start, hl_lines=[raised])
        texts = ["documentation", "triggerScenarios", "commonSituations"]
        prose = [markdown.render(str(record[name])) for name in texts]
        lists = _list(record["solutions"]) + _list(record["preventionTips"])
        prose += [markdown.render(str(text)) for text in lists]
        code = highlight(str(record["sourceCode"] or ""), lexer, shape)
        names = ("exampleFix", *_HANDLING)
        fix = "".join(highlight(str(record[n] or ""), lexer, HtmlFormatter()) for n in names)
        folder = out / str(record["repo"]) / str(record["slug"])
        folder.mkdir(parents=True, exist_ok=True)
        html = template.render(r=record, prose=prose, code=code, fix=fix)
        (folder / "index.html").write_text(html)


def pages_in(folder: Path) -> int:
    """HTML pages, without the redirects that Hugo writes from `page/1/` to each list."""
    return sum(1 for file in folder.rglob("*.html") if file.parent.parts[-2:] != ("page", "1"))


def build(database: Path, out: Path) -> Run:
    options: list[str | Path] = [
        "--db",
        database,
        "--out",
        out,
        "--base-url",
        "https://errdex.example",
    ]
    return measured(sys.executable, "-m", "errdex", "build", *options)


def ingest(records: Path, database: Path) -> None:
    measured(sys.executable, "-m", "errdex", "ingest", records, "--db", database)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("records", type=Path)
    parser.add_argument("--limit", type=int, default=10**9)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--skip-references", action="store_true")
    parser.add_argument("--loop", type=Path, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.loop:
        loop(chosen.records, chosen.limit, chosen.loop)
        return
    folder = Path(tempfile.mkdtemp())
    try:
        report(chosen, folder)
    finally:
        shutil.rmtree(folder)


def report(chosen: argparse.Namespace, folder: Path) -> None:
    records, changed = folder / "records.jsonl", folder / "changed.jsonl"
    with chosen.records.open() as lines, records.open("w") as out:
        out.writelines(islice(lines, chosen.limit))
    change_one_percent(records, changed)
    database, site = folder / "errdex.db", folder / "site"
    ingest(records, database)
    fulls = []
    for _ in range(chosen.rounds):
        shutil.rmtree(site, ignore_errors=True)
        fulls.append(build(database, site))
    full = min(fulls)
    rate = _told("errdex build", full, pages_in(site))
    unchanged = build(database, site)
    ingest(changed, database)
    rebuilt = build(database, site)
    _share("1 % changed / full", rebuilt, full, CHANGED_SHARE)
    _share("nothing changed / full", unchanged, full, UNCHANGED_SHARE)
    verdict = "holds" if full.peak_mb <= PEAK_MB else "FAILS"
    print(f"peak of the largest process {full.peak_mb:5.0f} MB  (at most {PEAK_MB}: {verdict})")
    _show_sizes(sizes_in(site))
    if not chosen.skip_references:
        _references(chosen, records, folder, rate)


def _references(
    chosen: argparse.Namespace, records: Path, folder: Path, ours: tuple[float, float]
) -> None:
    script: list[str | Path] = [
        sys.executable,
        "-m",
        "bench.build",
        records,
        "--loop",
        folder / "loop",
    ]
    plain = _told("Jinja2 + Pygments", measured(*script), pages_in(folder / "loop"))
    print(
        f"errdex / loop: {ours[0] / plain[0]:.1f} × by the clock, {ours[1] / plain[1]:.1f} × by CPU"
    )
    hugo = shutil.which("hugo")
    if hugo is None:
        print("Hugo is missing here: apt-get install hugo")
        return
    write_hugo(records, chosen.limit, folder / "hugo")
    run = measured(hugo, "--quiet", "-s", folder / "hugo", "-d", folder / "public")
    other = _told("Hugo", run, pages_in(folder / "public"))
    verdict = "holds" if ours[0] / other[0] >= FASTER_THAN_HUGO else "FAILS"
    print(
        f"errdex / Hugo: {ours[0] / other[0]:.1f} × by the clock, {ours[1] / other[1]:.1f} × by CPU"
        f" (at least {FASTER_THAN_HUGO:.0f}: {verdict})"
    )


def _told(name: str, run: Run, pages: int) -> tuple[float, float]:
    """Prints a rate; pages a second by the clock, and a second of CPU."""
    print(
        f"{name:18} {pages:7,} pages  {run.seconds:7.1f} s  {run.cpu_seconds:7.1f} s CPU"
        f"  {pages / run.seconds:6.0f} pages/s"
    )
    return pages / run.seconds, pages / run.cpu_seconds


def _share(name: str, run: Run, full: Run, limit: float) -> None:
    found, by_cpu = run.seconds / full.seconds, run.cpu_seconds / full.cpu_seconds
    verdict = "holds" if found <= limit else "FAILS"
    print(
        f"{name:24} {run.seconds:6.2f} s  {found:6.3f} by the clock, {by_cpu:.3f} by CPU"
        f"  (at most {limit}: {verdict})"
    )


class Sizes(NamedTuple):
    """Bytes of the pages of errors."""

    pages: int
    median: float
    packed: float
    """The median, gzipped; of each tenth page."""
    largest: int
    without: int
    """The largest without its snippet."""


def sizes_in(site: Path) -> Sizes:
    """Looks at every page of an error: owner, repo, slug."""
    sizes, packed, without = [], [], 0
    for file in site.glob("*/*/*/index.html"):
        if file.relative_to(site).parts[0] in RESERVED or file.parts[-3] == "-":
            continue
        html = file.read_bytes()
        sizes.append(len(html))
        without = max(
            without, len(re.sub(rb'<div class="numbered">.*?</div>', b"", html, flags=re.DOTALL))
        )
        if len(sizes) % 10 == 0:
            packed.append(len(gzip.compress(html, 6)))
    middle, packed_middle = statistics.median(sizes), statistics.median(packed)
    return Sizes(len(sizes), middle, packed_middle, max(sizes), without)


def _show_sizes(sizes: Sizes) -> None:
    print(f"error pages: {sizes.pages:,}, the largest of {sizes.largest:,} B")
    _limit("median of HTML", sizes.median, MEDIAN_PAGE)
    _limit("median, gzipped", sizes.packed, MEDIAN_PACKED)
    _limit("largest without snippet", sizes.without, LARGEST_PAGE)


def _limit(name: str, found: float, most: int) -> None:
    verdict = "holds" if found <= most else "FAILS"
    print(f"  {name:24} {found:8,.0f} B  (at most {most:,}: {verdict})")


BESIDE_REFERENCES = 10_000
"""Records that the references render too."""


def figures(records: Path, *, quick: bool = False) -> list[Figure]:
    """Rates beside a plain loop and Hugo on a part of the records; shares and memory on all."""
    with tempfile.TemporaryDirectory(prefix="errdex-build-") as name:
        folder = Path(name)
        return [
            *_rate_figures(records, 500 if quick else BESIDE_REFERENCES, folder),
            *_share_figures(records, folder),
        ]


def _rate_figures(records: Path, limit: int, folder: Path) -> list[Figure]:
    some, site = folder / "some.jsonl", folder / "some-site"
    with records.open() as lines, some.open("w") as out:
        out.writelines(islice(lines, limit))
    ingest(some, folder / "some.db")
    ours = _told("errdex build", build(folder / "some.db", site), pages_in(site))[0]
    script = [sys.executable, "-m", "bench.build", str(some), "--loop", str(folder / "loop")]
    plain = _told("Jinja2 + Pygments", measured(*script), pages_in(folder / "loop"))[0]
    name, rate = f"build of {limit:,} records", f"{ours:,.0f} pages/s"
    found = [Figure(name, rate, f"Jinja2 + Pygments loop: {plain:,.0f}/s", f"{ours / plain:.1f} ×")]
    hugo = shutil.which("hugo")
    if hugo is None:
        return [*found, Figure(name, rate, "Hugo is not installed here")]
    write_hugo(some, limit, folder / "hugo")
    run = measured(hugo, "--quiet", "-s", folder / "hugo", "-d", folder / "public")
    other = _told("Hugo", run, pages_in(folder / "public"))[0]
    beside, target = f"Hugo: {other:,.0f}/s", f"at least {FASTER_THAN_HUGO:.0f} ×"
    held = ours / other >= FASTER_THAN_HUGO
    return [*found, Figure(name, rate, beside, f"{ours / other:.1f} ×", target, held)]


def _share_figures(records: Path, folder: Path) -> list[Figure]:
    database, site, changed = folder / "errdex.db", folder / "site", folder / "changed.jsonl"
    change_one_percent(records, changed)
    ingest(records, database)
    full = build(database, site)
    _told("errdex build", full, pages_in(site))
    unchanged = build(database, site)
    ingest(changed, database)
    rebuilt = build(database, site)
    return [
        *_size_figures(sizes_in(site)),
        ratio_of("build, 1 % changed", rebuilt.seconds, full.seconds, "whole", CHANGED_SHARE),
        ratio_of(
            "build, nothing changed", unchanged.seconds, full.seconds, "whole", UNCHANGED_SHARE
        ),
        Figure(
            "build, peak memory of a process",
            f"{full.peak_mb:.0f} MB",
            target=f"at most {PEAK_MB} MB",
            held=full.peak_mb <= PEAK_MB,
        ),
    ]


def _size_figures(sizes: Sizes) -> list[Figure]:
    measured_and_limits = (
        ("error page, median", sizes.median, MEDIAN_PAGE),
        ("error page, median, gzipped", sizes.packed, MEDIAN_PACKED),
        ("error page, largest without its snippet", sizes.without, LARGEST_PAGE),
    )
    return [
        Figure(
            name,
            f"{size / 1000:.1f} kB",
            target=f"at most {most / 1000:.0f} kB",
            held=size <= most,
        )
        for name, size, most in measured_and_limits
    ]


if __name__ == "__main__":
    main()
