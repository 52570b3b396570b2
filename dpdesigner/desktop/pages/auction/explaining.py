"""Why the price is drawn, and what was corrected in the source."""

from __future__ import annotations

from dpdesigner.studies.declared import Why
from dpdesigner.studies.said import said

_SOURCES = said(
    "F. McSherry, K. Talwar, <i>Mechanism Design via Differential Privacy</i>, 2007; [Notes], 1.7 (unlimited supply).\n\n"
    "Corrected here: in the last step the prices from <i>p</i>* − <i>t</i>/<i>m</i> to <i>p</i>* are meant, <i>p</i>* the best "
    "price and not OPT; (1 − exp(−ε<i>t</i>)/λ)(OPT − 2<i>t</i>) is at least what stands after it, not equal; and where "
    "several prices are best, the one that sells the fewest items promises most.\n\n"
    "With one item each the price is ε-private, not only 2ε: another bid moves the revenue of all prices the same way."
)
_FORMULA = said(
    "density of the price <i>p</i> ∝ exp(ε <i>q</i>(<i>p</i>) / cap), <i>q</i>(<i>p</i>) = <i>p</i> × items sold at <i>p</i>\n\n"
    "expected revenue ≥ OPT − (3/ε) ln(e + ε² OPT <i>m</i>), in caps, <i>m</i> the items sold at the best price\n\n"
    "expected surplus of any lie ≤ e<sup>{exponent}</sup> × that of the truth"
)
_FORMULA_BIDS = said(_FORMULA.replace("{exponent}", "ε"))
_FORMULA_CURVES = said(_FORMULA.replace("{exponent}", "2ε"))

WHY_BIDS = Why(
    said(
        "The best price earns {optimum}, but it is somebody’s very bid: announcing it would show that bid, and make it pay to "
        "bid less. So the price is drawn, the likelier the more it would earn.\n\n"
        "Any one bid moves the revenue of a price by at most the cap, and that of all prices the same way. So no price becomes "
        "more than e<sup>ε</sup> times as likely, or as unlikely, whatever one bidder says: the price is private at ε = "
        "{epsilon}, and no lie brings more than {lying_limit} on top of what the truth brings.\n\n"
        "On average it earns {value}. The theorem promises {bound}; below 0 that is no promise: with few bids and a small ε "
        "there is little to hide behind."
    ),
    said("Why draw the price?"),
    _FORMULA_BIDS,
    _SOURCES,
    "auction",
)
WHY_CURVES = Why(
    said(
        "The best price earns {optimum}, but it is where somebody stops buying: announcing it would show that, and make it pay "
        "to lie. So the price is drawn, the likelier the more it would earn.\n\n"
        "Any one demand curve moves the revenue of a price by at most the cap, but it may raise some prices and lower others. "
        "So no price becomes more than e<sup>2ε</sup> times as likely, or as unlikely: the price is private at 2ε = {epsilon}, "
        "and no lie brings more than {lying_limit} on top of what the truth brings.\n\n"
        "On average it earns {value}. The theorem promises {bound}; below 0 that is no promise."
    ),
    said("Why draw the price?"),
    _FORMULA_CURVES,
    _SOURCES,
    "auction",
)
