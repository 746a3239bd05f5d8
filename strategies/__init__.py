"""The bots. One file a family, one decorator to register; all behind the same ``decide()``."""

from strategies.registry import strategy

__all__ = ["strategy"]
