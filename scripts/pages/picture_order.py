"""Places by counting: compaction, and a pass of a radix sort."""

from svg import Picture

# The tiny examples of the labs compaction and sort.
VALUES = (5, -3, 0, 2, -1, 6, 4, -2, 3, 1)
KEYS = (5, 3, 0, 6, 1, 3, 7, 2)


def compaction(values=VALUES, block=4):
    n = len(values)
    keep = [v > 0 for v in values]
    place = [sum(keep[:i]) for i in range(n)]
    before = [place[i] for i in range(0, n, block)]
    target = [place[i] if keep[i] else n - 1 - (i - place[i]) for i in range(n)]
    kept = [0] * n
    for i in range(n):
        if keep[i]:
            kept[target[i]] = values[i]
    p = Picture("compaction-places", "Flags, a scan, and the places of the kept values", f"""
        {n} values in blocks of {block}. A flag says whether a value is kept: {sum(keep)} are. The exclusive scan of the flags in
        each block, plus what the blocks before keep ({', '.join(map(str, before))}), is the place of a kept value. The arrows of
        kept values do not cross: their order stays. The value at i that is not kept is number i minus place of those, and puts
        its 0 at {n} - 1 - (i - place). Afterwards the array is {', '.join(map(str, kept))}.""")
    w, gap, ox = 44, 26, 112

    def at(i):
        return ox + i * w + i // block * gap

    rows = [("value", 44, values), ("flag", 76, [int(k) for k in keep]),
            ("in block", 108, [place[i] - before[i // block] for i in range(n)]),
            ("place", 164, place)]
    for name, y, texts in rows:
        p.text(10, y + 17, name)
        for i, text in enumerate(texts):
            p.cell(at(i), y, text, "a" if keep[i] else "off", w)
    for b, count in enumerate(before):
        first, last = at(b * block), at(min(n, (b + 1) * block) - 1) + w
        p.text((first + last) / 2, 32, f"block {b}", "middle", "bold")
        p.text((first + last) / 2, 152, f"+ {count}", "middle")
    p.text(10, 152, "blocks before")
    x0 = ox + (n - 1) // block * gap / 2
    p.text(10, 269, "result")
    for i in range(n):
        p.arrow(at(i) + w / 2, 190, x0 + target[i] * w + w / 2, 250, "go" if keep[i] else "line dash")
    for k in range(n):
        p.cell(x0 + k * w, 252, kept[k], "a" if k < sum(keep) else "off", w)
        p.text(x0 + k * w + w / 2, 292, k, "middle", "small soft")
    p.text(10, 316, f"the zeros come from the back: the first value that is not kept puts its 0 at {n - 1}", kind="soft")
    return p


def radix_pass(keys=KEYS, bits=2, block=4):
    """One pass by the lowest `bits` bits: counts of each block, digit by digit, their scan, and the places."""
    n, digits, blocks = len(keys), 1 << bits, -(-len(keys) // block)
    digit = [k % digits for k in keys]
    counts = [sum(1 for i in range(b * block, min(n, (b + 1) * block)) if digit[i] == d) for d in range(digits) for b in range(blocks)]
    scan = [sum(counts[:c]) for c in range(len(counts))]
    rank = [sum(1 for j in range(i // block * block, i) if digit[j] == digit[i]) for i in range(n)]
    place = [scan[digit[i] * blocks + i // block] + rank[i] for i in range(n)]
    moved = [0] * n
    for i in range(n):
        moved[place[i]] = keys[i]
    p = Picture("radix-pass", "A pass of a radix sort", f"""
        {n} keys in {blocks} blocks of {block}. The digit is the lowest {bits} bits of the key. Each block counts its keys of every
        digit; digit by digit and block by block the counts are {', '.join(map(str, counts))}. Their exclusive scan,
        {', '.join(map(str, scan))}, is where the first key of a digit and a block goes. The rank of a key is how many keys of its
        digit are before it in its block. Scan plus rank is its place. Afterwards the keys are {', '.join(map(str, moved))}: in
        the order of their digits, and in their old order where digits are equal.""")
    hues = "abcd"
    w, gap, ox = 48, 30, 130

    def at(i):
        return ox + i * w + i // block * gap

    for name, y, texts in [("key", 44, keys), ("in binary", 72, [f"{k:03b}" for k in keys]), ("digit", 100, digit), ("rank in block", 128, rank)]:
        p.text(10, y + 17, name)
        for i, text in enumerate(texts):
            p.cell(at(i), y, text, hues[digit[i]], w, small=name == "in binary")
    for b in range(blocks):
        p.text((at(b * block) + at(min(n, (b + 1) * block) - 1) + w) / 2, 32, f"block {b}", "middle", "bold")
    y = 184
    x0 = ox + (blocks - 1) * gap / 2
    for c, count in enumerate(counts):
        d, b = divmod(c, blocks)
        x = x0 + c * w
        if b == 0:
            p.text(x + blocks * w / 2, y - 8, f"digit {d}", "middle", "small")
        p.cell(x, y, count, hues[d], w)
        p.text(x + w / 2, y + 36, f"block {b}", "middle", "small soft")
        p.cell(x, y + 44, scan[c], hues[d], w)
    p.text(10, y + 17, "counts")
    p.text(10, y + 61, "exclusive scan")
    y = 290
    p.text(10, y + 17, "key")
    p.text(10, y + 99, "after the pass")
    for i in range(n):
        p.cell(at(i), y, keys[i], hues[digit[i]], w)
        p.arrow(at(i) + w / 2, y + 26, x0 + place[i] * w + w / 2, y + 80)
    for k, key in enumerate(moved):
        p.cell(x0 + k * w, y + 82, key, hues[key % digits], w)
        p.text(x0 + k * w + w / 2, y + 122, k, "middle", "small soft")
    i = n - 2  # a key of the last block with others of its digit before it
    p.text(10, y + 148, f"key {keys[i]} in block {i // block}: scan {scan[digit[i] * blocks + i // block]} + rank {rank[i]} = place {place[i]}",
           kind="soft")
    return p


def pictures(_root):
    return [compaction(), radix_pass()]
