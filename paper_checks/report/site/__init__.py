"""Pages for a browser: one for each claim, one for each paper, an index with a filter; they work from a file."""
