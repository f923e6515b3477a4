"""Ready-made systems: each function returns a model together with the numbers of one run."""

from sympact.models.ball_ceiling_spring import ball_ceiling_spring
from sympact.models.bead_on_hill import bead_on_hill
from sympact.models.belt_oscillator import belt_oscillator
from sympact.models.block_on_belt import block_on_belt
from sympact.models.bouncing_ball import bouncing_ball
from sympact.models.cart_pole import cart_pole
from sympact.models.compass_walker import compass_walker
from sympact.models.dice import dice
from sympact.models.double_pendulum import double_pendulum
from sympact.models.dropped_cube import dropped_cube
from sympact.models.falling_rod import falling_rod
from sympact.models.hopping_disc import hopping_disc
from sympact.models.jack_in_a_box import jack_in_a_box
from sympact.models.kane_pendulum import kane_pendulum
from sympact.models.newtons_cradle import newtons_cradle
from sympact.models.pendulum import pendulum
from sympact.models.ready import Ready, ReadyProcess
from sympact.models.rimless_wheel import rimless_wheel
from sympact.models.rocking_block import rocking_block
from sympact.models.rod_on_wall import rod_on_wall
from sympact.models.rolling_ball import rolling_ball
from sympact.models.shaking_table import shaking_table
from sympact.models.sliding_block import sliding_block
from sympact.models.struck_stack import struck_stack
from sympact.models.superball import superball
from sympact.models.tumbling_cube import tumbling_cube
from sympact.models.two_links import two_links
from sympact.models.woodpecker import woodpecker

__all__ = [
    "Ready",
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
