"""Section 3.1.5: text and captions on Figures 3 to 7, compared with the parameters that are varied."""

from paper_checks import additional, claim, wrong
from paper_checks.papers.neural_arithmetic_units.printed_figures import COUNTS
from paper_checks.papers.neural_arithmetic_units.printed_tables import without_exception
from paper_checks.papers.neural_arithmetic_units.sweeps import FIGURES, RANGES

VARIED = {3: "input size", 4: "overlap ratio", 5: "subset ratio", 6: "hidden size", 7: "interpolation range"}
NAMED = {3, 4, 7, 6}

claim(
    "nau/text.stress-figures",
    at="3.1.5",
    says="the list names every figure of 3.1.5",
    quote="the results are visualized in in figure 3, 4, 7, and 6.",
    experiment=without_exception(
        lambda named: [f"Figure {number}, the {what}" for number, what in VARIED.items() if number not in named],
        NAMED,
        {"Figure 5 added": {*NAMED, 5}},
        "not named: ",
    ),
    expects=wrong("misprint", correct="nau/text.stress-figures.five"),
    note="Figure 5, on the subset ratio, is missing from the list. In the authors' LaTeX Figures 5 and 6 have the same "
    "label, so that the reference to Figure 5 became 6. Then Figure 6, on the hidden size, was left out",
)

additional(
    "nau/text.stress-figures.five",
    at="3.1.5",
    says="Figures 3 to 7 vary input size, overlap ratio, subset ratio, hidden size and interpolation range, one each",
    proof=lambda: all(
        len({point[name] for part in FIGURES[number] for point in part["nmu"].points}) > 1
        for number, name in zip(VARIED, ("inputs", "overlap", "size", "hidden", "lower"), strict=True)
    ),
    note="our runs vary the same parameters. The sentence in the paper: nau/text.stress-figures",
)

# Interpolation and extrapolation range as the caption pairs them.
CAPTION_7 = {(-2, 2): (2, 6), (0, 1): (1, 5), (0.1, 0.2): (0.2, 2), (1, 2): (2, 6), (10, 20): (20, 40)}

claim(
    "nau/figure7.caption",
    at="Figure 7, caption",
    says="the caption gives the extrapolation range of every interpolation range in the figure",
    quote="For each interpolation range, the following extrapolation ranges are used:",
    experiment=without_exception(
        lambda caption: [f"U[{low}, {high}]" for low, high, *_ in RANGES if (low, high) not in caption],
        CAPTION_7,
        {"the range added": {**CAPTION_7, (1.1, 1.2): (1.2, 6)}},
        f"{len(COUNTS[7]['nmu'])} settings in the figure, {len(CAPTION_7)} in the caption; without: ",
    ),
    expects=wrong("misprint", correct="nau/figure7.ranges"),
    note="the figure also has U[1.1, 1.2]. Its extrapolation range in the authors' code is U[1.2, 6]",
)

additional(
    "nau/figure7.ranges",
    at="Figure 7",
    says="for all six interpolation ranges of the figure the extrapolation range begins at their upper end",
    proof=lambda: len(RANGES) == len(COUNTS[7]["nmu"]) and all(high == test[0] for _, high, test, _ in RANGES),
    note="for U[-2, 2] the extrapolation range also contains U[-6, -2]. The caption: nau/figure7.caption",
)
