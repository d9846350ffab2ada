"""Section 4: whether 1/sigma controls the smoothness of networks with more than two layers."""

from paper_checks import Finding, Kind, Reproduces, Status, claim, concluded, wrong
from paper_checks.evidence.experiment import decided
from paper_checks.papers.network_smoothness.by_length import steps_down
from paper_checks.papers.network_smoothness.tanh_sweeps import MORE_LAYERS
from paper_checks.papers.network_smoothness.within_paper import LEVEL, RULE

SETTINGS = {f"{hidden} hidden layers": {"hidden": hidden} for hidden in (2, 3)}
ASSUMED = (
    "addition on the disc, 64 units in each hidden layer, (7) in every layer, 3000 steps of Adam, 16 runs. Smoother "
    f"means a smaller curvature at each step from 1/sigma = 1/4 to 1/2 and 1. The tests are {RULE}"
)


def smoother(context) -> Finding:
    """Whether curvature falls with 1/sigma, by the number of hidden layers."""
    return decided(*steps_down(MORE_LAYERS, context.rows(MORE_LAYERS), "curvature", SETTINGS), LEVEL)


def no_smoother(context) -> Finding:
    """The same, for the statement that it does not."""
    found = smoother(context)
    opposite = {Status.CONFIRMED: Status.REFUTED, Status.REFUTED: Status.CONFIRMED}
    slips = {"networks that get less smooth": found.killed == found.total > 0}
    return concluded(opposite.get(found.printed, found.printed), found.says, slips)


claim(
    "smooth/text.more-layers",
    at="section 4, first paragraph; interpretation with our settings",
    says="in networks of two and three hidden layers a larger 1/sigma does not make the learned function smoother",
    quote="this does not generalise to more layers (confirmed by preliminary experiments)",
    relation=Reproduces(),
    runs=MORE_LAYERS,
    experiment=no_smoother,
    assumptions=ASSUMED,
    kind=Kind.ALTERNATIVE,
    expects=wrong(correct="smooth/beyond.more-layers"),
    note="the paper does not describe preliminary experiments on smoothness, so that ours do not contradict them. "
    "Those of A.2.4 are about the robustness of a ResNet9, which has (7) in all of its layers",
)

claim(
    "smooth/beyond.more-layers",
    at="additional to section 4",
    says="in tanh networks of two and three hidden layers a larger 1/sigma makes the learned sum smoother",
    relation=Reproduces(),
    runs=MORE_LAYERS,
    experiment=smoother,
    assumptions=ASSUMED,
    kind=Kind.ADDITIONAL,
    note="this is the opposite of smooth/text.more-layers",
)
