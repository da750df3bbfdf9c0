"""The tables of an errdex database, declared in one place.

`errors` has one column a record field, in the record's order and in snake case.
Lists are kept as JSON text (`solutions`, `prevention_tips`) or, where people
filter by them, as a join table (`error_tags`).
"""

from __future__ import annotations

APPLICATION_ID = 0x65726478
"""`erdx` in ASCII; SQLite's `PRAGMA application_id` marks a file as ours."""

SCHEMA_VERSION = 2
"""Kept in `PRAGMA user_version`; raised by each migration."""

RECORD_COLUMNS = (
    "id",
    "repo",
    "slug",
    "error_code",
    "error_class",
    "error_message",
    "message_pattern",
    "error_type",
    "http_status",
    "severity",
    "file_path",
    "line_number",
    "source_code",
    "source_code_start",
    "source_code_end",
    "github_url",
    "documentation",
    "trigger_scenarios",
    "common_situations",
    "solutions",
    "example_fix",
    "handling_strategy",
    "validation_code",
    "type_guard",
    "try_catch_pattern",
    "prevention_tips",
    "background_tag",
    "analyzed_sha",
    "analyzed_at",
    "schema_version",
)
"""Columns of `errors` that hold a record's fields, without `tags`, in Record's order."""

TABLES = """
CREATE TABLE repos (
    repo TEXT PRIMARY KEY COLLATE NOCASE,
    description TEXT,
    language TEXT,
    stars INTEGER,
    source_files INTEGER,
    default_branch TEXT,
    analyzed_sha TEXT,
    analyzed_at TEXT,
    error_count INTEGER
) WITHOUT ROWID;

CREATE TABLE patterns (
    pattern INTEGER PRIMARY KEY,
    digest INTEGER NOT NULL UNIQUE,
    source TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('W', 'R', 'U', 'X')),
    bits REAL NOT NULL,
    stand_in TEXT
);

CREATE TABLE errors (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    repo TEXT NOT NULL COLLATE NOCASE REFERENCES repos (repo),
    slug TEXT NOT NULL,
    retired_at TEXT,
    pattern INTEGER NOT NULL REFERENCES patterns (pattern),
    dataset_version TEXT,
    analyzed_at TEXT NOT NULL,
    analyzed_sha TEXT NOT NULL,
    schema_version INTEGER NOT NULL,
    error_type TEXT NOT NULL,
    severity TEXT NOT NULL,
    error_class TEXT,
    error_code TEXT,
    http_status INTEGER,
    background_tag TEXT,
    handling_strategy TEXT,
    line_number INTEGER,
    source_code_start INTEGER,
    source_code_end INTEGER,
    file_path TEXT NOT NULL,
    error_message TEXT NOT NULL,
    message_pattern TEXT NOT NULL,
    github_url TEXT,
    documentation TEXT NOT NULL,
    trigger_scenarios TEXT NOT NULL,
    common_situations TEXT NOT NULL,
    solutions TEXT NOT NULL,
    prevention_tips TEXT NOT NULL,
    example_fix TEXT,
    validation_code TEXT,
    type_guard TEXT,
    try_catch_pattern TEXT,
    source_code TEXT,
    extra TEXT
);

CREATE TABLE error_tags (
    error INTEGER NOT NULL REFERENCES errors (number) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    tag TEXT NOT NULL,
    PRIMARY KEY (error, position)
) WITHOUT ROWID;

CREATE TABLE pattern_keys (
    key INTEGER NOT NULL,
    posting INTEGER NOT NULL,
    PRIMARY KEY (key, posting)
) WITHOUT ROWID;

CREATE TABLE aliases (
    repo TEXT NOT NULL COLLATE NOCASE,
    slug TEXT NOT NULL,
    error INTEGER NOT NULL REFERENCES errors (number) ON DELETE CASCADE,
    PRIMARY KEY (repo, slug)
) WITHOUT ROWID;

CREATE TABLE imports (
    import INTEGER PRIMARY KEY,
    source TEXT NOT NULL,
    started_at TEXT NOT NULL,
    finished_at TEXT NOT NULL,
    read INTEGER NOT NULL,
    added INTEGER NOT NULL,
    changed INTEGER NOT NULL,
    unchanged INTEGER NOT NULL,
    older INTEGER NOT NULL,
    retired INTEGER NOT NULL,
    rejected INTEGER NOT NULL
);

CREATE TABLE sources (
    source INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    import INTEGER NOT NULL REFERENCES imports (import),
    digest TEXT,
    bytes INTEGER,
    etag TEXT,
    dataset_version TEXT,
    read INTEGER NOT NULL,
    rejected INTEGER NOT NULL
);

CREATE TABLE error_sources (
    error INTEGER PRIMARY KEY REFERENCES errors (number) ON DELETE CASCADE,
    digest BLOB NOT NULL,
    seen_version TEXT,
    import INTEGER NOT NULL REFERENCES imports (import),
    source INTEGER NOT NULL REFERENCES sources (source),
    line INTEGER NOT NULL
);

CREATE TABLE rejects (
    reject INTEGER PRIMARY KEY,
    import INTEGER NOT NULL REFERENCES imports (import),
    source TEXT NOT NULL,
    line INTEGER NOT NULL,
    reasons TEXT NOT NULL,
    data BLOB NOT NULL,
    digest BLOB NOT NULL UNIQUE
);
"""

INDEXES = """
CREATE UNIQUE INDEX errors_id ON errors (id);
CREATE UNIQUE INDEX errors_repo_slug ON errors (repo, slug);
CREATE INDEX errors_pattern ON errors (pattern);
CREATE INDEX error_sources_digest ON error_sources (digest);
CREATE INDEX errors_error_type ON errors (error_type);
CREATE INDEX errors_error_class ON errors (error_class);
CREATE INDEX errors_error_code ON errors (error_code);
CREATE INDEX errors_severity ON errors (severity);
CREATE INDEX errors_background_tag ON errors (background_tag, id);
CREATE INDEX errors_file ON errors (repo, file_path, line_number);
CREATE INDEX error_tags_tag ON error_tags (tag, error);
CREATE INDEX patterns_unfiled ON patterns (pattern) WHERE kind = 'U';
"""

FULL_TEXT = """
CREATE VIRTUAL TABLE errors_fts USING fts5 (
    error_message, error_class, error_code, documentation,
    content = 'errors', content_rowid = 'number', tokenize = "unicode61 tokenchars '_'"
);
"""
