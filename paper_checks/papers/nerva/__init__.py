"""*Nerva Libraries Implementation*: its claims, one module per part, in the order of the paper.

In the copy that is checked here columns are interleaved: of the three blocks of backpropagation equations after the
linear dropout layer the first is read as that of log-softmax, the second as that of batch normalisation, the third as
that of linear dropout.
"""

from paper_checks import paper

paper("nerva", "Nerva Libraries Implementation", "W. Wesselink")

from paper_checks.papers.nerva import (  # noqa: E402, F401, I001
    software,
    section_2,
    table_1,
    table_2,
    table_2_use,
    section_4_layers,
    section_4_1_properties,
    section_4_1_derivations,
    section_4_1_batchnorm,
    section_5,
    section_5_srelu,
    section_5_1_softmax,
    section_6_losses,
    numerics,
    numerics_softmax,
    section_7,
    section_8,
    section_9,
    networks,
)
