"""Least leakage under distortion as convex programs: what is to be solved, who solves it, and what proves the answer.

problem      a law, its distortions and their budgets as arrays
bound        what every channel within the budgets leaks, from an adversary's scores and the prices of the budgets
linear       guesses and maximal leakage as linear programs, and the channel that overspends least
guesses      the same optimum without a solver, where a rule meets its bound
levels       the worst cell: the least level at which a linear program is still within the budgets
cones        mutual information by exponential cones, χ² by quadratic cones
mirror       mutual information by mirror descent, where there are many cells
silence      the least distortion at which nothing is said
"""
