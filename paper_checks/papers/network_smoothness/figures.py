"""Figures and sentences that need trained networks: not judged yet."""

from __future__ import annotations

from paper_checks import claim

NOT_TRAINED = "needs networks that are trained, which is not done yet"

for _id, _at, _says, _why in (
    ("smooth/fig9", "Figure 9", "gains do not transfer to a ResNet9", "ResNet9 is not trained here"),
):
    claim(_id, at=_at, says=_says, unchecked=_why)
