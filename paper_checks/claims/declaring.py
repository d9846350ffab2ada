"""The functions ``claim(...)`` and ``paper(...)``, which declare into the current registry.

Imported modules declare into :data:`INSTALLED`; a user's file of claims has its own registry.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from paper_checks.claims.claim import Claim
from paper_checks.claims.registry import Paper, Registry

INSTALLED = Registry()
_IN_FORCE: ContextVar[Registry] = ContextVar("registry in force", default=INSTALLED)


@contextmanager
def declaring(into: Registry) -> Iterator[Registry]:
    """Make a registry the current one for declarations in the ``with`` block.

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


def common(**fields: Any) -> Callable[..., Claim]:
    """Function that declares claims with common fields; a claim's own fields take precedence.

    Examples
    --------
    >>> from paper_checks import Kind, unchecked
    >>> with declaring(Registry()):
    ...     _ = paper("mine", "My paper", "Me")
    ...     remark = common(at="section 2", expects=unchecked("no times are given"))
    ...     first, second = remark("mine/fast", says="it is fast"), remark("mine/slow", says="it is slow", at="eq. (1)")
    >>> first.at, second.at
    ('section 2', 'eq. (1)')
    """
    return lambda id, **own: claim(id, **{**fields, **own})


def paper(name: str, title: str, authors: str, **fields: Any) -> Paper:
    """Declare a paper, before its claims; see :class:`~paper_checks.Paper` for the fields."""
    return _IN_FORCE.get().paper(name, title, authors, **fields)
