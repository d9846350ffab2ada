"""*Nerva Libraries Implementation*: its claims, one module per part, in the order of the paper.

In the copy that is checked here columns are interleaved: of the three blocks of backpropagation equations after the
linear dropout layer the first is read as that of log-softmax, the second as that of batch normalisation, the third as
that of linear dropout.
"""

from paper_checks import paper

paper("nerva", "Nerva Libraries Implementation", "W. Wesselink")

from paper_checks.papers.nerva import (  # noqa: E402, F401, I001
    section_1,
    section_2,
    tables,
    section_4,
    section_5,
    section_6,
    section_7,
    section_8,
    section_9,
)
