"""Bots that play Lots."""
