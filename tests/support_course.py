"""How tense the course of a match was, from exact chances: what estimates from noisy chances are held to.

Paths have shape (matches, times, players), and NaN after the end of a match.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from experiments.metrics.course import checked, leads, of_winner, passes


def gaps(paths: Any, winner: Any) -> Any:
    """Return how far the later winner is behind the leader, shape (matches, times), in chance of winning; NaN at no time.

    Parameters
    ----------
    paths : float array, shape (matches, times, players)
    winner : int array, shape (matches,)
        Matches without a sole winner are to be left out.
    """
    paths, _ = checked(paths)
    return paths.max(axis=2) - of_winner(paths, winner)


def drama(paths: Any, winner: Any) -> Any:
    """Return the mean gap over all times, in chance of winning (the form of Ludii's metric, after Browne 2008).

    Parameters
    ----------
    paths, winner
        As for `gaps`.
    """
    return np.nanmean(gaps(paths, winner), axis=1)


def drama_max(paths: Any, winner: Any) -> Any:
    """Return the greatest gap, in chance of winning.

    Parameters
    ----------
    paths, winner
        As for `gaps`.
    """
    return np.nanmax(gaps(paths, winner), axis=1)


def comeback(paths: Any, winner: Any) -> Any:
    """Return what the winner came back from: the fair chance 1/n less the winner's lowest, at least 0.

    Parameters
    ----------
    paths, winner
        As for `gaps`.
    """
    paths, _ = checked(paths)
    return np.maximum(1 / paths.shape[2] - np.nanmin(of_winner(paths, winner), axis=1), 0)


def lead_changes(paths: Any, margin: float = 0.0) -> Any:
    """Return how often the lead passes to another.

    A player takes the lead by being more than `margin` above all others; until then it stays where it was. The first
    to lead takes it from nobody, which is no change.

    Parameters
    ----------
    paths : float array, shape (matches, times, players)
    margin : float
        In chance of winning; two standard errors of estimated chances, so that noise changes no lead.
    """
    return passes(*leads(paths, margin))


def threshold(paths: Any, winner: Any) -> Any:
    """Return the greatest chance that any later loser had: above it a match was decided (after Ludii's metric).

    Parameters
    ----------
    paths, winner
        As for `gaps`.
    """
    paths, _ = checked(paths)
    others = np.arange(paths.shape[2]) != np.asarray(winner)[:, None]
    return np.nanmax(np.where(others[:, None, :], paths, np.nan), axis=(1, 2))


def decisiveness(paths: Any, winner: Any) -> Any:
    """Return the share of times from when the winner is first above the threshold: how long a decided match goes on.

    Parameters
    ----------
    paths, winner
        As for `gaps`.
    """
    paths, there = checked(paths)
    above = np.nan_to_num(of_winner(paths, winner)) > threshold(paths, winner)[:, None] + 1e-12
    return (np.maximum.accumulate(above, axis=1) & there).sum(axis=1) / there.sum(axis=1)


def stability(paths: Any) -> Any:
    """Return the variance of a player's chance over the times of a match, mean over players: low is stable.

    Parameters
    ----------
    paths : float array, shape (matches, times, players)
    """
    paths, _ = checked(paths)
    return np.nanvar(paths, axis=1).mean(axis=1)
