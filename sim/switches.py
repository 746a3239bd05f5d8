"""Rules of a draft that can be changed by themselves: the values to try, what "off" means, what counts and needs a rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sim import options, registry
from sim.drafts import Draft, with_tables


@dataclass(frozen=True)
class Switch:
    """A rule that a draft can have or not, or in one of several forms.

    Attributes
    ----------
    key : str
        Its option, as ``rules.eight_cut``.
    off : Any
        The value that means it is not played; any other means it is.
    numbers : tuple
        Of an option that takes numbers or lists, the natural values to try beside `off`. An option that is on or off, or
        a choice of a few values, is tried in every value and names none.
    events : tuple of str
        Those of the game's ``EVENTS`` that say how often it came, added up; none if the game does not count it.
    less : tuple of str
        Events that are counted among these but belong to other rules.
    uncounted : tuple
        Values with which the rule does what the events do not count.
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
    off: Any = False
    numbers: tuple[Any, ...] = ()
    events: tuple[str, ...] = ()
    less: tuple[str, ...] = ()
    uncounted: tuple[Any, ...] = ()
    points: bool = False
    needs: tuple[tuple[str, ...], ...] = ()
    excluded_by: tuple[str, ...] = ()
    later: bool = False

    @property
    def name(self) -> str:
        """The option without its table."""
        return self._place[1]

    @property
    def _place(self) -> tuple[str, str]:
        table, _, name = self.key.partition(".")
        return table, name

    def value(self, draft: Draft) -> Any:
        """Return the value of its option in a draft."""
        table, name = self._place
        return getattr(getattr(draft.options, table), name)

    def is_on(self, draft: Draft) -> bool:
        """Tell whether a draft has the rule."""
        return bool(self.value(draft) != self.off)

    def values(self, draft: Draft) -> list[Any]:
        """List the values to try in drafts of the game, `off` first."""
        known = self.numbers or options.choices(draft.options, *self._place)
        return [self.off, *(value for value in known if value != self.off)]

    def is_choice(self, draft: Draft) -> bool:
        """Tell whether its option is a choice of a few values that are more than on and off."""
        return not self.numbers and set(self.values(draft)) != {False, True}

    def with_value(self, draft: Draft, value: Any) -> Draft:
        """Return a draft with another value of the option.

        Raises
        ------
        UserError
            If the other options forbid it.
        """
        table, name = self._place
        return with_tables(draft, {table: {name: value}}, f"{draft.label}, {self.key}")

    def without(self, draft: Draft) -> Draft:
        """Return a draft without the rule; see `with_value`."""
        return self.with_value(draft, self.off)

    def said(self, value: Any) -> str:
        """Write the option with a value, as a draft has it but for quotes: ``tied_top = second``."""
        return f"{self.name} = {value if isinstance(value, str) else options.shown(value)}"


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
    without = switch.without(draft)
    return [
        other
        for other in of_game(draft.game)
        if other is not switch and other.is_on(draft) and not idle(other, draft) and idle(other, without)
    ]
