"""Pictures of steps over an array: reduction and scan trees, private histograms, look-back."""

from svg import Picture

W, STEP = 40, 62


def _steps(p, x, y, rows):
    """rows: (label, values, fill per place, [(from, to)]): arrows lead from one row to the next."""
    for r, (label, values, fills, arrows) in enumerate(rows):
        top = y + r * STEP
        p.text(10, top + 16, label)
        for source, target in arrows:
            p.arrow(x + source * W + W / 2, top - STEP + 25, x + target * W + W / 2, top - 1,
                    "go" if source != target else "line")
        for i, value in enumerate(values):
            p.cell(x + i * W, top, value, fills[i], W)
    return y + len(rows) * STEP


def _tree(name, title, values, halving):
    n = len(values)
    rows = [("loaded", list(values), ["a"] * n, [])]
    now, stride, active = list(values), n // 2 if halving else 1, []
    while 1 <= stride < n:
        who = [t for t in range(n) if (t < stride if halving else t % (2 * stride) == 0)]
        for t in who:
            now[t] += now[t + stride]
        shown = [now[i] if i in who else "" for i in range(n)]
        fills = ["c" if i in who else "off" for i in range(n)]
        arrows = [(t, t) for t in who] + [(t + stride, t) for t in who]
        rows.append((f"stride {stride}", shown, fills, arrows))
        active.append(who)
        stride = stride // 2 if halving else stride * 2
    who = "; ".join("threads " + ", ".join(map(str, w)) for w in active)
    p = Picture(name, title, f"""
        {n} values in a row. In each step the remaining threads add the value {'half as far away as in the step before'
        if halving else 'twice as far away as in the step before'}, with a barrier between steps. Active are: {who}.
        {'The active threads stay together at the front, so whole warps become idle.' if halving else
        'The active threads are spread over the block, so every warp keeps some, and diverges.'} The sum is {now[0]}.""")
    p.text(10, 22, "thread", kind="soft")
    for i in range(n):
        p.text(110 + i * W + W / 2, 22, i, "middle", "small soft")
    bottom = _steps(p, 110, 32, rows)
    p.text(10, bottom - 18, "grey: threads without an addition in this step; a barrier follows each row", kind="soft")
    return p


def kogge_stone(values):
    n, now, d = len(values), list(values), 1
    rows, adds = [("values", list(values), ["a"] * n, [])], 0
    while d < n:
        arrows = [(i - d, i) for i in range(d, n)] + [(i, i) for i in range(n)]
        now = [now[i] + now[i - d] if i >= d else now[i] for i in range(n)]
        adds += n - d
        rows.append((f"d = {d}", list(now), ["c" if i >= d else "off" for i in range(n)], arrows))
        d *= 2
    p = Picture("scan-kogge-stone", "Scan by doubling (Kogge-Stone)", f"""
        {n} values. In the step of distance d = 1, 2, 4 every element adds the one d places before it; the first d
        elements are complete and stay as they are. {len(rows) - 1} steps, {adds} additions. The last row has all
        inclusive sums: {', '.join(map(str, now))}.""")
    bottom = _steps(p, 90, 16, rows)
    p.text(10, bottom - 18, f"{len(rows) - 1} steps, {adds} additions; grey: complete, only copied", kind="soft")
    return p


def brent_kung(values):
    n, now = len(values), list(values)
    rows, adds = [("values", list(values), ["a"] * n, [])], 0

    def step(label, pairs):
        nonlocal now, adds
        new = list(now)
        for source, target in pairs:
            new[target] = now[target] + now[source]
        adds += len(pairs)
        now = new
        changed = {target for _, target in pairs}
        rows.append((label, list(now), ["c" if i in changed else "off" for i in range(n)],
                     list(pairs) + [(t, t) for _, t in pairs]))

    d = 1
    while d < n:
        step(f"up, d = {d}", [(i - d, i) for i in range(2 * d - 1, n, 2 * d)])
        d *= 2
    d = n // 4
    while d:
        step(f"down, d = {d}", [(i - d, i) for i in range(3 * d - 1, n, 2 * d)])
        d //= 2
    p = Picture("scan-brent-kung", "Scan with a tree up and a tree down (Brent-Kung)", f"""
        {n} values. The way up is a reduction tree that leaves sums of 2, 4 and {n} elements behind; the way down adds
        them to the elements in between. {len(rows) - 1} steps, {adds} additions. The last row has all inclusive sums:
        {', '.join(map(str, now))}.""")
    bottom = _steps(p, 100, 16, rows)
    p.text(10, bottom - 18, f"{len(rows) - 1} steps, {adds} additions; grey: unchanged", kind="soft")
    return p


