"""The Jinja environment: where templates are found, and what goes wrong in them."""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import Any

from jinja2 import (
    Environment,
    FileSystemLoader,
    StrictUndefined,
    Template,
    TemplateNotFound,
    TemplateSyntaxError,
)
from markupsafe import Markup

from errdex.errors import TemplateBroken, TemplateMissing
from errdex.resources import shipped

_SHIPPED = shipped(Path(__file__).parent / "templates", "templates")


class Templates:
    """The shipped templates, single ones of which a folder of the user's may replace."""

    def __init__(self, overrides: Path | None = None) -> None:
        folders = [_SHIPPED] if overrides is None else [overrides, _SHIPPED]
        self._folder = folders[0]
        self.folders = folders
        self._environment = Environment(
            loader=FileSystemLoader(folders),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
            auto_reload=False,
        )
        self._loaded: dict[str, Template] = {}
        self._parts: dict[tuple[str, str], Markup] = {}
        self._environment.globals["part"] = self._part

    def share(self, **values: object) -> None:
        """Give every template these values."""
        self._environment.globals.update(values)

    def render(self, name: str, /, **values: object) -> str:
        """The filled template. Raises TemplateMissing or TemplateBroken."""
        try:
            template = self._loaded.get(name)
            if template is None:
                template = self._loaded[name] = self._environment.get_template(name)
            return template.render(values)
        except TemplateNotFound as problem:
            raise TemplateMissing(name=problem.name, folder=self._folder) from None
        except TemplateSyntaxError as problem:
            raise TemplateBroken(
                name=problem.name or name, line=problem.lineno, reason=problem.message
            ) from None
        except Exception as problem:
            raise _broken(name, problem) from problem

    def _part(self, name: str, root: str) -> Markup:
        """A template that needs nothing but the way to the site's root: filled once for each,
        without the line feed at its end."""
        part = self._parts.get((name, root))
        if part is None:
            html = self._environment.get_template(name).render(root=root).removesuffix("\n")
            part = self._parts[name, root] = Markup(html)  # noqa: S704 # a filled template
        return part

    def check(self) -> None:
        """Compile all of them, so that a broken one is told before anything is written."""
        for name in sorted(self._environment.list_templates()):
            try:
                self._environment.get_template(name)
            except TemplateSyntaxError as problem:
                raise TemplateBroken(
                    name=problem.name or name, line=problem.lineno, reason=problem.message
                ) from None
            except UnicodeDecodeError as problem:
                raise TemplateBroken(name=name, line=1, reason=problem) from None


def _broken(name: str, problem: Exception) -> TemplateBroken:
    """The innermost line of a template that the exception passed through."""
    frames: list[Any] = [
        frame
        for frame in traceback.extract_tb(problem.__traceback__)
        if frame.filename.endswith((".html", ".xml"))
    ]
    if frames:
        name = Path(frames[-1].filename).name
    return TemplateBroken(name=name, line=frames[-1].lineno if frames else 1, reason=problem)
