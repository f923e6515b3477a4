"""Random impacts of one contact of rank one or two under every law: solved or refused rightly, and how often.

`python benchmarks/low_rank_contacts.py [--count 100000] [--seed 0] [--laws Newton Energetic ...]` judges each answer as
`tests/single_contacts.py` does: by momentum, cone, range, energy and the law; a refusal by trying all that a contact
can do (open, stick, every direction of slip) and by the certificate. A fifth of the walls move.
"""

from argparse import ArgumentParser, Namespace
from collections import Counter
from time import perf_counter

from measure import show
from single_contacts import LAWS, judge, random_problem


def arguments() -> Namespace:
    """What the command line asks for."""
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=100_000, help="problems under each law")
    parser.add_argument("--seed", type=int, default=0, help="of the first problem")
    parser.add_argument("--laws", nargs="*", default=list(LAWS), choices=list(LAWS))
    return parser.parse_args()


def main() -> None:
    """Judge the problems and print the counts; what is wrong is listed with its seeds."""
    asked = arguments()
    rows, wrong = [], []
    for name in asked.laws:
        found, start = Counter(), perf_counter()
        for seed in range(asked.seed, asked.seed + asked.count):
            verdict = judge(random_problem(seed), LAWS[name])
            known = verdict in ("solved", "refused", "open")
            found[verdict if known else "wrong"] += 1
            if not known:
                wrong.append((name, seed, verdict))
        counts = [found[verdict] for verdict in ("solved", "refused", "open", "wrong")]
        rows.append((name, *counts, f"{perf_counter() - start:.0f}"))
    head = ("law", "solved", "refused, proven", "on the edge", "wrong", "seconds")
    show(f"{asked.count} single contacts of rank one and two", head, rows)
    for case in wrong[:50]:
        print(*case)


if __name__ == "__main__":
    main()
