"""Rows in, rows out: the only room that knows engines. What it hands on is NumPy: Counts, Samples, symbols."""
