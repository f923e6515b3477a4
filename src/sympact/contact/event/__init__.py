"""One event of contacts: the phases from the boundaries that fired to the stage entered."""
