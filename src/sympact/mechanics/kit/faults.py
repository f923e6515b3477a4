"""Faults of a model, collected while it is read and raised together."""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["Faults"]


@dataclass(frozen=True, slots=True)
class Faults:
    """A list of sentences, one for each fault, so that the user sees all of them at once.

    Examples
    --------
    >>> faults = Faults("the model cannot be built")
    >>> faults.add("the body 'rod' has no mass")
    >>> faults.throw()
    Traceback (most recent call last):
        ...
    ValueError: the model cannot be built: the body 'rod' has no mass
    """

    heading: str
    sentences: list[str] = field(default_factory=list)

    def add(self, sentence: str) -> None:
        """Add a fault; the same sentence counts once."""
        if sentence not in self.sentences:
            self.sentences.append(sentence)

    def throw(self) -> None:
        """Raise the collected faults; do nothing when there is none.

        Raises
        ------
        ValueError
            With the one sentence, or with a numbered line for each.
        """
        if not self.sentences:
            return
        if len(self.sentences) == 1:
            raise ValueError(f"{self.heading}: {self.sentences[0]}")
        lines = "\n".join(f"  {number}. {sentence}" for number, sentence in enumerate(self.sentences, 1))
        raise ValueError(f"{self.heading}, for {len(self.sentences)} reasons:\n{lines}")
