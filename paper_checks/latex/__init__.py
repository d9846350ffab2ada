"""The source of a paper in LaTeX: its numbered equations, theorems and tables, as statements to be checked.

:class:`~paper_checks.latex.reader.Reader` reads a text once, as LaTeX does: it replaces the author's macros and carries
out the commands that define, branch, input and number. Each subject has a module with the commands and environments
that it knows; :mod:`~paper_checks.latex.document` puts them together.
"""
