"""Tic-tac-toe: a game without chance, in which nothing is hidden. The rules are in RULES.md."""
