"""Bilateral constraints: the motion that they leave, their formulations, and the projection of states onto them."""
