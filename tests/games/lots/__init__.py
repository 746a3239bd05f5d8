"""Lots: One swap in which swapping changes nothing, so that all is luck. Only for tests of what measures luck."""
