"""Ready-made systems: each function returns a model with the numbers of one run."""

from sympact.models.balls.ball_ceiling_spring import ball_ceiling_spring
from sympact.models.balls.bead_on_hill import bead_on_hill
from sympact.models.balls.bouncing_ball import bouncing_ball
from sympact.models.balls.newtons_cradle import newtons_cradle
from sympact.models.balls.rolling_ball import rolling_ball
from sympact.models.balls.struck_stack import struck_stack
from sympact.models.balls.superball import superball
from sympact.models.blocks.belt_oscillator import belt_oscillator
from sympact.models.blocks.block_on_belt import block_on_belt
from sympact.models.blocks.dice import dice
from sympact.models.blocks.dropped_cube import dropped_cube
from sympact.models.blocks.falling_rod import falling_rod
from sympact.models.blocks.hopping_disc import hopping_disc
from sympact.models.blocks.jack_in_a_box import jack_in_a_box
from sympact.models.blocks.mass_spring_damper import mass_spring_damper
from sympact.models.blocks.rocking_block import rocking_block
from sympact.models.blocks.rod_on_wall import rod_on_wall
from sympact.models.blocks.shaking_table import shaking_table
from sympact.models.blocks.sliding_block import sliding_block
from sympact.models.blocks.tumbling_cube import tumbling_cube
from sympact.models.linkages.cart_pole import cart_pole
from sympact.models.linkages.compass_walker import compass_walker
from sympact.models.linkages.double_pendulum import double_pendulum
from sympact.models.linkages.kane_pendulum import kane_pendulum
from sympact.models.linkages.pendulum import pendulum
from sympact.models.linkages.rimless_wheel import rimless_wheel
from sympact.models.linkages.two_links import two_links
from sympact.models.linkages.woodpecker import woodpecker
from sympact.models.ready import ReadyModel, ReadyProcess
from sympact.native.renamed import renamed_name
from sympact.native.sentences.refused_calls import explain_public, unknown_name

__all__ = [
    "ReadyModel",
    "ReadyProcess",
    "ball_ceiling_spring",
    "bead_on_hill",
    "belt_oscillator",
    "block_on_belt",
    "bouncing_ball",
    "cart_pole",
    "compass_walker",
    "dice",
    "double_pendulum",
    "dropped_cube",
    "falling_rod",
    "hopping_disc",
    "jack_in_a_box",
    "kane_pendulum",
    "mass_spring_damper",
    "newtons_cradle",
    "pendulum",
    "rimless_wheel",
    "rocking_block",
    "rod_on_wall",
    "rolling_ball",
    "shaking_table",
    "sliding_block",
    "struck_stack",
    "superball",
    "tumbling_cube",
    "two_links",
    "woodpecker",
]

_RENAMED = {"Ready": "ReadyModel"}


def __getattr__(name: str) -> object:
    """Support names of the previous version (PEP 562)."""
    new = renamed_name("sympact.models", name, _RENAMED)
    if new is None:
        raise unknown_name("sympact.models", name, __all__)
    return globals()[new]


explain_public(globals())
