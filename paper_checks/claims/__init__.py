"""Claims: checkable statements of papers, and relations between published and measured values."""
