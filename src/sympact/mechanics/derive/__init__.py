"""The derivation: dynamics, gaps, slip, energies, conditions of branches."""
