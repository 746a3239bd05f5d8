"""Packages that take long to import, loaded when a measure needs one."""

from __future__ import annotations

import importlib
from typing import Any


def statsmodels(module: str) -> Any:
    """Return a module of statsmodels, for example ``"stats.proportion"``."""
    return importlib.import_module(f"statsmodels.{module}")
