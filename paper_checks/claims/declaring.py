"""The functions ``claim(...)``, ``common(...)`` and ``paper(...)``, which declare into the current registry.

Imported modules declare into :data:`INSTALLED`; a user's file of claims has its own registry.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from paper_checks.claims.claim import Claim
from paper_checks.claims.expectation import Kind
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


def additional(id: str, **fields: Any) -> Claim:
    """Declare an additional result: one of ours that the paper does not state.

    Parameters
    ----------
    id : str
    **fields
        As for :func:`claim`; ``kind`` is ``Kind.ADDITIONAL``.

    Examples
    --------
    >>> from paper_checks import unchecked
    >>> with declaring(Registry()):
    ...     _ = paper("mine", "My paper", "Me")
    ...     made = additional("mine/slow", at="section 2", says="it is slow", expects=unchecked("no times are given"))
    >>> made.kind
    <Kind.ADDITIONAL: 'additional'>
    """
    return claim(id, kind=Kind.ADDITIONAL, **fields)


def alternative(id: str, **fields: Any) -> Claim:
    """Declare an alternative interpretation: what a reader might take the paper to say.

    Parameters
    ----------
    id : str
    **fields
        As for :func:`claim`; ``kind`` is ``Kind.ALTERNATIVE``.

    Examples
    --------
    >>> from paper_checks import unchecked
    >>> with declaring(Registry()):
    ...     _ = paper("mine", "My paper", "Me")
    ...     made = alternative("mine/fast", at="eq. (1)", says="it is fast", expects=unchecked("no times are given"))
    >>> made.kind
    <Kind.ALTERNATIVE: 'alternative'>
    """
    return claim(id, kind=Kind.ALTERNATIVE, **fields)


class Common:
    """Declares claims with common fields; made by :func:`common`."""

    def __init__(self, fields: Mapping[str, Any]):
        self._fields = fields

    def __call__(self, id: str, **fields: Any) -> Claim:
        return claim(id, **{**self._fields, **fields})

    def additional(self, id: str, **fields: Any) -> Claim:
        """Declare an additional result with the common fields."""
        return self(id, kind=Kind.ADDITIONAL, **fields)

    def alternative(self, id: str, **fields: Any) -> Claim:
        """Declare an alternative interpretation with the common fields."""
        return self(id, kind=Kind.ALTERNATIVE, **fields)


def common(**fields: Any) -> Common:
    """Function that declares claims with common fields; a claim's own fields take precedence.

    Its ``additional`` and ``alternative`` do what :func:`additional` and :func:`alternative` do.

    Examples
    --------
    >>> from paper_checks import unchecked
    >>> with declaring(Registry()):
    ...     _ = paper("mine", "My paper", "Me")
    ...     remark = common(at="section 2", expects=unchecked("no times are given"))
    ...     first, second = remark("mine/fast", says="it is fast"), remark("mine/slow", says="it is slow", at="eq. (1)")
    ...     third = remark.additional("mine/slower", says="a second run is slower")
    >>> first.at, second.at, third.at, str(third.kind)
    ('section 2', 'eq. (1)', 'section 2', 'additional')
    """
    return Common(fields)


def paper(name: str, title: str, authors: str, **fields: Any) -> Paper:
    """Declare a paper, before its claims; see :class:`~paper_checks.Paper` for the fields."""
    return _IN_FORCE.get().paper(name, title, authors, **fields)
