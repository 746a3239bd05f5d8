"""Plain-Python twins of the games: slow oracles the fast engines are tested against."""
