"""discreet: know, bound and cut what a release of people's data tells about a secret.

Nouns        Joint  Axis  Counts  Samples  Columns  Column  Lift  Given  Origin  Reading  Guarantee
             Gaussian  GaussianMixture  MatrixChannel  GaussianChannel  Design  Status  Frontier
Estimate     estimate; discreet.estimators: from records to a Lift, and what can be read off it
Measure      discreet.measures: from a Lift to a Reading
Guarantee    discreet.guarantees: from what is known to what follows
Design       discreet.mechanisms: from a law and a budget to the release that says least
Records      audit  design  attack  release  verify  compare; Policy, load: from files and frames to results
             Sanitizer: design and apply as an estimator of scikit-learn
Show         plot: the picture of a result as a chart; discreet.report makes its page
Errors       DiscreetError

Names load when they are first asked for, so that importing the package costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from discreet.core.doors import opened

if TYPE_CHECKING:
    from discreet import estimators as estimators
    from discreet import guarantees as guarantees
    from discreet import measures as measures
    from discreet import mechanisms as mechanisms
    from discreet.core.axis import Axis as Axis
    from discreet.core.channel import MatrixChannel as MatrixChannel
    from discreet.core.counts import Counts as Counts
    from discreet.core.design import Design as Design
    from discreet.core.design import Status as Status
    from discreet.core.errors import DiscreetError as DiscreetError
    from discreet.core.frontier import Frontier as Frontier
    from discreet.core.gaussian_channel import GaussianChannel as GaussianChannel
    from discreet.core.given import Given as Given
    from discreet.core.guarantee import Guarantee as Guarantee
    from discreet.core.joint import Joint as Joint
    from discreet.core.lift import Lift as Lift
    from discreet.core.reading import Origin as Origin
    from discreet.core.reading import Reading as Reading
    from discreet.core.samples import Column as Column
    from discreet.core.samples import Columns as Columns
    from discreet.core.samples import Samples as Samples
    from discreet.estimators.methods import estimate as estimate
    from discreet.measures.gaussian import Gaussian as Gaussian
    from discreet.measures.mixture import GaussianMixture as GaussianMixture
    from discreet.report.plot import plot as plot
    from discreet.workflow.attack import attack as attack
    from discreet.workflow.audit import audit as audit
    from discreet.workflow.compare import compare as compare
    from discreet.workflow.design import design as design
    from discreet.workflow.policy import Policy as Policy
    from discreet.workflow.policy import load as load
    from discreet.workflow.release import release as release
    from discreet.workflow.sanitizer import Sanitizer as Sanitizer
    from discreet.workflow.verify import verify as verify

__version__ = "0.1.0"

ROOMS = ("estimators", "measures", "guarantees", "mechanisms")

NAMES = {
    "Axis": "core.axis",
    "Column": "core.samples",
    "Columns": "core.samples",
    "Counts": "core.counts",
    "Design": "core.design",
    "DiscreetError": "core.errors",
    "Frontier": "core.frontier",
    "Gaussian": "measures.gaussian",
    "GaussianChannel": "core.gaussian_channel",
    "GaussianMixture": "measures.mixture",
    "Given": "core.given",
    "Guarantee": "core.guarantee",
    "Joint": "core.joint",
    "Lift": "core.lift",
    "MatrixChannel": "core.channel",
    "Origin": "core.reading",
    "Policy": "workflow.policy",
    "Reading": "core.reading",
    "Samples": "core.samples",
    "Sanitizer": "workflow.sanitizer",
    "Status": "core.design",
    "attack": "workflow.attack",
    "audit": "workflow.audit",
    "compare": "workflow.compare",
    "design": "workflow.design",
    "estimate": "estimators.methods",
    "load": "workflow.policy",
    "plot": "report.plot",
    "release": "workflow.release",
    "verify": "workflow.verify",
}

__all__ = ["__version__", *NAMES, *ROOMS]  # noqa: PLE0604

__getattr__, __dir__ = opened(__name__, NAMES, ROOMS)
