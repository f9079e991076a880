"""From a result's versioned JSON to charts and pages: pure functions, which never see the result's class.

page       one self-contained HTML page, which asks for nothing and runs no script
plot       the picture of a result as an Altair chart
fragment   the same in a notebook, static
shapes     what each result looks like as JSON
"""

from discreet.report import shapes
from discreet.report.page import page
from discreet.report.plot import fragment, plot

__all__ = ["fragment", "page", "plot", "shapes"]
