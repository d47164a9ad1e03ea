"""A tree whose operator does not commute: adjacent parts, and halves."""

from svg import Picture


def _levels(values, halves):
    """[(values, pairs of places in the level before)] for "the last one that is not 0"."""
    levels = [(list(values), [])]
    while len(levels[-1][0]) > 1:
        now = levels[-1][0]
        half = len(now) // 2
        pairs = [(i, i + half) if halves else (2 * i, 2 * i + 1) for i in range(half)]
        levels.append(([now[r] or now[l] for l, r in pairs], pairs))
    return levels


def last_one(values=(5, 0, 7, 9, 0, 3, 0, 0)):
    """The second row of the tiny example of the lab operators."""
    right = next(v for v in reversed(values) if v)
    adjacent, halves = _levels(values, False), _levels(values, True)
    got = [levels[-1][0][0] for levels in (adjacent, halves)]
    p = Picture("operator-trees", "A tree of adjacent parts, and one of halves", f"""
        The values {', '.join(map(str, values))}; kLast takes the right one of two unless it is 0. In the tree of adjacent parts 0 is
        combined with 1, 2 with 3 and so on, and the result is {got[0]}, which is the last value that is not 0. In the tree that
        halves, 0 is combined with {len(values) // 2}, 1 with {len(values) // 2 + 1} and so on. The left part of a combination then has
        values that stand after some of the right part, and the result is {got[1]}, where {right} is right.""")
    w, step = 36, 60
    for x0, title, levels in ((12, "adjacent parts", adjacent), (362, "halves", halves)):
        good = levels[-1][0][0] == right
        p.text(x0, 20, f"{title}: {levels[-1][0][0]}, {'right' if good else 'wrong'}", kind="bold")
        centres = [x0 + i * w + w / 2 for i in range(len(values))]
        for i in range(len(values)):
            p.text(centres[i], 42, i, "middle", "small soft")
        for n, (now, pairs) in enumerate(levels):
            y = 50 + n * step
            before = centres
            if pairs:
                centres = [(before[l] + before[r]) / 2 for l, r in pairs] if levels is adjacent else before[:len(pairs)]
            for i, (l, r) in enumerate(pairs):
                p.arrow(before[l], y - step + 25, centres[i] - 4, y - 1, "line")
                p.arrow(before[r], y - step + 25, centres[i] + 4, y - 1)
            for i, value in enumerate(now):
                fill = "a" if n == 0 else "c" if n + 1 < len(levels) or good else "b"
                p.cell(centres[i] - w / 2, y, value, fill, w)
    p.text(12, 50 + len(adjacent) * step, "grey lines: the left part; blue lines: the right part, which counts unless it is 0", kind="soft")
    return p


def pictures(_root):
    return [last_one()]
