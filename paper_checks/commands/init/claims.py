"""Claims that check the numbers of ``paper-checks init``."""

LINEAR = {"forward": ("nau/beyond.init-linear-forward",), "backward": ("nau/beyond.init-linear-backward",)}
BEHIND = {
    "linear": LINEAR,
    "dense": {},
    "relu": {
        "training": ("constants/starts.dense",),
        "forward": ("nau/beyond.init-relu-forward",),
        "backward": ("nau/beyond.init-relu-backward",),
    },
    "galu": {"forward": ("galu/beyond.init-forward",), "backward": ("galu/beyond.init-backward",)},
    "nac_add": {"training": ("constants/starts.nac",), "weights": ("nau/eq26", "nau/beyond.init-nac-add"), **LINEAR},
    "nac_mul": {"weights": ("nau/eq26",), "logarithm": ("nau/beyond.init-nac-mul-log",)},
    "nalu": {"weights": ("nau/eq26",), "gain": ("nau/beyond.init-nalu",), "gate": ("nau/beyond.init-nalu-gate",)},
    "nau": {"training": ("constants/starts.nau",), "published": ("nau/beyond.init-nau-published",), **LINEAR},
    "nmu": {
        "training": ("constants/starts.nmu", "constants/starts.nmu.task", "constants/starts.nmu.centred"),
        "published": ("nau/beyond.init-nmu-published",),
        "forward": ("nau/eq66",),
        "backward": ("nau/eq69",),
        "compromise": ("nau/beyond.init-nmu-compromise-forward", "nau/beyond.init-nmu-compromise-backward"),
    },
}
"""Ids of claims by unit and subject; all are CONFIRMED."""
