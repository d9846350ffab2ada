"""Figures and sentences that need trained networks: not judged yet."""

from __future__ import annotations

from paper_checks import claim

NOT_TRAINED = "needs networks that are trained, which is not done yet"

for _id, _at, _says, _why in (
    ("smooth/fig4", "Figure 4", "a larger 1/sigma makes the learned function smoother", NOT_TRAINED),
    ("smooth/fig5", "Figure 5", "a larger 1/sigma makes classification more robust and less accurate", NOT_TRAINED),
    ("smooth/fig8", "Figure 8", "stronger attacks show the same", NOT_TRAINED),
    ("smooth/fig9", "Figure 9", "gains do not transfer to a ResNet9", "ResNet9 is not trained here"),
    ("smooth/fig10", "Figure 10", "weight decay increases robustness to a smaller extent", NOT_TRAINED),
    ("smooth/fig14", "Figure 14", "tanh networks without weight normalisation", NOT_TRAINED),
):
    claim(_id, at=_at, says=_says, unchecked=_why)
