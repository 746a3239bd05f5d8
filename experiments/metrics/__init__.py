"""What the numbers of a study mean: luck, skill, seats, drama, verdicts. Arrays in, estimates out; knows no game.

The first axis of an array is the block (a deal in every rotation of the line-up), unless a function says otherwise.
Blocks are what is drawn anew in a bootstrap and what n counts: matches of one deal are not independent.
"""
