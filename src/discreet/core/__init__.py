"""The nouns of the house. They need NumPy and nothing else, and every other room speaks in them."""
