"""Bots that play One swap."""
