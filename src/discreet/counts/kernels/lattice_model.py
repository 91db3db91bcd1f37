"""A log-linear model over all sets of a small universe: its transforms, and its unbiased rounding.

A set is the number whose bits are its items. What is known of every set stands in one array of
``2**d`` numbers, so that a transform visits one item after the other.
"""

import numpy as np
from numpy.typing import NDArray

from discreet.compiled import kernel

__all__ = ["absolute_errors", "adjoint", "expected", "field", "pushed_down", "rounded_up", "uphill"]

Table = NDArray[np.float64]


@kernel
def field(values: Table, absent: Table, present: Table) -> None:
    """Turn weights of item groups into their weighted products at every set, in place.

    An item adds the factor ``present`` to the groups it belongs to where a set holds it, and
    ``absent`` where it does not.
    """
    half = 1
    for item in range(len(absent)):
        without, with_it = absent[item], present[item]
        for begin in range(0, len(values), 2 * half):
            for at in range(begin, begin + half):
                constant, slope = values[at], values[at + half]
                values[at] = constant + without * slope
                values[at + half] = constant + with_it * slope
        half *= 2


@kernel
def adjoint(values: Table, absent: Table, present: Table) -> None:
    """Sum a number of every set into the item groups it weighs on: the transpose of ``field``."""
    half = 1
    for item in range(len(absent)):
        without, with_it = absent[item], present[item]
        for begin in range(0, len(values), 2 * half):
            for at in range(begin, begin + half):
                low, high = values[at], values[at + half]
                values[at] = low + high
                values[at + half] = without * low + with_it * high
        half *= 2


@kernel
def expected(
    grids: NDArray[np.float64],
    information: NDArray[np.float64],
    shapes: Table,
    shape: NDArray[np.int64],
    log_mean: Table,
    noisy: NDArray[np.int64],
    first: tuple[float, float, int, int],
    inside: NDArray[np.bool_],
) -> Table:
    """Look up for each set what its noisy count says, given the mean the model expects of it.

    ``first`` is where the grids begin and how fine they are in the log of the mean, and the least
    and the largest noisy count they hold. The rows of the answer: posterior mean, log likelihood,
    posterior variance, slope of the likelihood, and the information a count holds.
    """
    start, step, least, most = first
    points = grids.shape[2]
    moments = np.zeros((5, len(log_mean)))
    for at in range(len(log_mean)):
        if not inside[at]:
            continue
        kind, mean, count = shape[at], np.exp(log_mean[at]), noisy[at]
        a = shapes[kind]
        position = min(max((log_mean[at] - start) / step, 0.0), points - 1.0001)
        low = int(position)
        frac = position - low
        moments[4, at] = information[kind, low] * (1 - frac) + information[kind, low + 1] * frac
        if count > most:
            # so large that the noise hardly matters
            moments[0, at] = count
            moments[1, at] = count * np.log(mean / (a + mean)) + a * np.log(a / (a + mean))
            moments[2, at] = -1.0
        else:
            column = max(count, least) - least
            for row in range(3):
                grid = grids[row, kind]
                moments[row, at] = grid[low, column] * (1 - frac) + grid[low + 1, column] * frac
        moments[3, at] = (moments[0, at] - mean) * a / (a + mean)
    return moments


