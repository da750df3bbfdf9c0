"""`errdex match`: texts, files and logs, exit codes, what is printed and what is imported."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from errdex.cli import main
from errdex.load import load
from errdex.sources import read_lines

CASES = Path(__file__).parent / "cases"
SEED = Path(__file__).parent.parent / "data" / "seed.jsonl"
ID = "aaead811d0809fef"
REASON = (
    "does not support SGLANG_ENABLE_OVERLAP_PLAN_STREAM=1: LoRA batch preparation would run on"
    " the plan stream, unordered against in-flight forwards"
)
MESSAGE = f"ValueError: LoRA with EAGLE/NEXTN/EAGLE3 speculative decoding {REASON}."
WORKER = "c9921748ea519e17"


@pytest.fixture(scope="module")
def seed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("match") / "seed.db"
    load(read_lines(str(SEED)), path)
    return path


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("match") / "cases.db"
    load(read_lines(str(CASES / "records.jsonl")), path)
    return path


def match(database: Path, *arguments: str, typed: str | bytes | None = None) -> Result:
    return CliRunner().invoke(main, ["match", *arguments, "--db", str(database)], input=typed)


def test_the_seed_message_gives_its_record_with_the_whole_value(seed: Path) -> None:
    result = match(seed, MESSAGE)
    assert result.exit_code == 0
    assert re.sub(r"score 0\.\d\d · .*", "score 0.00 · …", result.output) == (
        f"{ID}  sgl-project/sglang/lora-with-eagle-nextn-eagle3-speculative-decoding\n"
        "  ValueError: LoRA with EAGLE/NEXTN/EAGLE3 speculative decoding {reason}.\n"
        "  error · score 0.00 · …\n"
        "\n"
        f"  reason = {REASON}\n"
        "\n"
        "  Fix 1 of 3:\n"
        f"    Follow {REASON}: disable the flagged feature (e.g. turn off the overlap/plan-stream"
        " mode it names)\n"
        f"  More: errdex show {ID} --db {seed}\n"
    )


@pytest.mark.parametrize("form", [["--json"], ["--format", "json"]])
def test_json_has_the_matches_with_their_values_and_solutions(seed: Path, form: list[str]) -> None:
    result = match(seed, MESSAGE, *form)
    assert result.exit_code == 0
    document = json.loads(result.output)
    assert document["secret"] is False
    (found,) = document["matches"]
    assert found["id"] == ID
    assert found["values"] == {"reason": REASON}
    assert found["claimed"] is True
    assert found["solutions"][0].startswith(f"Follow {REASON}: disable")


def test_standard_input_is_read_without_a_text(seed: Path) -> None:
    result = match(seed, typed=f"noise before\n{MESSAGE}\n")
    assert result.exit_code == 0
    assert result.output.startswith(ID)


def test_nothing_found_is_told_and_exits_with_1(seed: Path) -> None:
    result = match(seed, "the quick brown fox")
    assert (result.exit_code, result.output) == (1, "No record matches.\n")


def test_hints_are_never_shown_as_a_match(cases: Path) -> None:
    result = match(cases, "Error: something quite unknown")
    assert result.exit_code == 1
    assert result.output.startswith("No record matches.\n\nWeak hints, not matches:\n")


def test_a_terminal_on_standard_input_is_wrong_use(seed: Path) -> None:
    leader, follower = pty.openpty()
    run = subprocess.run(
        [sys.executable, "-m", "errdex", "match", "--db", str(seed)],
        stdin=follower,
        capture_output=True,
        text=True,
    )
    os.close(follower)
    os.close(leader)
    assert run.returncode == 2
    assert run.stderr == (
        "errdex: there is no text to match; give it as an argument or on standard input."
        " [errdex explain ED301]\n"
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["x", "--file", "y"], "give TEXT or --file, not both"),
        (["--follow"], "--follow needs one --file that has a name"),
        (["--follow", "--file", "-"], "--follow needs one --file that has a name"),
        (["x", "--format", "pdf"], "Invalid value for '--format'"),
        (["x", "--min-score", "2"], "Invalid value for '--min-score'"),
        (["x", "--limit", "0"], "Invalid value for '--limit'"),
        (["x", "--fail-on", "fatal"], "Invalid value for '--fail-on'"),
    ],
)
def test_wrong_use_exits_with_2(seed: Path, arguments: list[str], said: str) -> None:
    result = match(seed, *arguments)
    assert result.exit_code == 2
    assert said in result.output


def test_a_database_that_is_not_there_exits_with_2(tmp_path: Path) -> None:
    result = match(tmp_path / "no.db", "x")
    assert result.exit_code == 2
    assert result.output.startswith(f"errdex: {tmp_path}/no.db does not exist; make it with")


def test_only_records_of_the_repo_and_with_the_tag_are_found(cases: Path) -> None:
    text = "WorkerExit: worker exited with code 3"
    assert match(cases, text, "--repo", "acme/flowline").output.startswith(WORKER)
    assert match(cases, text, "--repo", "python/cpython").exit_code == 1
    assert match(cases, text, "--tag", "no-such-tag").exit_code == 1


def test_matches_below_the_least_score_are_left_out(cases: Path) -> None:
    text = "WorkerExit: worker exited with code 3"
    score = json.loads(match(cases, text, "--json").output)["matches"][0]["score"]
    assert match(cases, text, "--min-score", str(score)).exit_code == 0
    result = match(cases, text, "--min-score", str(score + 0.001))
    assert (result.exit_code, result.output) == (1, "No record matches.\n")


def test_no_more_records_than_the_limit_are_told(cases: Path) -> None:
    pastes = (CASES / "pastes.jsonl").read_text("utf-8").splitlines()
    (text,) = [
        case["text"] for case in map(json.loads, pastes) if case["id"] == "c11-several-errors"
    ]
    assert len(json.loads(match(cases, text, "--json").output)["matches"]) > 2
    assert len(json.loads(match(cases, text, "--json", "--limit", "2").output)["matches"]) == 2


@pytest.mark.parametrize(("severity", "code"), [("info", 3), ("error", 3), ("critical", 0)])
def test_fail_on_exits_with_3_for_a_match_so_severe(cases: Path, severity: str, code: int) -> None:
    text = "WorkerExit: worker exited with code 3"
    assert match(cases, text, "--fail-on", severity).exit_code == code


def test_fail_on_exits_with_0_where_nothing_matches(cases: Path) -> None:
    assert match(cases, "the quick brown fox", "--fail-on", "info").exit_code == 0


LOG = "\n".join(
    ["2026-11-30 12:00:00 INFO all is well"] * 250
    + ["2026-11-30 12:00:01 ERROR WorkerExit: worker exited with code 3"]
    + ["2026-11-30 12:00:02 INFO all is well"] * 20
    + ["2026-11-30 12:00:03 ERROR WorkerExit: worker exited with code 4"]
)


def test_a_long_input_is_taken_for_a_log(cases: Path) -> None:
    result = match(cases, typed=LOG)
    assert result.exit_code == 0
    assert result.output.startswith(
        "line 251  2 times, last on line 272\n"
        "  2026-11-30 12:00:01 ERROR WorkerExit: worker exited with code 3\n"
        f"{WORKER}  acme/flowline/worker-exited-with-code-code\n"
    )
    assert "  code = 3\n" in result.output


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
}


@pytest.mark.parametrize("packing", PACKERS)
def test_a_file_is_read_whatever_it_is_packed_in(cases: Path, tmp_path: Path, packing: str) -> None:
    path = tmp_path / "app.log"
    path.write_bytes(PACKERS[packing](LOG.encode()))
    result = match(cases, "--file", str(path), "--json")
    assert result.exit_code == 0
    (error,) = json.loads(result.output)["errors"]
    assert error["source"] == str(path)
    assert (error["firstLine"], error["lastLine"], error["count"]) == (251, 272, 2)
    assert error["matches"][0]["values"] == {"code": "3"}


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_text_in_16_bits_is_read(cases: Path, tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "app.log"
    path.write_bytes(("\ufeff" + LOG.replace("\n", "\r\n")).encode(encoding))
    result = match(cases, "--file", str(path), "--json")
    assert json.loads(result.output)["errors"][0]["matches"][0]["values"] == {"code": "3"}


def test_several_files_are_told_apart(cases: Path, tmp_path: Path) -> None:
    for name, code in (("a.log", 1), ("b.log", 2)):
        (tmp_path / name).write_text(f"WorkerExit: worker exited with code {code}\n")
    result = match(cases, "-f", str(tmp_path / "a.log"), "-f", str(tmp_path / "b.log"))
    assert result.exit_code == 0
    assert f"{tmp_path}/a.log:1\n" in result.output
    assert f"{tmp_path}/b.log:1\n" in result.output
    assert "  code = 1\n" in result.output
    assert "  code = 2\n" in result.output


def test_a_short_input_may_be_taken_for_a_log_and_a_long_one_for_a_paste(cases: Path) -> None:
    short = match(cases, "--log", typed="WorkerExit: worker exited with code 3\n")
    assert short.output.startswith("line 1\n")
    long = match(cases, "--paste", typed=LOG)
    assert long.output.startswith(WORKER)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "{path} does not exist; name a file that holds the text to match."),
        (b"PK\x03\x04abc", "{path} is a zip archive, not text; give text, plain or packed"),
        (gzip.compress(LOG.encode(), mtime=0)[:-20], "{path} breaks off or is damaged ("),
    ],
)
def test_a_file_that_cannot_be_read_exits_with_2(
    cases: Path, tmp_path: Path, content: bytes | None, said: str
) -> None:
    path = tmp_path / "app.log"
    if content is not None:
        path.write_bytes(content)
    result = match(cases, "--file", str(path))
    assert result.exit_code == 2
    assert "errdex: " + said.format(path=path) in result.output


def test_secrets_are_masked_wherever_the_text_is_shown(cases: Path) -> None:
    credential = "ghp_0123456789abcdef0123456789abcdef0123"
    line = f"Error: token {credential} worker exited with code {credential}\n"
    for form in ("text", "json", "jsonl", "markdown", "github", "sarif"):
        for mode in ("--log", "--paste"):
            result = match(cases, mode, "--format", form, typed=line)
            assert credential not in result.output
            assert result.exit_code == 0


@pytest.mark.parametrize(
    ("environment", "colored"),
    [({"TERM": "xterm"}, True), ({"TERM": "dumb"}, False), ({"NO_COLOR": "1"}, False)],
)
def test_colors_and_links_are_for_terminals_only(
    seed: Path, environment: dict[str, str], colored: bool
) -> None:
    leader, follower = pty.openpty()
    subprocess.run(
        [sys.executable, "-m", "errdex", "match", "--db", str(seed), MESSAGE],
        stdout=follower,
        env={**os.environ, "TERM": "xterm", **environment},
        check=True,
    )
    os.close(follower)
    written = os.read(leader, 100_000)
    os.close(leader)
    assert (b"\x1b[" in written) is colored
    assert (b"\x1b]8;;https://github.com/sgl-project" in written) is colored


SLOW = ("jinja2", "datasette", "pygments", "sqlite_utils", "numpy", "rich", "asyncio", "re2")


@pytest.mark.parametrize("arguments", [["--help"], ["match", "x", "--db"]])
def test_what_is_slow_to_import_is_not_imported(seed: Path, arguments: list[str]) -> None:
    given = [*arguments, str(seed)] if "match" in arguments else arguments
    program = (
        "import sys\nfrom errdex.cli import main\n"
        f"try:\n    main({given!r})\nexcept SystemExit:\n    pass\n"
        f"print([name for name in {SLOW!r} if name in sys.modules], file=sys.stderr)"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert run.stderr == "[]\n"
