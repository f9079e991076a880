"""Notions, the table of implications, the search for a chain, and composition."""
