"""Columns as numeric matrices: what linear models, trees and networks read."""
