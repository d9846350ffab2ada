"""The source of a paper in LaTeX: its numbered equations, theorems and tables, as statements to be checked.

A text goes through in three steps: :mod:`~paper_checks.latex.expansion` follows ``\\input`` and replaces the author's
macros, pylatexenc parses what is left, and :mod:`~paper_checks.latex.document` numbers what LaTeX would number.
"""
