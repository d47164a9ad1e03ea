"""Which programs scripts/check_claims runs, and what is untrue in their headlines."""

import hashlib


def chosen_attempts(labels, lab):
    """Names of a lab's attempts; those that are kept out of all tuning are not among them."""
    return [name for name, label in sorted(labels.items())
            if name.split("/")[0] == lab and not label.get("held_out", False)]


def chosen_mutants(files, most):
    """The first ones by a hash of their names: a sample that does not change."""
    return sorted(files, key=lambda file: hashlib.sha256(file.stem.encode()).hexdigest())[:most]


def complaints(said):
    """[(for whom, headline, what is untrue)] of a program's headlines."""
    return [(audience, said[audience]["summary"], claim) for audience in ("all", "shown")
            for claim in said[audience]["untrue"]]
