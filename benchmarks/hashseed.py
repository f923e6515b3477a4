"""Same model, same bits: the hash of the graph and of a whole run under several values of PYTHONHASHSEED.

`python benchmarks/hashseed.py` runs all cases in a fresh process per seed, each with its own empty cache, so that the
machine code is made anew, and prints the digests.
"""

import json
import sys
from hashlib import sha256
from tempfile import TemporaryDirectory

import systems
from engine import hybrid_model, parameters
from measure import run_child, show

SEEDS = ("0", "1", "4242")
CASES = {
    "cube, rates": (lambda: systems.cube("rates"), systems.CUBE_END),
    "cube, quaternion": (lambda: systems.cube("quaternion"), systems.CUBE_END),
    "two links": (systems.two_links, systems.TWO_LINK_END),
    "spatial chain of 3": (lambda: systems.chain(3, "spatial"), 2.0),
}


def digests() -> dict[str, str]:
    """Graph hash, and digest of the samples, of every case in this process."""
    found = {}
    for name, (build, t_end) in CASES.items():
        case = build()
        model = hybrid_model(case)
        result = model.simulate((0, t_end), case.start, parameters(model, case))
        found[f"{name}: graph"] = model.compile().hash
        found[f"{name}: samples"] = sha256(result.t.tobytes() + result.x.tobytes()).hexdigest()
    return found


def under_seed(seed: str) -> dict[str, str]:
    """The digests of a fresh process with an empty cache."""
    with TemporaryDirectory() as folder:
        return run_child("hashseed.py", "--child", PYTHONHASHSEED=seed, SYMPACT_CACHE_DIR=folder)


def main() -> None:
    """Print the digests and whether they agree."""
    found = [under_seed(seed) for seed in SEEDS]
    rows = []
    for name in found[0]:
        values = [digest[name][:12] for digest in found]
        rows.append([name, *values, "equal" if len(set(values)) == 1 else "DIFFERENT"])
    show("Digests by PYTHONHASHSEED", ["", *SEEDS, ""], rows)


if __name__ == "__main__":
    if sys.argv[1:] == ["--child"]:
        print(json.dumps(digests()))
    else:
        main()
