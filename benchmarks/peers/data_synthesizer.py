"""DataSynthesizer's PrivBayes on a table of zeros and ones; runs in the peers' environment.

``python data_synthesizer.py IN.csv OUT.csv EPSILON DEGREE SEED`` writes the synthetic table and
prints the CPU seconds of learning and sampling, its worker processes included, imports left out.
"""

import resource
import sys
import tempfile
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pandas as pd
from DataSynthesizer.DataDescriber import DataDescriber
from DataSynthesizer.DataGenerator import DataGenerator


def cpu_seconds() -> float:
    """Return the CPU time of this process and of the ones it waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def synthesise(source: Path, target: Path, epsilon: float, degree: int, seed: int) -> float:
    """Write a synthetic copy of ``source`` to ``target``; return the CPU seconds it took."""
    table = pd.read_csv(source)
    categories = dict.fromkeys(table.columns, True)
    before = cpu_seconds()
    with tempfile.TemporaryDirectory() as folder:
        description = str(Path(folder, "description.json"))
        describer = DataDescriber(category_threshold=2)
        describer.describe_dataset_in_correlated_attribute_mode(
            str(source),
            epsilon=epsilon,
            k=degree,
            attribute_to_is_categorical=categories,
            attribute_to_is_candidate_key=dict.fromkeys(table.columns, False),
            seed=seed,
        )
        describer.save_dataset_description_to_file(description)
        generator = DataGenerator()
        generator.generate_dataset_in_correlated_attribute_mode(len(table), description, seed=seed)
    taken = cpu_seconds() - before
    generator.synthetic_dataset.astype(int).to_csv(target, index=False)
    return taken


def main() -> None:
    """Read the command line, keep the peer's chatter to ourselves, print one number."""
    source, target, epsilon, degree, seed = sys.argv[1:]
    with redirect_stdout(StringIO()):
        taken = synthesise(Path(source), Path(target), float(epsilon), int(degree), int(seed))
    print(taken)


if __name__ == "__main__":
    main()
