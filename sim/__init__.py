"""The games, and how to play very many of them."""
