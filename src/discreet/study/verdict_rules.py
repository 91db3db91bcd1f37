"""The rules of a verdict, in words, and the limits that they name."""

from typing import Final, Literal, TypeAlias

from discreet.core.findings import rounded_percent
from discreet.core.guarantee import VOID_EPSILON, WEAK_EPSILON
from discreet.study.usefulness import RULE

Level: TypeAlias = Literal["release", "release with care", "do not release"]
"""What to do, from the mildest to the gravest."""
CARE: Final = "release with care"
NO: Final = "do not release"
GRAVE: Final = 0.25
"""An attack so far above what anybody could guess forbids a release."""
NOTABLE: Final = 0.05
"""One so far above it asks for care."""
LIKELY: Final = 0.9
"""An unscored claim of this confidence asks for care."""
FEWEST: Final = 5
"""Among fewer people one is found with more than one chance in five, which counts as high."""

RULES: Final = (
    "A promise that the verifier finds broken: do not release.",
    "Randomness that can be repeated (a seed): do not release.",
    f"Differential privacy with an epsilon above {VOID_EPSILON}: do not release; above "
    f"{WEAK_EPSILON}: release with care.",
    "A file in the release folder that the manifest does not list: do not release.",
    "A README.txt that does not say what the manifest says: do not release; one by another version "
    "of discreet, whose words were not compared: release with care.",
    "An item that the owner names as sensitive and the release does not protect: do not "
    "release. Sensitive items named where the release does not say what it protects, or a "
    "release that protects other items as well: release with care.",
    f"An attack that is right about people, or finds their exact rows, at least {100 * GRAVE:.0f} "
    "percentage points more often than the base rate, judged by the lower end of its 95 % "
    "interval: do not release.",
    f"The same from {100 * NOTABLE:.0f} points on; and any such attack if the release promises "
    f"differential privacy with an epsilon of at most {WEAK_EPSILON}, which bounds what taking "
    "part adds but not what the population reveals: release with care.",
    "Claims that could not be scored are believed, unless differential privacy is promised as "
    "above: they count as right as often as they say, compared with how likely they say it was "
    f"before; if they do not say that and are at least {rounded_percent(LIKELY)} sure, they count "
    "as if nobody could have guessed them. Claims this sure about "
    f"{rounded_percent(GRAVE)} of the rows or more: do not release; any of them: release with "
    "care. Original data without a linkage key prove no claim wrong.",
    f"An attack that is right so much more often ({100 * GRAVE:.0f} points) about so few people "
    "that it may be chance: release with care, unless differential privacy is promised as above.",
    "No attack was run, or an attack could not try everything that the release is made to "
    "withstand or that was asked for: release with care.",
    "No promise at all, only such as any data would keep as they are (a k of 1, a confidence up to "
    "1, a term that may be seen of anyone), none that could be checked, one whose check needs "
    "something that was not provided, or one whose check stopped at a limit: release with care.",
    "An item universe that was taken from the data: release with care.",
    f"Fewer than {FEWEST} people, among whom nobody can be hidden, unless differential privacy is "
    "promised: do not release.",
    "No original data provided, or no linkage key that confirms them to be what was published: "
    "release with care.",
    "Otherwise: release.",
    RULE,
)
"""The rules, in words."""
