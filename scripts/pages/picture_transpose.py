"""A tile that a warp stores by rows and loads by columns, and the banks of its words."""

from collections import Counter

from svg import Picture

BANKS = 32


def _wavefronts(words):
    """Of one access: the largest number of different words in one bank."""
    return max(Counter(word % BANKS for word in set(words)).values())


def tile_banks(side=32, row=6, column=11, size=9):
    """The tile without and with padding: a row, a column, and all words that share a bank with one word of the column."""
    widths = (side, side + 1)
    stores = [_wavefronts([row * w + x for x in range(side)]) for w in widths]
    loads = [_wavefronts([y * w + column for y in range(side)]) for w in widths]
    shared = [sum((y * w + column) % BANKS == (row * w + column) % BANKS for y in range(side)) for w in widths]
    p = Picture("transpose-banks", "A tile in the banks of shared memory, without and with padding", f"""
        A tile of {side} by {side} floats. A warp stores a row of it: adjacent words, {stores[0]} wavefront. Later a warp loads
        a column. Marked are all words that are in the same bank as the word where this row and this column meet. In rows
        of {widths[0]} words these are the whole column: {shared[0]} words in one bank, {loads[0]} wavefronts. In rows of
        {widths[1]} words, of which the last is never used, the words of a bank lie on a diagonal, and a column has
        {shared[1]} of them: {loads[1]} wavefront.""")
    for i, w in enumerate(widths):
        x0, y0 = 12 + i * (side * size + 60), 76
        name = f"rows of {w} words" + (": padded" if w > side else "")
        p.text(x0, 22, name, kind="bold")
        count = f"{loads[i]} wavefront" + ("" if loads[i] == 1 else "s")
        p.text(x0, 42, f"store row {row}: {stores[i]} wavefront")
        p.text(x0, 62, f"load column {column}: {count}", kind="say" if loads[i] > 1 else "")
        bank = (row * w + column) % BANKS
        for x in range(side):
            p.cell(x0 + x * size, y0 + row * size, "", "a", size, size)
        for y in range(side):
            p.cell(x0 + column * size, y0 + y * size, "", "b", size, size)
        for y in range(side):
            for x in range(w):
                if (y * w + x) % BANKS == bank:
                    p.cell(x0 + x * size, y0 + y * size, "", "c" if x < side else "off", size, size)
        if w > side:
            for y in range(side):
                if (y * w + side) % BANKS != bank:
                    p.cell(x0 + side * size, y0 + y * size, "", "off", size, size)
        p.grid(x0, y0, w, side, size, size)
        p.frame(x0, y0 + row * size, side * size, size, "go")
        p.frame(x0 + column * size, y0, size, side * size, "bad" if loads[i] > 1 else "go")
    y = 76 + side * size + 14
    for x, fill, says in ((12, "a", f"row {row}"), (92, "b", f"column {column}"), (196, "c", "words in the bank of the word where they meet"),
                          (554, "off", "never used")):
        p.cell(x, y, "", fill, 16, 14)
        p.text(x + 22, y + 12, says)
    return p


def pictures(_root):
    return [tile_banks()]