def private_histogram(values=(2, 0, 3, 2, 2, 7, 0, 2, 4, 3), bins=4, block=4):
    blocks = [values[i:i + block] for i in range(0, len(values), block)]
    private = [[sum(1 for v in b if v == k) for k in range(bins)] for b in blocks]
    total = [sum(h[k] for h in private) for k in range(bins)]
    merges = sum(1 for h in private for c in h if c)
    p = Picture("private-histogram", "A private histogram for each block", f"""
        {len(values)} values in blocks of {block}. Each block counts its own values in {bins} bins of shared memory, with
        atomics that only its own threads use. Then each block adds its counts to the bins in global memory:
        {merges} global atomics if zeros are skipped, at most {len(blocks) * bins}. Values of {bins} and more have no bin. The
        result is {', '.join(map(str, total))}.""")
    w = 32
    gx = 110 + (len(blocks) * (bins * w + 40) - 40) / 2 - bins * w / 2
    for label, y in (("values", 58), ("shared bins", 138), ("global bins", 228)):
        p.text(10, y, label)
    for b, part in enumerate(blocks):
        x = 110 + b * (bins * w + 40)
        p.text(x, 26, f"block {b}", kind="bold")
        for i, v in enumerate(part):
            p.cell(x + i * w, 42, v, "a" if v < bins else "off", w)
            if v < bins:
                p.arrow(x + i * w + w / 2, 68, x + v * w + w / 2, 120)
        for k in range(bins):
            p.cell(x + k * w, 122, private[b][k], "b", w)
            if private[b][k]:
                p.arrow(x + k * w + w / 2, 148, gx + k * w + w / 2, 210, "line")
    for k in range(bins):
        p.cell(gx + k * w, 212, total[k], "c", w)
        p.text(gx + k * w + w / 2, 252, k, "middle", "small soft")
    x = 110 + len(blocks) * (bins * w + 40) - 24
    p.text(x, 98, "count: atomicAdd in shared memory", kind="soft")
    p.text(x, 184, "merge: atomicAdd in global memory", kind="soft")
    return p


def look_back(totals=(11, 14, 9, 6, 20), known=1):
    n = len(totals)
    prefix = [sum(totals[:i + 1]) for i in range(n)]
    seen = totals[known + 1:n - 1]
    p = Picture("look-back", "Decoupled look-back", f"""
        {n} blocks, each with its own total. Block {known} has published its full prefix, {prefix[known]}; blocks
        {known + 1} to {n - 2} only their totals. Block {n - 1} looks back: it adds the totals {', '.join(map(str, seen[::-1]))} and
        then the prefix {prefix[known]}, where it stops. {sum(seen) + prefix[known]} precedes it, without waiting for
        blocks {known + 1} to {n - 2} to complete their prefixes.""")
    w, gap = 104, 20
    for i, total in enumerate(totals):
        x = 90 + i * (w + gap)
        p.text(x + w / 2, 24, f"block {i}", "middle", "bold")
        p.cell(x, 40, f"total {total}", "a", w, 26)
        done = i <= known
        p.cell(x + 30, 84, f"prefix {prefix[i]}" if done else "not yet", "c" if done else "off", w - 30, 26)
    p.text(10, 58, "published")
    p.text(10, 102, "published")
    last = 90 + (n - 1) * (w + gap)
    for i in range(n - 2, known - 1, -1):
        x = 90 + i * (w + gap) + (16 if i > known else 46)
        p.arrow(last + w / 2 if i == n - 2 else 90 + (i + 1) * (w + gap) + 16, 150, x, 150)
        p.line(x, 150, x, 68 if i > known else 112, "go dash")
    p.line(last + w / 2, 112, last + w / 2, 150, "go")
    terms = " + ".join(map(str, (*seen[::-1], prefix[known])))
    p.text(90, 178, f"before block {n - 1}: {terms} = {sum(seen) + prefix[known]}; it stops at the first full prefix", kind="soft")
    return p


def pictures(_root):
    values = (3, 1, 7, 0, 4, 1, 6, 3)
    return [_tree("reduction-doubling", "Reduction with doubling stride", values, False),
            _tree("reduction-halving", "Reduction with halving stride", values, True),
            kogge_stone(values), brent_kung(values), private_histogram(), look_back()]
