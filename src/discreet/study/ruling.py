"""Publishing by rules of an earlier release, where the promise holds on the new data as well."""

from typing import Any

from discreet import rng as randomness
from discreet.catalog import Entry
from discreet.core.publication import Publication
from discreet.core.rules import Rules, SetRules
from discreet.core.transactions import Transactions
from discreet.errors import DataError, InfeasibleError, ParameterError
from discreet.rng import Rng
from discreet.verify import verify

__all__ = ["published_by_rules", "rules_shown_by"]


def published_by_rules(
    entry: Entry, method: Any, rules: Rules, data: Any, rng: Rng
) -> Publication[Any]:
    """Recode ``data`` by rules; refused where the release would not keep what is promised.

    Raises
    ------
    DataError
        Where the rules are of another method or about other columns.
    InfeasibleError
        Where the promise would be broken, or could not be checked.
    """
    if entry.rules is None:
        raise _without_rules(entry, "rules")
    if rules.method != entry.name or isinstance(rules, SetRules) != isinstance(data, Transactions):
        msg = (
            f"the rules are of {rules.method}, and this is {entry.name}; rules hold for one method"
        )
        raise DataError(msg)
    plan = entry.rules.plan(method, rules, data, rng)
    made: Publication[Any] = method.carry_out(plan, data, rng)
    if verify(made.release, key=made.linkage_key).by_parts is not True:
        msg = (
            "by these rules the release would not keep its promise on these data, so nothing was "
            "written; decide anew, without rules"
        )
        raise InfeasibleError(msg)
    return made


def rules_shown_by(entry: Entry, method: Any, made: Publication[Any], data: Any) -> Rules:
    """Return the rules that a release shows, refused where they do not do for its own data."""
    if entry.rules is None:
        raise _without_rules(entry, "save_rules")
    rules = entry.rules.of_release(made.release)
    try:
        published_by_rules(entry, method, rules, data, randomness.seeded(0))
    except InfeasibleError:
        msg = (
            "single records were recoded in a way of their own, which no rule can say: nothing was "
            "written; for km-anonymity choose `suppression` items or none"
        )
        raise InfeasibleError(msg, parameter="suppression") from None
    return rules


def _without_rules(entry: Entry, field: str) -> ParameterError:
    msg = f"`{field}` is for methods that recode values alike everywhere, and {entry.name} is none"
    return ParameterError(msg, parameter=field)
