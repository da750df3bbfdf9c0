"""Folders that ship with errdex: inside the installed package, or in the checkout."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_CHECKOUT = _PACKAGE.parent.parent


def shipped(packaged: Path, name: str) -> Path:
    """The folder `packaged` of a wheel, or else the folder `name` of the checkout."""
    return packaged if packaged.is_dir() else _CHECKOUT / name


def data_folder() -> Path:
    """The records that ship with errdex."""
    return shipped(_PACKAGE / "data", "data")
