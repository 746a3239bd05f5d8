"""Uplink: a trick-taking capture game. The rules are in RULES.md, clause by clause."""
