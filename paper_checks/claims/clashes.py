"""Clear errors about a user's file or folder that hides a package of this project."""

import importlib.util
import os
import sys

_HOME = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))


def refuse_clashes(*names: str) -> None:
    """Raise an error if a user's file hides a package of this project.

    Parameters
    ----------
    *names : str
        ``theory``, ``montecarlo`` or ``figures``.

    Raises
    ------
    ImportError
        With the name of the file or folder and what to do.

    Examples
    --------
    >>> refuse_clashes("theory", "montecarlo")
    """
    for name in names:
        module = sys.modules.get(name)
        spec = getattr(module, "__spec__", None) if module else importlib.util.find_spec(name)
        places = [*(getattr(module, "__path__", None) or ()), getattr(module, "__file__", None)] if spec is None else (
            [*(spec.submodule_search_locations or ()), spec.origin]
        )  # fmt: skip
        found = [os.path.realpath(place) for place in places if place]
        if found and os.path.join(_HOME, name) not in found:
            raise ImportError(
                f"{found[0]} hides the package {name!r} of Paper Checks; rename it, or run Python in another folder",
                name=name,
            )
