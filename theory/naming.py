"""Public names of the formulas that a module declares."""

import sys
from collections.abc import Mapping
from typing import Any


def declaring_globals(inside: Mapping[str, Any]) -> dict[str, Any]:
    """Globals of the module that declares something: the first caller whose globals are not ``inside``."""
    frame = sys._getframe(1)
    while frame.f_globals is inside and frame.f_back is not None:
        frame = frame.f_back
    return frame.f_globals


def public_name(value: Any, module: Mapping[str, Any]) -> str:
    """``subject.name`` where the face of a subject has the formula, else ``subject.module.name``."""
    own = next((n for n, v in list(module.items()) if v is value and not n.startswith("_")), None)
    if own is None:
        return ""
    place = str(module.get("__name__", "")).removeprefix("theory.")
    face = sys.modules.get(f"theory.{place.rpartition('.')[0]}")
    public = place.rpartition(".")[0] if face is not None and getattr(face, own, None) is value else place
    return f"{public}.{own}" if public else own
