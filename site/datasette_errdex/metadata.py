"""What Datasette's own pages say about our tables: titles, columns, facets, labels."""

from __future__ import annotations

_ERRORS = {
    "id": "16 hex digits; never reused. /e/{id} is its short link.",
    "repo": "owner/name",
    "slug": "Unique in its repo; a slug that changes keeps redirecting.",
    "error_code": "The project's own code, where it has one.",
    "error_class": "Class of the exception.",
    "error_message": "The message template, with {placeholders}.",
    "message_pattern": "Regular expression with one group for each placeholder.",
    "error_type": "exception, error_code, console, http, validation or panic",
    "http_status": "100 to 599",
    "severity": "critical, error, warning or info",
    "file_path": "Path in the repo of the line that raises it.",
    "line_number": "The raising line, from 1.",
    "source_code": "The lines around it.",
    "source_code_start": "Line number of the snippet's first line.",
    "source_code_end": "Line number of the snippet's last line.",
    "github_url": "The same lines at the analyzed commit.",
    "documentation": "What it means (Markdown).",
    "trigger_scenarios": "When it is raised (Markdown).",
    "common_situations": "How people meet it (Markdown).",
    "solutions": "Fixes in order (JSON list of Markdown).",
    "example_fix": "Code before and after.",
    "handling_strategy": "try-catch, type-guard, validation, retry or fallback",
    "validation_code": "Code that checks before.",
    "type_guard": "Code that narrows a type.",
    "try_catch_pattern": "Code that handles it.",
    "prevention_tips": "How not to meet it (JSON list of Markdown).",
    "background_tag": "The family of errors across libraries.",
    "analyzed_sha": "Commit that was analyzed.",
    "analyzed_at": "When it was analyzed (UTC).",
    "dataset_version": "Version of the dataset that it came in.",
    "extra": "Fields that the schema does not name (JSON).",
    "retired_at": "Since when its repo no longer raises it (UTC); empty while it does.",
}
_TABLES: dict[str, dict[str, object]] = {
    "errors": {
        "title": "Errors",
        "description": "One row an error, one column a field of its record.",
        "columns": _ERRORS,
        "facets": ["repo", "error_type", "error_class", "severity"],
        "label_column": "error_message",
        "size": 20,
    },
    "error_tags": {
        "title": "Tags",
        "description": "Which errors have which tag.",
        "facets": ["tag"],
        "columns": {"tag": "lowercase, with dashes", "error": "The error that has it."},
    },
    "repos": {"title": "Repos", "description": "The projects whose errors are here."},
    "imports": {"title": "Imports", "description": "What came from where, and when."},
}


def describe(database: str) -> dict[str, object]:
    """Datasette's metadata for our database."""
    return {
        "title": "errdex",
        "description": "Errors that open-source code raises: what they mean, how to fix them.",
        "databases": {database: {"tables": _TABLES}},
    }
