"""Calls of functions with the values that their parameters name."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any


def called(function: Callable, values: Mapping[str, Any], where: str) -> Any:
    """Result of a function for the values that its parameters name.

    Raises
    ------
    ValueError
        When there is no value of a name that it asks for, or it fails; the message begins with ``where``.

    Examples
    --------
    >>> called(lambda k: k + 1, {"k": 1, "m": 2}, "integral=")
    2
    """
    given = pick(function, values)
    for name, parameter in inspect.signature(function).parameters.items():
        by_name = parameter.kind not in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL)
        if by_name and parameter.default is parameter.empty and name not in given:
            raise ValueError(f"{where} asks for {name!r}, got a point with {sorted(values)}; use its names")
    try:
        return function(**given)
    except Exception as error:
        raise ValueError(f"{where} failed: {type(error).__name__}: {error}") from error


def pick(function: Callable, values: Mapping[str, Any]) -> dict[str, Any]:
    """The values that the parameters of a function name."""
    parameters = inspect.signature(function).parameters
    if any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        return dict(values)
    return {name: values[name] for name in parameters if name in values}
