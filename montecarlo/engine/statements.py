"""What is in the text of a module: its statements without docstrings, the names that they bind, those that they use."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache

__all__ = ["bound", "nested", "parsed", "used"]

# The fields of statements that hold statements.
BLOCKS = ("body", "handlers", "orelse", "finalbody", "cases")


@cache
def parsed(text: str) -> list[ast.stmt]:
    """Top-level statements of a text without docstrings and without what only a notebook calls; imports are kept."""
    tree = ast.parse(text)
    for node in [tree, *nested(tree.body)]:
        _take_docstring(node)
        _take_pictures(node)
    return tree.body


def nested(some: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Statements and all those within them, with what holds them; expressions, which are most of a tree, are left out.

    In the order of :func:`ast.walk`: level by level.
    """
    level = list(some)
    while level:
        yield from level
        level = [inner for node in level for name in BLOCKS for inner in getattr(node, name, ())]


@cache
def used(statement: ast.stmt) -> set[tuple[str, ...]]:
    """Names and dotted names that a statement uses, the longest of each use."""
    found: set[tuple[str, ...]] = set()
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        chain: list[str] = []
        inner = node
        while isinstance(inner, ast.Attribute):
            chain.insert(0, inner.attr)
            inner = inner.value
        if isinstance(inner, ast.Name):
            found.add((inner.id, *chain))
            continue
        waiting.extend(ast.iter_child_nodes(node))
    return found


@cache
def bound(statement: ast.stmt) -> frozenset[str]:
    """Names that a top-level statement binds or changes."""
    return frozenset(_binding(statement))


def _binding(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield statement.name
        return
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return
    if isinstance(statement, ast.Expr):
        call = statement.value
        if (
            isinstance(call, ast.Call)
            and isinstance(call.func, ast.Attribute)
            and isinstance(call.func.value, ast.Name)
        ):
            yield call.func.value.id  # TABLE.update(...)
        return
    # The variables of a comprehension are its own.
    own = {name for n in ast.walk(statement) if isinstance(n, ast.comprehension) for name in ast.walk(n.target)}
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del) and node not in own:
            yield node.id
        elif isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store):
            if isinstance(node.value, ast.Name):
                yield node.value.id
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name


def _take_docstring(node: ast.AST) -> None:
    """Take the docstring of a module, function or class away; a statement's position among the others stays."""
    documented = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    if isinstance(node, documented) and ast.get_docstring(node, clean=False) is not None:
        node.body = node.body[1:] or ([] if isinstance(node, ast.Module) else [ast.Pass()])


def _take_pictures(node: ast.AST) -> None:
    """Take the methods away by which a notebook shows an object, ``_repr_html_`` and its like: no result needs them."""
    if isinstance(node, ast.ClassDef):
        shown = [s for s in node.body if isinstance(s, ast.FunctionDef) and re.fullmatch("_repr_[a-z]+_", s.name)]
        node.body = [s for s in node.body if s not in shown] or [ast.Pass()]
