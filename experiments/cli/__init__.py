"""The program ``tefuda``: its commands, and those that ask no question of the lab."""
