"""Claims: sentences of papers made checkable, and how printed and measured must relate."""
