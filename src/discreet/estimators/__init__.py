"""From records to the lift: what the released columns tell about the secret, learned and measured.

records      columns_of  samples_of  groups_of  quantile_bins
learn        estimate  METHODS  Stack  Plugin  Logistic  Boosting  Network  Neighbours
             DonskerVaradhan  Tide  Nwj  ChiSquared
read         split  measured  leaks  cautions  null_of
where        columns_told  pairs_told  values_told  conditional_density
secrets      predicted  secrets_told
plan         learning_curve  rows_needed
certify      bounds

Names load when they are first asked for: scikit-learn is needed to learn, not to name things.
"""

from __future__ import annotations

from discreet.core.doors import opened

NAMES = {
    "METHODS": "methods",
    "Boosting": "single",
    "ChiSquared": "variational",
    "DonskerVaradhan": "variational",
    "Fitted": "fitted",
    "Logistic": "single",
    "Neighbours": "single",
    "Network": "single",
    "Nwj": "variational",
    "Plugin": "single",
    "Stack": "stack",
    "Tide": "variational",
    "cautions": "doubts",
    "columns_of": "records",
    "columns_told": "conditional.columns",
    "conditional_density": "conditional.density",
    "estimate": "methods",
    "groups_of": "records",
    "leaks": "verdict",
    "learning_curve": "planning",
    "measured": "readings",
    "null_of": "verdict",
    "pairs_told": "conditional.pairs",
    "predicted": "numbers_told",
    "quantile_bins": "secrets",
    "rows_needed": "planning",
    "samples_of": "records",
    "secrets_told": "several",
    "split": "parts",
    "values_told": "conditional.values",
}

ROOMS = ("bounds",)

__all__ = [*NAMES, *ROOMS]  # noqa: PLE0604

__getattr__, __dir__ = opened(__name__, NAMES, ROOMS)
