"""Draws the report's figures as inline SVG.

A figure carries no colour of its own for text and axes: these become CSS variables of the page, so that it
is legible on light and dark ground and in print. Series differ in marker or line style, not in colour alone.
"""

from __future__ import annotations

import io
import math
import re
import textwrap
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from markupsafe import Markup

from experiments.report import words
from experiments.report.figures import Dots, Steps, describe_dots, describe_steps
from experiments.report.words import shortened

_INK, _FAINT = "#010203", "#040506"
"""Stand-ins, replaced by the page's own colours in the finished SVG."""

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8C6D31")
"""Okabe and Ito's palette without black and yellow, which vanish on dark and on light ground, and a brown."""

_MARKERS = "osD^vPX"
_DASHES: tuple[Any, ...] = (
    "-",
    (0, (5, 1.5)),
    (0, (1.5, 1.2)),
    (0, (6, 1.5, 1.5, 1.5)),
    (0, (9, 2)),
    (0, (3, 2, 1, 2, 1, 2)),
)
_STAGGER = 0.15
"""In inches: neighbouring lines have their names at different heights."""

_MANY_ROWS = 20
"""Beyond it rows of a single series stand closer, so that the whole is seen at once."""

_ROW, _AXIS = 24, 40
"""Letters of a row's name, and of a line of an axis's."""

_WIDTH = 4.4
"""In inches: small, so that the text is still legible where the figure is shrunk to a phone's screen."""


@contextmanager
def _style(name: str) -> Iterator[None]:
    import matplotlib

    with matplotlib.rc_context(), warnings.catch_warnings():
        # A glyph that matplotlib's own font lacks is no fault: the browser sets the text.
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        # Whatever the reader's own matplotlibrc says.
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(
            {
                "svg.fonttype": "none",
                "svg.hashsalt": f"tefuda {name}",
                "text.parse_math": False,
                "font.family": "DejaVu Sans",
                "font.size": 9.5,
                "axes.spines.top": False,
                "axes.spines.right": False,
                **dict.fromkeys(
                    ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"), _INK
                ),
                "legend.frameon": False,
                "legend.handlelength": 2.6,
            }
        )
        yield


def _canvas(height: float, margins: tuple[float, float, float, float]) -> tuple[Any, Any]:
    """Return a figure and its axes; margins left, right, bottom, top are in inches."""
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    left, right, bottom, top = margins
    figure = Figure(figsize=(_WIDTH, height))
    FigureCanvasSVG(figure)
    box = (left / _WIDTH, bottom / height, 1 - (left + right) / _WIDTH, 1 - (bottom + top) / height)
    axes = figure.add_axes(box)
    axes.patch.set_visible(False)
    figure.patch.set_visible(False)
    return figure, axes


def _legend(names: list[str]) -> tuple[int, float]:
    """Return the columns of a legend and its height in inches."""
    if len(names) < 2:
        return 1, 0.0
    longest = max(len(name) for name in names)
    columns = max(1, min(len(names), int(_WIDTH / (0.62 + 0.08 * longest))))
    return columns, 0.2 * math.ceil(len(names) / columns) + 0.06


def _add_legend(figure: Any, handles: list[Any], names: list[str], columns: int) -> None:
    if len(names) > 1:
        figure.legend(handles, names, loc="upper left", ncols=columns, borderaxespad=0.0, columnspacing=1.2)


def draw(data: Dots | Steps, name: str) -> Markup:
    """Draw a figure as SVG; `name` tells the figures of a page apart."""
    return draw_dots(data, name) if isinstance(data, Dots) else draw_steps(data, name)


def draw_dots(data: Dots, name: str) -> Markup:
    """Draw values with their intervals as SVG; `name` tells figures of a page apart."""
    rows = [shortened(row, _ROW) for row in data.rows]
    series = [shortened(text, 46) for text in data.series]
    columns, legend = _legend(series)
    crowded = len(rows) > _MANY_ROWS and len(series) == 1
    pitch = 0.17 if crowded else max(0.3, 0.17 * len(series) + 0.12)
    left = 0.25 + 0.078 * max(len(row) for row in rows)
    top = legend + 0.22 + _STAGGER * max(0, min(2, len(data.references) - 1))
    axis = textwrap.wrap(data.axis, _AXIS)
    bottom = 0.48 + 0.16 * (len(axis) - 1)
    height = bottom + top + pitch * len(rows)
    with _style(name):
        figure, axes = _canvas(height, (left, 0.25, bottom, top))
        handles = [_draw_series(axes, data, number, len(series)) for number in range(len(series))]
        _draw_references(axes, data)
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.set_yticks(range(len(rows)), rows, fontsize=8.5 if crowded else 9.5)
        axes.tick_params(axis="y", length=0)
        axes.set_xlim(*_limits(data))
        axes.xaxis.set_major_locator(_ticks())
        axes.xaxis.set_major_formatter(lambda value, _: _tick(value, data.unit))
        axes.set_xlabel("\n".join(axis))
        axes.spines["left"].set_visible(False)
        axes.grid(axis="x", color=_FAINT, linewidth=0.7)
        axes.set_axisbelow(True)
        _add_legend(figure, handles, series, columns)
        return _svg(figure, describe_dots(data))


def _ticks() -> Any:
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(6, steps=[1, 2, 5, 10])


