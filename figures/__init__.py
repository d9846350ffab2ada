"""What is shown: one package per paper, one module per figure, each with its data separate from its drawing.

A figure has the name of its module, which has

- ``CAPTION``: what is seen, in the first sentence, and how to read it, in four sentences at most;
- ``DETAILS``: settings, each panel, and what the paper leaves open;
- ``ALT``: what is seen in the picture, a sentence or two that stand for it where it cannot be seen;
- ``PARAMETERS``: the fixed choices behind it, as text and numbers;
- ``RECIPE``: the :class:`Run` that made the picture in ``rendered/``; what it leaves out, the figure has no use for;
- ``data(run) -> dict of arrays``: computes, draws nothing; what it takes besides, by name and with a default that is a
  number or a tuple of numbers, are the figure's settings, ``figures NAME --set eps=1e-3``;
- ``SETTINGS``: what each of these is and which values it takes, as a :class:`Setting`;
- ``SECONDS``, where it is long: about how long ``data`` takes on two cores. Such arrays are computed once: then
  ``READS`` names the stored sweeps that ``data`` reads, and ``VERSION`` (1 at first) is raised with a change that can
  alter a number;
- ``ROUNDING = True``, where the arrays are rounding errors, which differ between processors: these are made once too;
- ``draw_panel(arrays, letter, *, ax=None) -> matplotlib.axes.Axes``, a :class:`Panels`: draws one panel, into an
  Axes of the user's where one is given;
- ``draw(arrays) -> matplotlib.figure.Figure``: draws all panels, computes nothing that takes time.

A paper's package lists its figures in its ``GALLERY``, which an entry point of the group ``paper_checks.figures``
names; a distribution of somebody else's brings figures in the same way.
"""

from figures.contract import Panels, Run
from figures.gallery import FIGURES, Gallery, render
from figures.kept import load
from figures.settings import Setting

__all__ = ["FIGURES", "Gallery", "Panels", "Run", "Setting", "load", "render"]