@kernel
def uphill(
    grid: NDArray[np.float64],
    shapes: Table,
    sizes: NDArray[np.int64],
    log_mean: Table,
    noisy: NDArray[np.int64],
    first: tuple[float, float, int, int],
    totals: NDArray[np.int64],
    noise: Table,
) -> tuple[float, Table, Table]:
    """Return the log likelihood of all counts, and its slope in each set's log mean.

    ``grid`` holds for each size, noisy count and log of the mean the posterior mean and the log
    likelihood, ``shapes`` the shape of each size; ``first`` is as for ``expected``. ``totals`` are
    the noisy numbers of sets of each size up to the largest that can occur, ``noise`` their
    variances. The slope is also summed over the sets of each size.
    """
    start, step, least, most = first
    last = grid.shape[2] - 1.0001
    slope, means = np.zeros(len(log_mean)), np.zeros(len(log_mean))
    expected_totals, slopes = np.zeros(len(noise)), np.zeros(len(noise))
    value = 0.0
    for at in range(len(log_mean)):
        size = sizes[at]
        if size >= len(totals):
            continue
        mean, a, count = np.exp(log_mean[at]), shapes[size], noisy[at]
        if count > most:
            posterior = float(count)
            value += count * np.log(mean / (a + mean)) + a * np.log(a / (a + mean))
        else:
            position = min(max((log_mean[at] - start) / step, 0.0), last)
            low = int(position)
            frac = position - low
            cells = grid[size, max(count, least) - least]
            posterior = cells[low, 0] * (1 - frac) + cells[low + 1, 0] * frac
            value += cells[low, 1] * (1 - frac) + cells[low + 1, 1] * frac
        means[at] = mean
        slope[at] = (posterior - mean) * a / (a + mean)
        expected_totals[size] += mean
    pull = np.zeros(len(noise))
    for size in range(len(totals)):
        pull[size] = (expected_totals[size] - totals[size]) / noise[size]
        value -= 0.5 * pull[size] ** 2 * noise[size]
    for at in range(len(log_mean)):
        slope[at] -= pull[sizes[at]] * means[at]
        slopes[sizes[at]] += slope[at]
    return value, slope, slopes


@kernel
def rounded_up(fractions: Table, order: NDArray[np.int64], chances: Table) -> NDArray[np.bool_]:
    """Choose the sets whose fraction becomes one, so that each is right on average.

    Pivotal sampling: fractions meet along one item after the other, and of two that meet one is
    settled, so that the sum over any sets that agree on the later items is off by less than one.
    """
    left = fractions.copy()
    up = np.zeros(len(left), dtype=np.bool_)
    holder = np.arange(len(left))
    merged, used = 0, 0
    for item in order:
        bit = 1 << item
        for at in range(len(left)):
            if at & merged or at & bit:
                continue
            one, other = holder[at], holder[at | bit]
            total = left[one] + left[other]
            if left[one] <= 0.0:
                holder[at] = other
                continue
            if left[other] <= 0.0:
                continue
            chance = chances[used]
            used += 1
            if total < 1.0:
                stays = chance * total < left[one]
                keeper, loser = (one, other) if stays else (other, one)
                left[keeper], left[loser] = total, 0.0
                holder[at] = keeper
            else:
                first = chance * (2.0 - total) < 1.0 - left[other]
                settled, keeper = (one, other) if first else (other, one)
                up[settled] = True
                left[settled], left[keeper] = 0.0, total - 1.0
                holder[at] = keeper
        merged |= bit
    last = holder[0]
    if chances[used] < left[last]:
        up[last] = True
    return up


@kernel
def absolute_errors(supports: Table, costs: Table, answers: Table) -> tuple[float, Table]:
    """Return what answers cost that are wrong by so many people, and whether more would cost more.

    A row a set and a column a table that may be the true one: its supports, and the cost of an
    error of one person. The slope is in each answer.
    """
    slope = np.zeros(len(answers))
    loss = 0.0
    for index in range(len(answers)):
        answer = answers[index]
        for table in range(supports.shape[1]):
            cost, above = costs[index, table], answer - supports[index, table]
            if above > 0.0:
                loss += cost * above
                slope[index] += cost
            elif above < 0.0:
                loss -= cost * above
                slope[index] -= cost
    return loss, slope


@kernel
def pushed_down(
    table: Table, supports: Table, doubtful: NDArray[np.bool_], largest_first: NDArray[np.int64]
) -> Table:
    """Move what doubtful sets have to the best supported set that lacks one of their items.

    A set that contains a doubtful one is doubtful too; ``doubtful`` is completed in place.
    """
    half = 1
    while half < len(table):
        for begin in range(0, len(table), 2 * half):
            for at in range(begin, begin + half):
                if doubtful[at]:
                    doubtful[at + half] = True
        half *= 2
    left = table.copy()
    for at in largest_first:
        if not doubtful[at] or left[at] <= 0.0 or at == 0:
            continue
        best, support, sure = -1, -1.0, False
        bit = 1
        while bit <= at:
            if at & bit:
                smaller = at ^ bit
                trusted = not doubtful[smaller]
                if (trusted and not sure) or (trusted == sure and supports[smaller] > support):
                    best, support, sure = smaller, supports[smaller], trusted
            bit *= 2
        left[best] += left[at]
        left[at] = 0.0
    return left
