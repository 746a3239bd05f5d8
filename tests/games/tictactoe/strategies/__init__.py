"""Bots that play tic-tac-toe."""
