"""A tile in shared memory that has a place for the neighbour on the left."""

from svg import Picture


def tile(values=(3, 8, 6, 6, 9, 1), block=4):
    """The tiny example of the lab differences."""
    n, blocks = len(values), -(-len(values) // block)
    result = [values[i] - (values[i - 1] if i else 0) for i in range(n)]
    p = Picture("difference-tiles", "Tiles with a place for the neighbour's value", f"""
        {n} values in blocks of {block}. The shared array of a block has {block + 1} places: thread t stores its value at place t + 1,
        and thread 0 also loads the value before the block into place 0. The block at the beginning has none. After a barrier each
        thread subtracts the value on the left of its own. The results are {', '.join(map(str, result))}.""")
    w, gap, ox = 44, 70, 110

    def at(b, place):  # place 0 is the neighbour's
        return ox + b * ((block + 1) * w + gap - w) + place * w

    for name, y in (("values", 61), ("shared", 141), ("results", 221)):
        p.text(10, y, name)
    for b in range(blocks):
        own = range(b * block, min(n, (b + 1) * block))
        p.text(at(b, 1), 32, f"block {b}", kind="bold")
        p.cell(at(b, 0), 124, values[own[0] - 1] if b else "-", "b" if b else "off", w)
        if b:
            p.arrow(at(b - 1, block) + w / 2, 70, at(b, 0) + w / 2, 122, "bad")
        for t, i in enumerate(own):
            x = at(b, t + 1)
            p.cell(x, 44, values[i], "a", w)
            p.arrow(x + w / 2, 70, x + w / 2, 122)
            p.cell(x, 124, values[i], "a", w)
            p.arrow(x + w / 2, 150, x + w / 2 + 4, 202)
            if i:
                p.arrow(x - w / 2, 150, x + w / 2 - 8, 202, "line")
            p.cell(x, 204, result[i], "c", w)
    p.text(10, 254, "red: thread 0 of a block loads the neighbour's value, too; a barrier stands between shared and results", kind="soft")
    return p


def pictures(_root):
    return [tile()]
