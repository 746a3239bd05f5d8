"""Bots for 9 Peak."""
