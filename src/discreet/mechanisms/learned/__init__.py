"""Mechanisms that are learned from records, when X is too large for a law."""
