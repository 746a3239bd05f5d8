"""Bots that play Kuhn poker."""
