"""How attackable data and releases are as they stand, in numbers a custodian knows."""

from discreet.risk.degrees import degrees_risk, graph_profile, network_profile
from discreet.risk.disclosure import attribute_disclosure
from discreet.risk.known_items import singled_out
from discreet.risk.population import population_uniqueness
from discreet.risk.profile import profile, sets_risk
from discreet.risk.reidentification import Population, reidentification
from discreet.risk.release import release_risk
from discreet.risk.table_profile import table_profile, table_risk

__all__ = [
    "Population",
    "attribute_disclosure",
    "degrees_risk",
    "graph_profile",
    "network_profile",
    "population_uniqueness",
    "profile",
    "reidentification",
    "release_risk",
    "sets_risk",
    "singled_out",
    "table_profile",
    "table_risk",
]
