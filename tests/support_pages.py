"""Reads pages of HTML in tests."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

EVIL = "<script>alert(1)</script> $x$"
"""What a stranger may have written."""

_VOID = {"meta", "br", "link", "img"}


@dataclass
class Node:
    """An element of a page."""

    tag: str
    attributes: dict[str, str]
    parts: list[Node | str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(part if isinstance(part, str) else part.text for part in self.parts)

    def all(self, tag: str) -> list[Node]:
        found = []
        for part in self.parts:
            if isinstance(part, Node):
                found += [part] if part.tag == tag else []
                found += part.all(tag)
        return found


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.root = Node("", {})
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, {name: value or "" for name, value in attrs})
        self.open[-1].parts.append(node)
        if tag not in _VOID:
            self.open.append(node)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].parts.append(Node(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].tag == tag, f"</{tag}> closes <{self.open[-1].tag}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].parts.append(data)


def read(html: str) -> Node:
    """Return a page as a tree; what is opened must be closed."""
    reader = _Reader()
    reader.feed(html)
    assert reader.open == [reader.root]
    return reader.root


def elements(node: Node) -> list[Node]:
    """Return all elements below one."""
    return [found for part in node.parts if isinstance(part, Node) for found in [part, *elements(part)]]


def rows(table: Node) -> list[list[Node]]:
    """Return the cells of a table."""
    return [[part for part in row.parts if isinstance(part, Node)] for row in table.all("tr")]


def table_of(root: Node, caption: str) -> Node:
    """Return the table whose caption begins so."""
    (found,) = [table for table in root.all("table") if table.all("caption")[0].text.startswith(caption)]
    return found
