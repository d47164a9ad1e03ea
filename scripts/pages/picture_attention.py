"""Tiles of keys and values that pass by a query: the online softmax of the lab attention."""

from math import exp

from svg import Picture


def online_softmax(scores=(1, 3, 2, 5), values=(10, 20, 30, 40), tile=2):
    """One query; what is kept after each tile: the largest score, the sum and the weighted values."""
    largest, total, result, steps = None, 0.0, 0.0, []
    for first in range(0, len(scores), tile):
        part = scores[first:first + tile]
        now = max(part) if largest is None else max(largest, *part)
        factor = 0.0 if largest is None else exp(largest - now)
        weights = [exp(s - now) for s in part]
        total = total * factor + sum(weights)
        result = result * factor + sum(w * v for w, v in zip(weights, values[first:]))
        steps.append((first, weights, largest, now, factor, total, result))
        largest = now
    told = " ".join(
        f"After tile {i + 1} the largest score is {now}, the sum {total:.3f} and the result {result:.2f}."
        for i, (_, _, _, now, _, total, result) in enumerate(steps))
    p = Picture("online-softmax", "Tiles of K and V pass by a query", f"""
        One query and {len(scores)} keys, in tiles of {tile}. In each step a tile of K gives scores, whose exponentials weight a tile
        of V. What was summed up before is multiplied by a factor, as the largest score has changed. {told} At the end the result is
        divided by the sum: {result / total:.2f}.""")
    w, h, ox = 44, 24, 96
    for i, (first, weights, before, now, factor, total, result) in enumerate(steps):
        y = 30 + i * 158
        p.text(10, y - 10, f"tile {i + 1}", kind="bold")
        p.text(10, y + 42, "scores")
        p.text(10, y + 72, "weights")
        p.text(10, y + 102, "V")
        p.text(10, y + 12, "K")
        for j, (score, value) in enumerate(zip(scores, values)):
            here = first <= j < first + tile
            x = ox + j * w
            p.cell(x, y - 4, f"key {j}", "a" if here else "off", w, h, small=True)
            p.cell(x, y + 26, score if here else "", "a" if here else "none", w, h)
            p.cell(x, y + 56, f"{weights[j - first]:.3f}" if here else "", "c" if here else "none", w, h, small=True)
            p.cell(x, y + 86, value, "b" if here else "off", w, h)
        p.frame(ox + first * w, y - 4, tile * w, 114, "go")
        x = ox + len(scores) * w
        p.arrow(x + 6, y + 68, x + 34, y + 68)
        x += 42
        old = "nothing before" if before is None else f"before times exp({before} - {now}) = {factor:.3f}"
        p.text(x, y + 12, old, kind="soft")
        for k, (name, text) in enumerate([("largest", now), ("sum", f"{total:.3f}"), ("result", f"{result:.2f}")]):
            p.text(x, y + 42 + 30 * k, name)
            p.cell(x + 60, y + 26 + 30 * k, text, "d", 64, h)
    p.text(10, 30 + len(steps) * 158, f"output: {result:.2f} / {total:.3f} = {result / total:.2f}; no array of {len(scores)} weights was needed",
           kind="soft")
    return p


def pictures(_root):
    return [online_softmax()]
