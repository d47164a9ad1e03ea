"""Eight small counters in one register of 64 bits."""

from svg import Picture

NAMES = ("a-d", "e-h", "i-l", "m-p", "q-t", "u-x", "y, z", "others")


def packed(word="Massively", bits=8):
    """The counters of a thread of the lab text_histogram after one word."""
    bins = [(ord(c.lower()) - ord("a")) // 4 for c in word]
    counts = [bins.count(b) for b in range(len(NAMES))]
    p = Picture("packed-counters", "Eight counters in one register", f"""
        A register of {bits * len(NAMES)} bits has {len(NAMES)} counters of {bits} bits, bin 0 in the lowest. A letter of bin b adds 1
        shifted left by {bits} b. The letters of "{word}" have the bins {', '.join(map(str, bins))}. Afterwards the register is, from bin
        {len(NAMES) - 1} down to bin 0, {' '.join(f'{c:02x}' for c in reversed(counts))} in hexadecimal. A counter must not exceed
        {2 ** bits - 1}, since it would run over into the next one.""")
    w, ox = 60, 124

    def at(b):  # the highest bin is on the left
        return ox + (len(NAMES) - 1 - b) * w

    lw = len(NAMES) * w / len(word)
    for name, y in (("letter", 37), ("bin", 65), ("register", 169), ("bits from", 199), ("counts", 221)):
        p.text(10, y, name)
    for i, (c, b) in enumerate(zip(word, bins)):
        p.cell(ox + i * lw, 20, c, "a", lw)
        p.cell(ox + i * lw, 48, b, "a", lw)
        p.arrow(ox + (i + 0.5) * lw, 73, at(b) + w / 2, 150)
    for b, count in enumerate(counts):
        p.cell(at(b), 152, f"{count:02x}", "c" if count else "off", w)
        p.text(at(b) + w / 2, 199, bits * b, "middle", "small soft")
        p.text(at(b) + w / 2, 221, NAMES[b], "middle", "small")
    p.text(10, 250, f"each arrow is an addition: packed += 1ull << ({bits} * bin); no counter may exceed {2 ** bits - 1}", kind="soft")
    return p


def pictures(_root):
    return [packed()]
