"""A law and a budget in, a Design out: what is released, what it tells, and how far from the best it can be."""
