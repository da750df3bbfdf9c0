"""The index that the browser fetches: complete, small, reproducible."""

from __future__ import annotations

import json
import subprocess
from contextlib import closing
from itertools import accumulate
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errdex.database import filed, worded
from errdex.database.connection import open_for_reading
from errdex.load import Options, ingest
from errdex_site import bundle, filters
from errdex_site.pages import Site
from errdex_site.shards import ROOT, Shards

CASES = Path(__file__).parent / "cases"
FILTER = Path(__file__).parents[1] / "site" / "errdex_site" / "static" / "match" / "filter.js"


def files_of(database: Path) -> dict[str, bytes]:
    """The whole index, by path."""
    with closing(open_for_reading(database)) as connection:
        shards = Shards(connection)
        return {path: shards.file(path) or b"" for path in shards.paths()}


def test_two_imports_of_the_same_records_give_the_same_bytes(
    case_database: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.db"
    ingest([str(CASES / "records.jsonl")], other, Options())
    assert files_of(case_database) == files_of(other)


def test_an_import_changes_only_the_files_that_show_what_it_changed(
    case_database: Path, tmp_path: Path
) -> None:
    lines = (CASES / "records.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    record = json.loads(lines[0])
    record.get("record", record)["lineNumber"] += 1
    (tmp_path / "changed.jsonl").write_text("".join([json.dumps(record) + "\n", *lines[1:]]))
    ingest([str(tmp_path / "changed.jsonl")], tmp_path / "changed.db", Options())
    before, after = files_of(case_database), files_of(tmp_path / "changed.db")
    assert set(before) == set(after)
    changed = {path for path in before if before[path] != after[path]}
    shards = {path for path in changed if "/k/" in path or "/r/" in path}
    assert changed - shards == {ROOT, "/match/index/version.json"}
    assert len(shards) == 1


def test_what_no_match_shows_changes_no_file(case_database: Path, tmp_path: Path) -> None:
    text = (CASES / "records.jsonl").read_text(encoding="utf-8")
    (tmp_path / "changed.jsonl").write_text(
        text.replace('"documentation": "', '"documentation": "x')
    )
    ingest([str(tmp_path / "changed.jsonl")], tmp_path / "changed.db", Options())
    assert files_of(case_database) == files_of(tmp_path / "changed.db")


def test_a_file_whose_signature_stays_stays_the_same(case_database: Path, tmp_path: Path) -> None:
    lines = (CASES / "records.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    for name, some in (("fewer", lines[:-3]), ("most", lines[:-1])):
        (tmp_path / f"{name}.jsonl").write_text("".join(some))
        ingest([str(tmp_path / f"{name}.jsonl")], tmp_path / f"{name}.db", Options())
    before, after = (signed(tmp_path / f"{name}.db") for name in ("fewer", "most"))
    same = [path for path in before if path in after and before[path][0] == after[path][0]]
    assert [path for path in same if before[path][1] != after[path][1]] == []
    assert 0 < len(same) < len(before)


def signed(database: Path) -> dict[str, tuple[int, bytes]]:
    """Every file of the index with its signature."""
    with closing(open_for_reading(database)) as connection:
        shards = Shards(connection)
        found = {path: (sign, shards.file(path) or b"") for path, sign in shards.signatures()}
        assert set(found) == set(shards.paths())
        return found


def test_every_pattern_and_every_record_is_in_the_index(case_database: Path) -> None:
    files = files_of(case_database)
    root = json.loads(files[ROOT])
    numbers = set()
    some = [root, *(json.loads(body) for path, body in files.items() if "/s/" in path)]
    for columns in some:
        numbers.update(accumulate(columns["steps"]))
    records = set()
    for path, body in files.items():
        if "/k/" in path:
            for pattern in json.loads(body)[1]:
                numbers.add(pattern[0])
                records.update(record[0] for record in pattern[5] or ())
        if "/r/" in path:
            records.update(record[0] for record in json.loads(body))
    with closing(open_for_reading(case_database)) as connection:
        wanted = {number for (number,) in connection.execute("SELECT pattern FROM patterns")}
        ids = {one for (one,) in connection.execute("SELECT id FROM errors")}
    assert numbers == wanted
    assert records == ids


def test_a_word_leads_to_every_pattern_whose_message_has_it(case_database: Path) -> None:
    files = files_of(case_database)
    bits = json.loads(files[ROOT])["wordBits"]
    filed_words = {path: json.loads(body) for path, body in files.items() if "/w/" in path}
    with closing(open_for_reading(case_database)) as connection:
        rows = connection.execute("SELECT pattern, error_message FROM errors").fetchall()
        homes = filed.homes(connection)
    shards = json.loads(files[ROOT])["bits"]
    for pattern, message in rows:
        for word in worded.words(message):
            found = filed_words[f"/match/index/w/{worded.shard_of(word, bits):x}.json"][word]
            pairs = dict(zip(found[::2], found[1::2], strict=True))
            assert pairs[pattern] == (homes[pattern] >> 32 - shards if homes[pattern] else -1)


def test_a_word_of_very_many_patterns_leads_nowhere(tmp_path: Path) -> None:
    line = json.loads((CASES / "records.jsonl").read_text(encoding="utf-8").splitlines()[0])
    record = line["record"]
    lines = []
    for number in range(401):
        message = f"everywhere number{number}"
        changed = {"id": f"{number:016x}", "slug": f"s{number}", "errorMessage": message}
        lines.append(json.dumps({"record": record | changed | {"messagePattern": message}}))
    (tmp_path / "many.jsonl").write_text("\n".join(lines))
    ingest([str(tmp_path / "many.jsonl")], tmp_path / "many.db", Options())
    files = files_of(tmp_path / "many.db")
    words = {word for path in files if "/w/" in path for word in json.loads(files[path])}
    assert "number400" in words
    assert "everywhere" not in words


def test_a_hint_names_the_shard_that_has_its_pattern(case_database: Path) -> None:
    files = files_of(case_database)
    shards = {
        int(path[-6:-5], 16): json.loads(body) for path, body in files.items() if "/k/" in path
    }
    hints = 0
    for rows, _ in shards.values():
        for _, _, pairs in rows:
            for number, shard in zip(pairs[::2], pairs[1::2], strict=True):
                assert number in {pattern[0] for pattern in shards[shard][1]}
                hints += 1
    assert hints > 100


@pytest.mark.parametrize(
    "path",
    [
        "/match/index/000000000000/k/0.json",
        "/match/index/k/00.json",
        "/match/index/../index.json",
        "/match/index/k/ffffff.json",
        "/match/index/r/999999999.json",
        "/match/index/s/0.json",
        "/match/index/hints.json/",
    ],
)
def test_there_is_nothing_at_other_paths(case_database: Path, path: str) -> None:
    with closing(open_for_reading(case_database)) as connection:
        shards = Shards(connection)
        assert shards.file(path) is None


def test_the_site_serves_the_index_live(case_database: Path) -> None:
    with closing(open_for_reading(case_database)) as connection:
        site = Site(connection, live=True)
        shards = Shards(connection)
        for path in (ROOT, "/match/index/k/0.json"):
            page = site.page(path)
            assert (page.status, page.content_type) == (200, "application/json")
            assert page.body == shards.file(path)
        assert site.page("/match/index/none.json").status == 404


@pytest.mark.usefixtures("needs_node")
@settings(max_examples=25, deadline=None)
@given(st.sets(st.integers(0, 2**32 - 1), max_size=300), st.integers(1, 8))
def test_a_filter_denies_no_key_of_its_set(keys: set[int], bits: int) -> None:
    built = filters.build(sorted(keys), bits)
    asked = json.dumps([built._asdict(), sorted(keys)])
    assert asked_of_filter(asked) == [True] * len(keys)


@pytest.mark.usefixtures("needs_node")
def test_a_filter_denies_most_other_keys() -> None:
    keys = [filters.mix(number) for number in range(5000)]
    others = [filters.mix(number) for number in range(5000, 25_000)]
    built = filters.build(keys, 3)
    said = asked_of_filter(json.dumps([built._asdict(), others]))
    assert 0.10 < sum(said) / len(others) < 0.15
    assert len(built.cells) * 6 / len(keys) < 3 * 1.35


def asked_of_filter(question: str) -> list[bool]:
    """What the browser's filter says of each key."""
    script = (
        f'import {{ Filter }} from "{FILTER}";'
        'const [parts, keys] = JSON.parse(require("node:fs").readFileSync(0, "utf8"));'
        "const filter = new Filter(parts);"
        "console.log(JSON.stringify(keys.map((key) => filter.has(key))));"
    )
    head = 'import { createRequire } from "node:module"; const require = createRequire("/");'
    run = subprocess.run(
        ["node", "--input-type=module", "-e", head + script],
        input=question,
        capture_output=True,
        text=True,
        check=True,
    )
    said: list[bool] = json.loads(run.stdout)
    return said


@pytest.mark.usefixtures("needs_node")
def test_the_bundle_has_every_module_once_and_no_import(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text(
        'import { two } from "./b.js";\nimport { three as four } from "./c.js";\n'
        "// a comment\nconsole.log(two(), four);\n"
    )
    (tmp_path / "b.js").write_text(
        'import { three } from "./c.js";\nexport function two() {\n  return three - 1;\n}\n'
    )
    (tmp_path / "c.js").write_text("/** Three. */\nexport const three = 3;\n")
    script = bundle.bundle(tmp_path / "a.js")
    assert script.count("const three") == 1
    assert "comment" not in script
    run = subprocess.run(["node", "-e", script], capture_output=True, text=True, check=True)
    assert run.stdout == "2 3\n"


@pytest.mark.usefixtures("needs_node")
def test_packing_leaves_texts_expressions_and_signs_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text(
        """const one = { text: "a ; b , c" , 'x = y': 1 - -1 };
const two = /a = [ b, ]/.test("a = ,") ? `( ${one.text} )` : 'it\\'s ; ';
function three(a, b = [1, 2]) {
  return a + +b[1]
}
console.log(JSON.stringify([one, two, three(1), "\\\\" , ", 'no' "]));
"""
    )
    script = bundle.bundle(tmp_path / "a.js")
    run = subprocess.run(["node", "-e", script], capture_output=True, text=True, check=True)
    assert json.loads(run.stdout) == [
        {"text": "a ; b , c", "x = y": 2},
        "( a ; b , c )",
        3,
        "\\",
        ", 'no' ",
    ]
    assert "function three(a,b=[1,2]){return a + +b[1]" in script


@pytest.mark.usefixtures("needs_node")
def test_private_names_become_short_and_stay_apart(tmp_path: Path) -> None:
    fields = "".join(f"  #field{number} = {number};\n" for number in range(60))
    total = " + ".join(f"this.#field{number}" for number in range(60))
    (tmp_path / "a.js").write_text(
        f"class A {{\n{fields}  sum() {{\n    return {total};\n  }}\n}}\n"
        "console.log(new A().sum());\n"
    )
    script = bundle.bundle(tmp_path / "a.js")
    run = subprocess.run(["node", "-e", script], capture_output=True, text=True, check=True)
    assert run.stdout == f"{sum(range(60))}\n"
    assert "field" not in script


def test_a_text_that_looks_like_a_private_name_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text('const a = "#main";\n')
    with pytest.raises(ValueError, match="looks like a private name"):
        bundle.bundle(tmp_path / "a.js")


def test_a_template_over_several_lines_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text("const a = `x\n  y`;\n")
    with pytest.raises(ValueError, match=r"a\.js: a template over several lines"):
        bundle.bundle(tmp_path / "a.js")


def test_a_form_that_cannot_be_bundled_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text('import * as all from "./b.js";\n')
    with pytest.raises(ValueError, match=r"a\.js: 'import \* as all from"):
        bundle.bundle(tmp_path / "a.js")


def test_modules_that_import_each_other_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text('import { b } from "./b.js";\nexport const a = 1;\n')
    (tmp_path / "b.js").write_text('import { a } from "./a.js";\nexport const b = 1;\n')
    with pytest.raises(ValueError, match=r"a\.js imports itself, by way of b\.js"):
        bundle.bundle(tmp_path / "a.js")


def test_the_version_changes_with_the_form_and_with_any_pattern(case_database: Path) -> None:
    with closing(open_for_reading(case_database)) as connection:
        marks = filed.marks(connection)
        first = filed.version(connection, marks, "1")
        assert len(first) == 12
        assert first != filed.version(connection, marks, "2")
        marks[-1] ^= 1
        assert first != filed.version(connection, marks, "1")
