"""From a state to the impact or force problem of its contacts, and back."""
