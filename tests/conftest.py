"""What every test shares."""

from __future__ import annotations

import os

import numpy as np
from hypothesis import settings

from sympact.native.kernel import interpreted

settings.register_profile("sympact", deadline=None, derandomize=True)
settings.load_profile("sympact")

os.environ.setdefault("SYMPACT_ENGINE", "compiled")  # also of the processes that tests start

if interpreted():
    # As machine code the kernels follow IEEE in silence: 1/0 is infinite, and NaN is looked for where it matters.
    np.seterr(all="ignore")
