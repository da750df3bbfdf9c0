"""The examples of the documentation for hosting and trackers do what they say."""

from __future__ import annotations

import configparser
import json
import os
import re
import shlex
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from errdex.cli import main

ROOT = Path(__file__).parent.parent
SEED = ROOT / "data" / "seed.jsonl"
MESSAGE = "LoRA with EAGLE/NEXTN/EAGLE3 speculative decoding does not support this."
HOSTILE = "$(touch pwned) `touch pwned` \"; touch pwned; '"


def blocks(page: str, language: str) -> list[str]:
    """The code of a page of the documentation that is in this language."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    found = re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert found, f"{page} has no {language}"
    return found


def ingest(database: Path) -> None:
    assert CliRunner().invoke(main, ["ingest", str(SEED), "--db", str(database)]).exit_code == 0


def dockerfile() -> list[tuple[str, str]]:
    """Instructions of the Dockerfile and what follows each."""
    (code,) = blocks("docker.md", "dockerfile")
    return [(name, rest) for name, _, rest in (line.partition(" ") for line in code.splitlines())]


def test_the_dockerfile_is_made_of_known_instructions_in_order() -> None:
    names = [name for name, _ in dockerfile()]
    assert names == "FROM COPY RUN USER VOLUME EXPOSE HEALTHCHECK CMD".split()  # noqa: SIM905


def test_the_container_is_not_root() -> None:
    user = dict(dockerfile())["USER"]
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", user)


def test_what_the_container_runs_starts_and_is_found_healthy(tmp_path: Path) -> None:
    """The same steps as in the image, in this environment."""
    ingest(tmp_path / "errdex.db")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    instructions = dict(dockerfile())

    def here(text: str) -> list[str]:
        texts: list[str] = json.loads(text)
        own = {"errdex": f"{sys.executable} -m errdex", "python": sys.executable}
        words = own[texts[0]].split() + texts[1:]
        return [
            word.replace("8001", port)
            .replace("/data/", f"{tmp_path}/")
            .replace("0.0.0.0", "127.0.0.1")  # noqa: S104  # replaced
            for word in words
        ]

    server = subprocess.Popen(here(instructions["CMD"]))
    check = here(instructions["HEALTHCHECK"].partition("CMD ")[2])
    try:
        healthy = 1
        for _ in range(60):
            healthy = subprocess.run(check, capture_output=True).returncode
            if healthy == 0:
                break
            time.sleep(0.5)
        assert healthy == 0
    finally:
        server.terminate()
        server.wait()
    assert subprocess.run(check, capture_output=True).returncode != 0


@pytest.mark.parametrize("unit", blocks("systemd.md", "ini"))
def test_a_unit_has_the_sections_that_systemd_wants(unit: str) -> None:
    parser = configparser.ConfigParser(interpolation=None, strict=True)
    parser.optionxform = str  # type: ignore[method-assign,assignment]  # systemd heeds the case
    parser.read_string(unit)
    assert parser.has_section("Unit")
    assert parser.has_section("Service") != parser.has_section("Timer")


@pytest.mark.parametrize(
    "command",
    [
        *re.findall(r"^ExecStart=\S+/errdex (.*)$", "\n".join(blocks("systemd.md", "ini")), re.M),
        blocks("serving.md", "bash")[0].replace("\\\n", "").partition("errdex ")[2].strip(),
    ],
)
def test_commands_of_the_examples_take_these_options(command: str, tmp_path: Path) -> None:
    """With a database that is not there they get as far as saying so."""
    words = [word.replace("/var/lib/errdex", str(tmp_path)) for word in shlex.split(command)]
    if "--db" in words:
        words[words.index("--db") + 1] = str(tmp_path / "none" / "errdex.db")
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 1, result.output
    assert re.search(r"\[errdex explain ED\d{3}\]\n\Z", result.output)


def test_the_nginx_example_is_whole() -> None:
    (code,) = blocks("nginx.md", "nginx")
    assert code.count("{") == code.count("}")
    for line in code.splitlines():
        stripped = line.split("#")[0].strip()
        assert not stripped or stripped[-1] in ";{}", line
    assert "proxy_pass http://127.0.0.1:8001;" in code
    assert "$request_uri" not in code
    assert '"$request "' not in code


def test_the_settings_for_datasette_are_settings_of_datasette() -> None:
    from datasette.app import DEFAULT_SETTINGS

    from datasette_errdex.configured import SETTINGS

    (code,) = blocks("serving.md", "yaml")
    example = yaml.safe_load(code)
    assert set(example["settings"]) <= set(DEFAULT_SETTINGS)
    assert example["settings"]["default_allow_sql"] is False
    assert {
        k: v for k, v in example["settings"].items() if k in SETTINGS and v != SETTINGS[k]
    } == {}
    assert set(example["plugins"]) == {"errdex"}


def tools(folder: Path, issue: str) -> dict[str, str]:
    """Programs that the examples call, as far as they need the network: what each is asked
    is noted, and answered from files."""
    programs = folder / "bin"
    programs.mkdir()
    (folder / "issue").write_text(issue)
    records = json.dumps([json.loads(SEED.read_text())["record"]])
    (folder / "published.json").write_text(records)
    scripts = {
        "pip": "",
        "apt-get": "",
        "errdex": f'exec "{sys.executable}" -m errdex "$@"',
        "python": f'exec "{sys.executable}" "$@"',
        "gh": f'case $2 in view) cat "{folder}/issue";; comment) cp comment.md posted.md;; esac',
        "curl": (
            'for word in "$@"; do case $word in *comment.md) cp comment.md posted.md;; esac; done\n'
            f'case "$*" in *--output*) cp "{folder}/published.json" records.json;; esac'
        ),
    }
    for name, script in scripts.items():
        path = programs / name
        path.write_text(f'#!/bin/sh\necho "{name} $*" >> "{folder}/asked"\n{script}\n')
        path.chmod(0o755)
    return {"PATH": f"{programs}:{os.environ['PATH']}", "HOME": str(folder)}


def run(script: str, folder: Path, environment: dict[str, str]) -> str | None:
    """Run the script in a folder; the comment that it posts, or None."""
    work = folder / "work"
    work.mkdir()
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=work,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert not list(folder.rglob("pwned"))
    posted = work / "posted.md"
    return posted.read_text() if posted.exists() else None


@pytest.mark.parametrize(
    ("issue", "answered"),
    [(f"It fails\n{HOSTILE}\nValueError: {MESSAGE}\n", True), (f"Hello\n{HOSTILE}\n", False)],
)
def test_the_github_workflow_comments_on_issues_that_match(
    tmp_path: Path, issue: str, answered: bool
) -> None:
    workflow = yaml.safe_load(blocks("trackers.md", "yaml")[0])
    assert workflow["permissions"] == {"issues": "write"}
    step = workflow["jobs"]["explain"]["steps"][-1]
    assert "${{" not in step["run"], "text of an issue must never be put into a script"
    environment = tools(tmp_path, issue) | {
        "GITHUB_REPOSITORY": "sgl-project/sglang",
        "ISSUE": "7",
        "SITE": step["env"]["SITE"],
        "ERRDEX": step["env"]["ERRDEX"],
    }
    comment = run(step["run"], tmp_path, environment)
    assert (comment is not None) == answered
    asked = (tmp_path / "asked").read_text()
    assert "https://errors.example.org/data/repos/sgl-project/sglang.json" in asked
    if comment is not None:
        assert "https://errors.example.org/e/aaead811d0809fef" in comment
        assert "gh issue comment 7 --repo sgl-project/sglang" in asked


def test_the_gitlab_job_comments_on_issues_that_match(tmp_path: Path) -> None:
    job = yaml.safe_load(blocks("trackers.md", "yaml")[1])["explain-errors"]
    payload = {"iid": 7, "title": HOSTILE, "description": f"ValueError: {MESSAGE}"}
    (tmp_path / "payload").write_text(json.dumps({"object_attributes": payload}))
    environment = tools(tmp_path, "") | {
        "TRIGGER_PAYLOAD": str(tmp_path / "payload"),
        "CI_API_V4_URL": "https://gitlab.example/api/v4",
        "CI_PROJECT_ID": "3",
        "ERRDEX_TOKEN": "t",
        **job["variables"],
    }
    comment = run("\n".join(job["script"]), tmp_path, environment)
    assert comment is not None
    assert "https://errors.example.org/e/aaead811d0809fef" in comment
    assert "/api/v4/projects/3/issues/7/notes" in (tmp_path / "asked").read_text()


@pytest.mark.parametrize("page", ["api.md", "agents.md"])
def test_json_of_the_examples_is_json(page: str) -> None:
    for code in blocks(page, "json"):
        json.loads(code)


def test_the_pages_workflow_builds_the_site_that_it_uploads(tmp_path: Path) -> None:
    workflow = yaml.safe_load(blocks("hosting.md", "yaml")[0])
    job = workflow["jobs"]["publish"]
    steps = [step["run"] for step in job["steps"] if "run" in step]
    records = f"mkdir errors && cp '{SEED}' errors/"
    run("\n".join([records, *steps]), tmp_path, tools(tmp_path, "") | job["env"])
    [uploaded] = [step["with"]["path"] for step in job["steps"] if "upload" in step.get("uses", "")]
    site = tmp_path / "work" / uploaded
    assert (site / "404.html").is_file()
    page = (site / "sgl-project" / "sglang").glob("*/index.html")
    assert any("https://OWNER.github.io/PROJECT/" in file.read_text() for file in page)
