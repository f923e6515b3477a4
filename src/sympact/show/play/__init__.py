"""An interactive page."""
