"""Same model, same bits: the hash of the graph and of a whole run under several values of PYTHONHASHSEED.

`python benchmarks/hashseed.py` runs each case in a fresh process per seed, with one shared cache and with none, and
prints the digests.
"""

import json
import sys
from hashlib import sha256

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


def digests(name: str) -> dict[str, str]:
    """Graph hash, and digest of the samples, of one case in this process."""
    build, t_end = CASES[name]
    case = build()
    model = hybrid_model(case)
    result = model.simulate((0, t_end), case.start, parameters(model, case))
    samples = sha256(result.t.tobytes() + result.x.tobytes()).hexdigest()
    return {"graph": model.compile().hash, "samples": samples}


def main() -> None:
    """Print the digests and whether they agree."""
    rows = []
    for name in CASES:
        found = [
            run_child("hashseed.py", "--child", name, PYTHONHASHSEED=seed, SYMPACT_CACHE_DIR=cache)
            for seed in SEEDS
            for cache in ("off",)
        ]
        for kind in ("graph", "samples"):
            values = [digest[kind][:12] for digest in found]
            rows.append([f"{name}: {kind}", *values, "equal" if len(set(values)) == 1 else "DIFFERENT"])
    show("Digests by PYTHONHASHSEED", ["", *SEEDS, ""], rows)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        print(json.dumps(digests(sys.argv[2])))
    else:
        main()
