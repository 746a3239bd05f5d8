"""Bots that play Daifugō."""
