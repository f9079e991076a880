"""One game for everything that is learned: networks, critics, constraints and the loop that plays it.

networks     mlp  initial_mlp: pure functions over an array namespace, the same in training and in NumPy
convolution  small encoders and decoders of pictures, written the same way
critics      log-loss, α-loss, squared, Donsker–Varadhan, NWJ, χ²; kernel MMD and Gaussian KL, which need no critic
contest      the rules of a game: sanitiser, critics, utility, constraint; finite, for tables
loop         Game  Move  Schedule  train: many runs side by side, in pieces that can be taken up again
fit          fit_critic  Critic: the game with its sanitiser frozen at the identity

JAX is loaded when something is trained, not when this room is opened.
"""

from discreet.neural.fit import Critic, fit_critic

__all__ = ["Critic", "fit_critic"]
