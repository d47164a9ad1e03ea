"""A scan of maps: how the steps of a linear recurrence are combined."""

from svg import Picture


def _combine(first, second):
    return second[0] * first[0], second[0] * first[1] + second[1]


def maps(a=(2, 3, 1, 5), x=(1, 1, 4, 2), start=1):
    """The tiny example of the lab recurrence, by doubling."""
    n = len(a)
    now, d = list(zip(a, x)), 1
    rows = [("maps", list(now), [], ["a"] * n)]
    while d < n:
        now = [_combine(now[i - d], now[i]) if i >= d else now[i] for i in range(n)]
        rows.append((f"d = {d}", list(now), [(i - d, i) for i in range(d, n)] + [(i, i) for i in range(n)],
                     ["c" if i >= d else "off" for i in range(n)]))
        d *= 2
    results = [m * start + b for m, b in now]
    first, second = rows[0][1][:2]
    p = Picture("maps-scan", "A scan of maps", f"""
        {n} steps of a recurrence, each the map of x to a x + b: {', '.join(map(str, rows[0][1]))}. In the step of distance d every map
        is combined with the map d places before it, which comes first. {first}, then {second}, is {_combine(first, second)}. After
        {len(rows) - 1} steps each map is the composition of all up to its place: {', '.join(map(str, now))}. Applied to the start
        {start} they give {', '.join(map(str, results))}.""")
    w, gap, ox, step = 84, 24, 90, 62
    for r, (name, values, arrows, fills) in enumerate(rows):
        y = 16 + r * step
        p.text(10, y + 17, name)
        for source, target in arrows:
            p.arrow(ox + source * (w + gap) + w / 2, y - step + 25, ox + target * (w + gap) + w / 2 - (6 if source != target else -6), y - 1,
                    "go" if source != target else "line")
        for i, (m, b) in enumerate(values):
            p.cell(ox + i * (w + gap), y, f"({m}, {b})", fills[i], w)
    y = 16 + len(rows) * step
    p.text(10, y + 17, "x")
    for i, ((m, b), result) in enumerate(zip(now, results)):
        p.arrow(ox + i * (w + gap) + w / 2, y - step + 25, ox + i * (w + gap) + w / 2, y - 1, "line")
        p.cell(ox + i * (w + gap), y, result, "b", w)
        p.text(ox + i * (w + gap) + w / 2, y + 40, f"{m} * {start} + {b}", "middle", "small soft")
    p.text(10, y + 64, f"{first}, then {second}: ({second[0]} * {first[0]}, {second[0]} * {first[1]} + {second[1]}) = {_combine(first, second)}",
           kind="soft")
    return p


def pictures(_root):
    return [maps()]
