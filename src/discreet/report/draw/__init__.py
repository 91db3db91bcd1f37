"""Pictures as SVG, drawn here: small, in the page's own colours, and told in words as well."""

from discreet.report.draw.bars import Bar, bars
from discreet.report.draw.grid import grid
from discreet.report.draw.lattice import Node, Shape, lattice
from discreet.report.draw.people import people
from discreet.report.draw.plot import Axis, Series, plot
from discreet.report.draw.strip import Interval, strip
from discreet.report.draw.svg import standalone

__all__ = [
    "Axis",
    "Bar",
    "Interval",
    "Node",
    "Series",
    "Shape",
    "bars",
    "grid",
    "lattice",
    "people",
    "plot",
    "standalone",
    "strip",
]
