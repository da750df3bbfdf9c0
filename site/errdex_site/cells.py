"""Cells of the database's tables as HTML, for people who browse the tables themselves."""

from __future__ import annotations

from typing import Protocol

import msgspec
from markupsafe import Markup

from errdex_site import addresses
from errdex_site.invisible import visible
from errdex_site.markdown import render, render_item

_CODE = ("source_code", "example_fix", "validation_code", "type_guard", "try_catch_pattern")
_PROSE = ("documentation", "trigger_scenarios", "common_situations")
_LISTS = ("solutions", "prevention_tips")
_LONGEST = 20_000
"""Characters; a longer cell is left to the table's own way, which cuts it."""


class Row(Protocol):
    """A row of a table, by column: a `sqlite3.Row`, or a dictionary."""

    def __getitem__(self, column: str, /) -> object:
        """The value. Raises KeyError or IndexError for a column that is not there."""


def cell(table: str, column: str, value: object, row: Row, root: str) -> str | None:
    """The cell as HTML, or None where it is best shown as it is.

    `root` is the site's folder, without a slash at its end.
    """
    if not isinstance(value, str) or not value or len(value) > _LONGEST:
        return None
    if table == "errors":
        shown = _of_error(column, value, row, root)
        if shown is not None:
            return shown
    if column == "repo" and "/" in value:
        return _link(root + addresses.repo_path(value), value)
    if table == "error_tags" and column == "tag":
        return _link(root + addresses.tag_path(value), value)
    return None


def _of_error(column: str, value: str, row: Row, root: str) -> str | None:
    if column == "id":
        return _link(root + addresses.short_path(value), value)
    if column == "slug" and (repo := _repo(row)):
        return _link(root + addresses.error_path(repo, value), value)
    if column in _CODE:
        return Markup("<pre>{}</pre>").format(visible(value))
    if column in _PROSE:
        return render(value)
    if column in _LISTS:
        items = msgspec.json.decode(value, type=list[str])
        return Markup("<ol>{}</ol>").format(
            Markup().join(Markup("<li>{}</li>").format(render_item(item)) for item in items)
        )
    if column == "background_tag":
        return _link(root + addresses.family_path(value), value)
    return None


def _repo(row: Row) -> str | None:
    """The row's repo: a text, or `{"value": …, "label": …}`; a query may leave it out."""
    try:
        repo = row["repo"]
    except (KeyError, IndexError):
        return None
    repo = repo.get("value") if isinstance(repo, dict) else repo
    return repo if isinstance(repo, str) and "/" in repo else None


def _link(address: str, label: str) -> str:
    return Markup('<a href="{}">{}</a>').format(address, label)
