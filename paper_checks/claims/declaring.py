"""Where ``claim(...)`` and ``paper(...)`` declare: into the registry that is in force while a file loads.

Modules that are imported declare into :data:`INSTALLED`; a file of claims that somebody names has its own registry.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from paper_checks.claims.claim import Claim
from paper_checks.claims.registry import Paper, Registry

__all__ = ["INSTALLED", "claim", "declaring", "paper"]

INSTALLED = Registry()
_IN_FORCE: ContextVar[Registry] = ContextVar("registry in force", default=INSTALLED)


@contextmanager
def declaring(into: Registry) -> Iterator[Registry]:
    """Put a registry in force for what is declared within.

    Examples
    --------
    >>> from paper_checks import unchecked
    >>> with declaring(Registry()) as mine:
    ...     _ = paper("mine", "My paper", "Me")
    ...     _ = claim("mine/eq1", at="eq. (1)", says="it is fast", expects=unchecked("no times are given"))
    >>> [c.id for c in mine]
    ['mine/eq1']
    """
    token = _IN_FORCE.set(into)
    try:
        yield into
    finally:
        _IN_FORCE.reset(token)


def claim(id: str, **fields: Any) -> Claim:
    """Declare a claim; see :class:`~paper_checks.Claim` for the fields."""
    return _IN_FORCE.get().claim(id, **fields)


def paper(name: str, title: str, authors: str, **fields: Any) -> Paper:
    """Declare a paper, before its claims; see :class:`~paper_checks.Paper` for the fields."""
    return _IN_FORCE.get().paper(name, title, authors, **fields)
