"""Which claims stand behind the numbers that ``paper-checks init`` prints."""

from __future__ import annotations

__all__ = ["BEHIND"]

LINEAR = {"forward": ("nau/beyond.init-linear-forward",), "backward": ("nau/beyond.init-linear-backward",)}
BEHIND = {
    "linear": LINEAR,
    "relu": {"forward": ("nau/beyond.init-relu-forward",), "backward": ("nau/beyond.init-relu-backward",)},
    "galu": {"forward": ("galu/beyond.init-forward",), "backward": ("galu/beyond.init-backward",)},
    "nac_add": {"weights": ("nau/eq26", "nau/beyond.init-nac-add"), **LINEAR},
    "nac_mul": {"weights": ("nau/eq26",), "logarithm": ("nau/beyond.init-nac-mul-log",)},
    "nalu": {"weights": ("nau/eq26",), "gain": ("nau/beyond.init-nalu",), "gate": ("nau/beyond.init-nalu-gate",)},
    "nau": {"published": ("nau/beyond.init-nau-published",), **LINEAR},
    "nmu": {
        "published": ("nau/beyond.init-nmu-published",),
        "forward": ("nau/eq66",),
        "backward": ("nau/eq69",),
        "compromise": ("nau/beyond.init-nmu-compromise-forward", "nau/beyond.init-nmu-compromise-backward"),
    },
}
"""By unit and by what they are about: ids of claims, all of them CONFIRMED."""
