"""The papers, one package each."""
