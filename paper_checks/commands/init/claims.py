"""Claims that check the numbers of ``paper-checks init``."""

LINEAR = ("nau/beyond.init-linear-forward", "nau/beyond.init-linear-backward")
BEHIND = {
    "linear": LINEAR,
    "dense": (),
    "relu": ("constants/starts.dense", "nau/beyond.init-relu-forward", "nau/beyond.init-relu-backward"),
    "galu": ("galu/beyond.init-forward", "galu/beyond.init-backward"),
    "nac_add": ("constants/starts.nac", "nau/eq26", "nau/beyond.init-nac-add", *LINEAR),
    "nac_mul": ("nau/eq26", "nau/beyond.init-nac-mul-log"),
    "nalu": ("nau/eq26", "nau/beyond.init-nalu", "nau/beyond.init-nalu-gate"),
    "nau": ("constants/starts.nau", "nau/beyond.init-nau-published", *LINEAR),
    "nmu": (
        "constants/starts.nmu", "constants/starts.nmu.task", "constants/starts.nmu.centred",
        "nau/beyond.init-nmu-published", "nau/eq66", "nau/eq69",
        "nau/beyond.init-nmu-compromise-forward", "nau/beyond.init-nmu-compromise-backward",
    ),
}  # fmt: skip
"""Ids of claims by unit; all are CONFIRMED."""
