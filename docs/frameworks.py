"""Stand-ins for frameworks, so that pages are the same whether or not they are installed, and load."""

import sys
from typing import Any


class _Names(type):
    """A class of which every attribute is a class."""

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Names(name, (StandIn,), {"__module__": cls.__module__})


class StandIn(metaclass=_Names):
    """What may be subclassed, called, and used as a decorator."""

    def __init__(self, *_args: Any, **_options: Any):
        pass

    def __call__(self, thing: Any = None, *_args: Any, **_options: Any) -> Any:
        return thing

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return StandIn()


def stand_in(*modules: str) -> None:
    """Let these modules be imported, whatever is installed."""
    for name in modules:
        sys.modules[name] = _Names(name, (StandIn,), {"__module__": name})  # type: ignore[assignment]
