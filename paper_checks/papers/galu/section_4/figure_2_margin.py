"""Section 4.1.1: how large the margin of ReLU over GaLU is, and what the step size of its training does to it."""

from paper_checks import Finding, Status, concluded
from paper_checks.papers.galu.authors_results import FIGURE_2
from paper_checks.papers.galu.section_4.figure_2 import STORED, beside, networks_less_relu
from paper_checks.rules.means import combine, told
from paper_checks.rules.proportions import sign_test, signs_text


def worth_in_neurons(context) -> Finding:
    """ReLU with 8 neurons against GaLU networks of 12 and of 16."""
    less, more = (networks_less_relu(context, times, 8) for times in (1.5, 2))
    signs = {
        f"{name} and {n} neurons": sign_test(d) for n, part in ((12, less), (16, more)) for name, d in part.items()
    }
    ahead = [sign_test(d).status for d in less.values()]
    behind = [sign_test(-d).status for d in more.values()]
    swapped = combine([sign_test(-d).status for d in less.values()]) is not Status.CONFIRMED
    return concluded(combine(ahead + behind), signs_text(signs), {"12 and 16 exchanged": swapped})


# The authors' loss of GaLU over that of ReLU with as many neurons.
RATIOS = [galu / relu for (m, d, k), (relu, galu, _) in FIGURE_2.items() if k * d < m]


beside.additional(
    "galu/fig2.margin-neurons",
    says="a ReLU network with 8 neurons is better than most GaLU networks with 12 neurons and worse than most with 16",
    experiment=worth_in_neurons,
    note=f"the paper measures its small margin in neurons too. As losses, GaLU's is {min(RATIOS):.2f} to "
    f"{max(RATIOS):.2f} times that of ReLU in the authors' public results where kd is below m. {STORED}",
)


def either_step_size(context) -> Finding:
    """The signs with each step size alone: beside as many neurons, and beside twice as many."""
    same, twice = (
        {
            name: {n: sign_test(d).status for n, d in networks_less_relu(context, times, relu=name).items()}
            for name in ("relu_smaller_steps", "relu_larger_steps")
        }
        for times in (1, 2)
    )
    better = {name: [n for n, s in found.items() if s is Status.CONFIRMED] for name, found in twice.items()}
    ahead = combine([s for found in same.values() for s in found.values()])
    says = "settings in which ReLU is better than most GaLU networks with twice as many neurons, " + "; ".join(
        f"{name.replace('_', ' ')}: {', '.join(found) or 'none'}" for name, found in better.items()
    )
    status = told(all(better.values()) and ahead is Status.CONFIRMED, not any(better.values()))
    others = combine([s for found in twice.values() for s in found.values()])
    return concluded(status, says, {"twice as many in place of as many": others is not Status.CONFIRMED})


beside.additional(
    "galu/beyond.step-size",
    at="additional to section 4.1.1",
    says="with either of our two step sizes alone, ReLU outperforms GaLU with as many neurons in every setting. With "
    "two neurons it is better than most GaLU networks with twice as many on some data set",
    experiment=either_step_size,
    note="other claims take the better of two step sizes. This choice affects neither galu/fig2.relu nor "
    f"galu/fig2.double. {STORED}",
)
