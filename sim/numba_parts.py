"""The parts of numba that are not its public interface and that the lab leans on, checked before they are used."""

from __future__ import annotations

import importlib

from sim.errors import UserError

TESTED = "numba>=0.61,<0.69"
"""As pip writes it."""

NEEDED = (
    "numba.core.caching:FunctionCache.load_overload",
    "numba.core.caching:FunctionCache.save_overload",
    "numba.core.caching:IndexDataCacheFile._data_path",
    "numba.core.caching:IndexDataCacheFile._dump",
    "numba.core.caching:IndexDataCacheFile._load_data",
    "numba.core.caching:IndexDataCacheFile._load_index",
    "numba.core.caching:IndexDataCacheFile._open_for_write",
    "numba.core.caching:IndexDataCacheFile._save_data",
    "numba.core.caching:IndexDataCacheFile._save_index",
    "numba.core.callconv:CPUCallConv.call_function",
    "numba.core.callconv:CPUCallConv.get_function_type",
    "numba.core.callconv:CPUCallConv.return_status_propagate",
    "numba.core.cgutils:if_unlikely",
    "numba.core.codegen:JITCodeLibrary.get_pointer_to_function",
    "numba.core.dispatcher:Dispatcher.compile",
    "numba.core.dispatcher:Dispatcher.disable_compile",
    "numba.core.dispatcher:Dispatcher.get_call_template",
    "numba.core.types:unliteral",
)


def check(needed: tuple[str, ...] = NEEDED) -> None:
    """See that numba has what the lab needs of it.

    Parameters
    ----------
    needed : tuple of str
        Each ``module:attribute.attribute``.

    Raises
    ------
    UserError
        If a part is missing, naming it and the versions that have it.
    """
    for name in needed:
        module, _, attributes = name.partition(":")
        try:
            part = importlib.import_module(module)
            for attribute in attributes.split("."):
                part = getattr(part, attribute)
        except (ImportError, AttributeError):
            raise UserError(
                f"numba {_version()} has no {name.replace(':', '.')}, which tefuda needs: "
                f"install a version that it was tested with (pip install '{TESTED}')"
            ) from None


def _version() -> str:
    import numba

    return str(numba.__version__)