def _tick(value: float, unit: str) -> str:
    text = f"{abs(value):.6g}"
    sign = "" if text == "0" else words.MINUS if value < 0 else "+" if unit == "pp" else ""
    return f"{sign}{text}{'%' if unit == '%' else ''}"


def _draw_series(axes: Any, data: Dots, number: int, of: int) -> Any:
    colour, marker = COLOURS[number % len(COLOURS)], _MARKERS[number % len(_MARKERS)]
    spread = min(0.64, 0.22 * (of - 1))
    offset = spread * (number / (of - 1) - 0.5) if of > 1 else 0.0
    points = [point for point in data.points if point.series == number]
    at = [point.row + offset for point in points]
    if data.bars:
        height = 0.5 if of == 1 else 0.8 * spread / (of - 1)
        axes.barh(at, [point.value for point in points], height, color=colour, alpha=0.35)
    for where, point in zip(at, points, strict=True):
        if not math.isnan(point.low):
            axes.plot(
                [point.low, point.high], [where, where], color=colour, linewidth=2.2, solid_capstyle="butt"
            )
    (handle,) = axes.plot(
        [point.value for point in points], at, linestyle="none", marker=marker, color=colour, markersize=6.5
    )
    return handle


def _draw_references(axes: Any, data: Dots) -> None:
    for number, (value, text) in enumerate(data.references):
        axes.axvline(value, color=_INK, linewidth=1.1, linestyle=(0, (4, 2)))
        axes.annotate(
            text,
            (value, 1),
            xycoords=("data", "axes fraction"),
            xytext=(0, 3 + _STAGGER * 72 * (number % 3)),
            textcoords="offset points",
            ha="center",
        )


def _limits(data: Dots) -> tuple[float, float]:
    """Return the ends of the axis: never so close that a hair's breadth looks like a gulf."""
    shown = [
        value
        for point in data.points
        for value in (point.value, point.low, point.high)
        if not math.isnan(value)
    ]
    shown += [value for value, _ in data.references]
    low, high = min(shown), max(shown)
    if data.bars:
        return 0.0, max(1.08 * high, 3.0)
    room = max(0.08 * (high - low), (3.0 - (high - low)) / 2, 0.1)
    return low - room, high + room


def draw_steps(data: Steps, name: str) -> Markup:
    """Draw histograms over one another as SVG."""
    names = [shortened(text, 46) for text, _ in data.series]
    columns, legend = _legend(names)
    with _style(name):
        figure, axes = _canvas(2.75 + legend, (0.62, 0.2, 0.5, legend + 0.1))
        handles = []
        for number, (_, heights) in enumerate(data.series):
            axes.stairs(
                heights,
                data.edges,
                baseline=None,
                color=COLOURS[number % len(COLOURS)],
                linestyle=_DASHES[number % len(_DASHES)],
                linewidth=1.7,
            )
            handles.append(_line(number))
        axes.set_ylim(bottom=0)
        axes.set_xlim(
            data.edges[0] - 0.01 * (span := data.edges[-1] - data.edges[0]), data.edges[-1] + 0.01 * span
        )
        axes.xaxis.set_major_locator(_whole_ticks())
        axes.xaxis.set_major_formatter(lambda value, _: words.number(value))
        axes.yaxis.set_major_locator(_ticks())
        axes.yaxis.set_major_formatter(lambda value, _: _tick(value, "%"))
        axes.grid(axis="y", color=_FAINT, linewidth=0.7)
        axes.set_axisbelow(True)
        axes.set_xlabel(
            data.what.capitalize() + (f" (in steps of {words.number(data.width)})" if data.width > 1 else "")
        )
        axes.set_ylabel("Share of the results")
        _add_legend(figure, handles, names, columns)
        return _svg(figure, describe_steps(data))


def _line(number: int) -> Any:
    from matplotlib.lines import Line2D

    return Line2D(
        [], [], color=COLOURS[number % len(COLOURS)], linestyle=_DASHES[number % len(_DASHES)], linewidth=1.7
    )


def _whole_ticks() -> Any:
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(8, integer=True, steps=[1, 2, 5, 10])


# ---- SVG for a page -------------------------------------------------------------------------------------

_TAG = re.compile(r"<[^>]*>")
_DROPPED = re.compile(r'(<g) id="[^"]*"|font-family: [^;"]*;? ?| (?:version|xmlns(?::xlink)?)="[^"]*"')


def _for_page(tag: str) -> str:
    """Fit one tag to a page of HTML: no ids twice, no namespaces, the page's font and colours."""
    tag = _DROPPED.sub(lambda found: found[1] or "", tag)
    tag = tag.replace("xlink:href", "href").replace("\n", "")
    return tag.replace(_INK, "currentColor").replace(_FAINT, "var(--grid)")


def _svg(figure: Any, alternative: str) -> Markup:
    """Return a figure as an SVG element; user's text in it has been escaped by matplotlib."""
    out = io.StringIO()
    figure.savefig(out, format="svg", metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
    text = out.getvalue()
    text = text[text.index("<svg") :]
    # Matplotlib's own rule would hold for the whole page.
    text = re.sub(r"<style.*?</style>", "", text, flags=re.DOTALL)
    text = _TAG.sub(lambda found: _for_page(found[0]), text)
    text = re.sub(r">\s+<", "><", text)
    head = Markup('<svg role="img" aria-label="{}"').format(alternative)
    text = re.sub(r'^<svg width="[^"]*" height="[^"]*"', lambda _: head, text)
    return Markup(text)
