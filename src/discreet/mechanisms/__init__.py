"""From a known law and a budget to a Design: the release that says least for what it must keep.

funnel       funnel  funnel_frontier  perfect_privacy  greedy_funnel  greedy_funnel_path
bottleneck   bottleneck  bottleneck_frontier  greedy_bottleneck  greedy_bottleneck_path
distortion   least_leakage
watchdog     watchdog  watchdog_for  watchdog_frontier
Gaussian     gaussian_funnel  gaussian_noise  gaussian_release  gaussian_mixture  mixture_saturation
obfuscation  gaussian_obfuscation  features_together  selective_obfuscation  selective_obfuscation_bound
             leaking  flags_on_release
baselines    randomised_response  generalisation  suppression
together     both
"""

from discreet.mechanisms.baselines import generalisation, randomised_response, suppression
from discreet.mechanisms.bottleneck import bottleneck, bottleneck_frontier
from discreet.mechanisms.composition import both
from discreet.mechanisms.distortion import least_leakage
from discreet.mechanisms.flags import flags_on_release, leaking
from discreet.mechanisms.funnel import funnel, funnel_frontier
from discreet.mechanisms.gaussian import gaussian_funnel
from discreet.mechanisms.greedy import (
    greedy_bottleneck,
    greedy_bottleneck_path,
    greedy_funnel,
    greedy_funnel_path,
)
from discreet.mechanisms.mixture import gaussian_mixture, mixture_saturation
from discreet.mechanisms.noise import gaussian_noise, gaussian_release
from discreet.mechanisms.obfuscation import (
    features_together,
    gaussian_obfuscation,
    selective_obfuscation_bound,
)
from discreet.mechanisms.perfect import perfect_privacy
from discreet.mechanisms.selective import selective_obfuscation
from discreet.mechanisms.watchdog import watchdog, watchdog_for, watchdog_frontier

__all__ = [
    "both",
    "bottleneck",
    "bottleneck_frontier",
    "features_together",
    "flags_on_release",
    "funnel",
    "funnel_frontier",
    "gaussian_funnel",
    "gaussian_mixture",
    "gaussian_noise",
    "gaussian_obfuscation",
    "gaussian_release",
    "generalisation",
    "greedy_bottleneck",
    "greedy_bottleneck_path",
    "greedy_funnel",
    "greedy_funnel_path",
    "leaking",
    "least_leakage",
    "mixture_saturation",
    "perfect_privacy",
    "randomised_response",
    "selective_obfuscation",
    "selective_obfuscation_bound",
    "suppression",
    "watchdog",
    "watchdog_for",
    "watchdog_frontier",
]
