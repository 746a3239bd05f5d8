"""Rules of a draft that can be switched off or on by themselves: what "off" means, what counts them, what they need."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sim import registry
from sim.drafts import Draft, with_tables


@dataclass(frozen=True)
class Switch:
    """A rule that a draft can have or not.

    Attributes
    ----------
    key : str
        Its option, as ``rules.eight_cut``.
    on : Any
        The value by which it is tried in a draft that does not have it.
    off : Any
        The value that means it is not played; any other means it is.
    events : tuple of str
        Those of the game's ``EVENTS`` that say how often it came, added up; none if the game does not count it.
    less : tuple of str
        Events that are counted among these but belong to other rules.
    points : bool
        The events add up points that it brought, not times.
    needs : tuple of tuple of str
        Options without which it does nothing: of each group one must be on.
    excluded_by : tuple of str
        Options beside which it does nothing.
    later : bool
        It cannot change the first game of a match.
    """

    key: str
    on: Any = True
    off: Any = False
    events: tuple[str, ...] = ()
    less: tuple[str, ...] = ()
    points: bool = False
    needs: tuple[tuple[str, ...], ...] = ()
    excluded_by: tuple[str, ...] = ()
    later: bool = False

    @property
    def name(self) -> str:
        """The option without its table."""
        return self.key.partition(".")[2]

    def is_on(self, draft: Draft) -> bool:
        """Tell whether a draft has the rule."""
        table, _, name = self.key.partition(".")
        return bool(getattr(getattr(draft.options, table), name) != self.off)

    def turned(self, draft: Draft) -> Draft:
        """Return a draft without the rule, or with it if it has it not.

        Raises
        ------
        UserError
            If the other options forbid it.
        """
        table, _, name = self.key.partition(".")
        value = self.off if self.is_on(draft) else self.on
        return with_tables(draft, {table: {name: value}}, f"{draft.label}, {self.key}")


def of_game(game: str) -> tuple[Switch, ...]:
    """Return the rules of a game that can be switched."""
    return registry.find(game).switches


def idle(switch: Switch, draft: Draft) -> str:
    """Say why a rule does nothing in a draft whether it is on or off; empty if it may do something."""
    known = {one.key: one for one in of_game(draft.game)}
    for group in switch.needs:
        if not any(known[key].is_on(draft) for key in group):
            names = " or ".join(known[key].name for key in group)
            return f"needs {names}, which {'is' if len(group) == 1 else 'are'} off"
    for key in switch.excluded_by:
        if known[key].is_on(draft):
            return f"does nothing beside {known[key].name}"
    if switch.later and draft.options.counted_games == 1:
        return "needs a match of several games"
    return ""


def silenced(switch: Switch, draft: Draft) -> list[Switch]:
    """List the other rules of a draft that do nothing once a rule of it is switched off."""
    without = switch.turned(draft)
    return [
        other
        for other in of_game(draft.game)
        if other is not switch and other.is_on(draft) and not idle(other, draft) and idle(other, without)
    ]
