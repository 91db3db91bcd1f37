"""Publishing by rules of an earlier release, where the promise holds on the new data as well."""

from typing import Any

from discreet.catalog import Entry
from discreet.core.publication import Publication
from discreet.core.rules import Rules, SetRules
from discreet.core.transactions import Transactions
from discreet.errors import DataError, InfeasibleError, ParameterError
from discreet.rng import Rng, seeded
from discreet.verify import verify


def refuse_unruled(entry: Entry, method: Any, field: str) -> None:
    """Refuse, before any work, a method without rules or with choices that no rule can say.

    Parameters
    ----------
    entry
        The method as it is offered.
    method
        Its parameters.
    field
        The option that asks: ``rules`` or ``save_rules``.

    Raises
    ------
    ParameterError
        Where the release could not be told by rules.
    """
    if entry.rules is None:
        why = f": {entry.no_rules}" if entry.no_rules else ""
        msg = (
            f"`{field}` is for methods that recode a value the same everywhere, and {entry.name} "
            f"is not one of them{why}"
        )
        raise ParameterError(msg, parameter=field)
    reason = entry.rules.unsaid(method) if entry.rules.unsaid else None
    if field == "save_rules" and reason is not None:
        raise ParameterError(reason, parameter="suppression")


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
    refuse_unruled(entry, method, "rules")
    assert entry.rules is not None, "methods without rules are refused"
    if rules.method != entry.name or isinstance(rules, SetRules) != isinstance(data, Transactions):
        msg = (
            f"the rules are of {rules.method}, and this is {entry.name}; rules hold for one method"
        )
        raise DataError(msg)
    plan = entry.rules.plan(method, rules, data, rng)
    made: Publication[Any] = method.carry_out(plan, data, rng)
    verdicts = verify(made.release, key=made.linkage_key, against=data)
    if verdicts.by_parts is not True:
        msg = (
            "by these rules the release would not keep its promise on these data, so nothing was "
            "written; decide anew, without rules"
        )
        raise InfeasibleError(msg)
    return made


def rules_shown_by(entry: Entry, method: Any, made: Publication[Any], data: Any) -> Rules:
    """Return the rules that a release shows, refused where they do not do for its own data."""
    refuse_unruled(entry, method, "save_rules")
    assert entry.rules is not None, "methods without rules are refused"
    rules = entry.rules.of_release(made.release)
    try:
        published_by_rules(entry, method, rules, data, seeded(0))
    except InfeasibleError:
        msg = (
            "single records were recoded in a way of their own, which no rule can say: nothing was "
            "written; choose `suppression` items"
        )
        raise InfeasibleError(msg, parameter="suppression") from None
    return rules
