"""Packages that only these measures need, loaded when one is asked for."""

from __future__ import annotations

import importlib
from typing import Any

from sim.errors import UserError


def statsmodels(module: str) -> Any:
    """Return a module of statsmodels, for example ``"stats.proportion"``.

    Raises
    ------
    UserError
        If the package is missing.
    """
    try:
        return importlib.import_module(f"statsmodels.{module}")
    except ImportError:
        raise UserError("this measure needs the package statsmodels: pip install 'tefuda[skill]'") from None
