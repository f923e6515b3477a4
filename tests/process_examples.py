"""The examples that are processes, which build them in their scripts."""

PROCESSES = ("thermostat", "two_tanks")
