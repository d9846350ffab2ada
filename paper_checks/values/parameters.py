"""What a function asks for by the names of its parameters."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["pick"]


def pick(function: Callable, values: Mapping[str, Any]) -> dict[str, Any]:
    """The values that a function asks for by the names of its parameters."""
    parameters = inspect.signature(function).parameters
    if any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        return dict(values)
    return {name: values[name] for name in parameters if name in values}
