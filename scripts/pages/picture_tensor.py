"""Tensor cores: which lane has which element of an mma.sync, and the swizzle of a tile in shared memory."""

from svg import Picture


def fragments():
    """The first lanes of A (16 x 16), B (16 x 8) and the sums (16 x 8), in pairs of elements as registers hold them."""
    w, h, wb = 32, 15, 22
    p = Picture("tensor-fragments", "The lanes of an mma.sync", """
        A product of 16 x 16 by 16 x 8 elements. Each box is a register: two adjacent elements of a row of A or of the sums, or of a
        column of B; its number is the lane. Register a0 has the upper left 8 x 8 elements of A, a1 the lower left, a2 the upper right, a3
        the lower right; b0 the upper and b1 the lower 8 x 8 elements of B; the first two sums are those of the upper 8 rows. In each 8 x 8
        matrix of A and of the sums, lane i has elements 2 (i % 4) and 2 (i % 4) + 1 of row i / 4; of B, the same of column i / 4.""")
    ax, top = 10, 24
    bx = ax + 8 * w + 36
    sx = bx + 8 * wb + 36
    p.text(ax, 16, "A: 16 x 16", kind="bold")
    p.text(bx, 16, "B: 16 x 8", kind="bold")
    p.text(sx, 16, "sums: 16 x 8", kind="bold")
    for row in range(16):
        for pair in range(8):
            fill = "abcd"[row // 8 + pair // 4 * 2]
            p.cell(ax + pair * w, top + row * h, row % 8 * 4 + pair % 4, fill, w, h, small=True)
        for pair in range(4):
            p.cell(sx + pair * w, top + row * h, row % 8 * 4 + pair, "ab"[row // 8], w, h, small=True)
    for pair in range(8):
        for column in range(8):
            p.cell(bx + column * wb, top + pair * 2 * h, column * 4 + pair % 4, "ab"[pair // 4], wb, 2 * h, small=True)
    y = top + 16 * h + 20
    for i, name in enumerate(("a0, b0, d0 and d1", "a1, b1, d2 and d3", "a2", "a3")):
        x = ax + (0, 165, 330, 400)[i]
        p.cell(x, y - 12, "", "abcd"[i], 20, 16)
        p.text(x + 27, y + 1, name, kind="soft")
    return p


def swizzle(rows=8, chunks=8):
    """Where the chunks of eight rows are, without and with the exclusive or."""
    w, h = 32, 24
    p = Picture("tensor-swizzle", "A tile without and with the swizzle", f"""
        {rows} rows of a tile, {chunks} chunks of 16 bytes each, as they lie in shared memory; the columns are groups of four banks. The
        number is the chunk's in its row, and chunk 0 is marked. Without the swizzle, chunk 0 of all rows is in banks 0 to 3. With it, row r
        has chunk c at place c ^ r, and chunk 0 of each row is in other banks.""")
    for x, title, place in ((52, "as it is", lambda r, at: at), (52 + chunks * w + 54, "chunk c of row r at c ^ r", lambda r, at: at ^ r)):
        p.text(x, 14, title, kind="bold")
        for at in range(chunks):
            p.text(x + at * w + w / 2, 33, 4 * at, "middle", "small")
        for r in range(rows):
            p.text(x - 8, 40 + r * h + 17, f"row {r}", "end", "small")
            for at in range(chunks):
                chunk = place(r, at)
                p.cell(x + at * w, 40 + r * h, chunk, "b" if chunk == 0 else "none", w, h)
    p.text(10, 40 + rows * h + 20, "above: the first of four banks; marked: chunk 0 of each row, which ldmatrix reads at once", kind="soft")
    return p


def pictures(_root):
    return [fragments(), swizzle()]
