"""Bots that play Uplink."""
