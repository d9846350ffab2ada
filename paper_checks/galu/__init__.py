"""*Decoupling Gating from Linearity*: its claims, in the order of the paper.

One module per part of the paper. They are imported in its order, which is the order of the claims.
"""

# ruff: noqa: E402, I001
from paper_checks.claim import registry

registry.paper("galu", "Decoupling Gating from Linearity", "J. Fiat, E. Malach and S. Shalev-Shwartz")

from paper_checks.galu import generalisation
from paper_checks.galu import lemma_1
from paper_checks.galu import lemma_1_laws
from paper_checks.galu import double_descent

__all__ = ["double_descent", "generalisation", "lemma_1", "lemma_1_laws"]
