"""Which lanes of a warp work when: a branch, and the four curves of the lab paths."""

from svg import Picture

CHANNELS = "rgba"
HUES = dict(zip(CHANNELS, "dcab"))


def _steps(p, x, y, warp, steps, w, h):
    """steps: (label, text and fill for each lane or None where it waits)."""
    for s, (label, lanes) in enumerate(steps):
        p.text(x, y + s * (h + 4) + 16, label)
        for t, lane in enumerate(lanes):
            text, fill = lane or ("", "off")
            p.cell(x + 74 + t * w, y + s * (h + 4), text, fill, w, h)


def diverging(warp=8):
    """A condition by lane, and one by warp."""
    both = [("condition", [("?", "none")] * warp)]
    by_lane = [both + [("a()", [("a", "a") if t % 2 == 0 else None for t in range(warp)]),
                       ("b()", [("b", "b") if t % 2 else None for t in range(warp)]),
                       ("after", [("", "c")] * warp)] for _ in range(2)]
    by_warp = [both + [("a()" if v == 0 else "b()", [("ab"[v], "ab"[v])] * warp), ("after", [("", "c")] * warp)] for v in range(2)]
    p = Picture("diverging-warp", "A branch that divides a warp, and one that does not", f"""
        Two warps, drawn with {warp} lanes instead of 32. On the left the condition is threadIdx.x % 2: each warp first executes
        a() with {warp // 2} lanes while the others wait, then b() with the others, and then all lanes go on together. On the right the
        condition is the same for all lanes of a warp: warp 0 executes a() and warp 1 b(), with all lanes. The left side takes
        {len(by_lane[0])} steps for each warp, the right side {len(by_warp[0])}.""")
    w, h = 28, 22
    for x, title, plans in ((10, "if (threadIdx.x % 2 == 0)", by_lane), (366, "if (threadIdx.x / 32 % 2 == 0)", by_warp)):
        p.text(x, 20, title, kind="bold")
        for v, steps in enumerate(plans):
            y = 60 + v * 144
            p.text(x, y - 8, f"warp {v}")
            for t in range(warp):
                p.text(x + 74 + t * w + w / 2, y - 8, t, "middle", "small soft")
            _steps(p, x, y, warp, steps, w, h)
    p.text(10, 60 + 2 * 144 - 8, "time goes down; grey: lanes that wait while others of their warp work", kind="soft")
    return p


def channels(pixels=2, warp=4):
    """The tiny example: samples by lane, and by the rows of a tile."""
    samples = [(c, i) for i in range(pixels) for c in CHANNELS]
    rows = [(c, i) for c in CHANNELS for i in range(pixels)]

    def plan(order):
        warps = []
        for first in range(0, len(order), warp):
            own = order[first:first + warp]
            warps.append([(name, [(f"{c}{i}", HUES[c]) if c == name else None for c, i in own])
                          for name in CHANNELS if any(c == name for c, _ in own)])
        return warps

    by_lane, by_row = plan(samples), plan(rows)
    p = Picture("paths-channels", "Four curves in a warp, and two", f"""
        {pixels} pixels of four samples, and warps of {warp} lanes. If a thread takes the sample of its own number, each warp has
        samples of all channels and executes {len(by_lane[0])} curves, each with one lane. {sum(map(len, by_lane))} steps in all. If
        the samples are sorted by channel in shared memory first, each warp has two channels and executes {len(by_row[0])} curves, each
        with {pixels} lanes. {sum(map(len, by_row))} steps in all. Rows as long as a warp would leave one curve for each warp.""")
    w, h = 36, 22
    curve = dict(zip(CHANNELS, ("red", "green", "blue", "alpha")))
    for x, title, order, plans in ((10, "thread i takes sample i", samples, by_lane), (330, "threads take the rows of a tile", rows, by_row)):
        p.text(x, 20, f"{title}: {sum(map(len, plans))} steps", kind="bold")
        y = 34
        for v, steps in enumerate(plans):
            p.text(x, y + 17, f"warp {v} has")
            for t, (c, i) in enumerate(order[v * warp:(v + 1) * warp]):
                p.cell(x + 94 + t * w, y, f"{c}{i}", HUES[c], w, h)
            p.frame(x + 94, y, warp * w, h, "line")
            _steps(p, x + 20, y + 32, warp, [(curve[name], lanes) for name, lanes in steps], w, h)
            y += 46 + len(steps) * (h + 4)
    p.text(10, 34 + len(by_lane) * (46 + len(by_lane[0]) * (h + 4)) + 6, "time goes down; grey: lanes that wait", kind="soft")
    return p


def pictures(_root):
    return [diverging(), channels()]
