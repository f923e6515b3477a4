"""Ready-made systems: each function returns a model together with the numbers of one run."""

from sympact.models.ball_ceiling_spring import ball_ceiling_spring
from sympact.models.ready import Ready, ReadyProcess
from sympact.models.tumbling_cube import tumbling_cube
from sympact.models.two_links import two_links

__all__ = ["Ready", "ReadyProcess", "ball_ceiling_spring", "tumbling_cube", "two_links"]
