"""A sparse matrix in three formats, and the elements that the lanes of a warp read."""

from svg import Picture

# The matrices of the lab spmv: the one of "Other formats", and the one of the tiny example.
LETTERS = ("a.b.", "....", "de.f", ".g..")
NUMBERS = ((4, 0, 1, 0, 0), (0, 0, 0, 0, 0), (0, 2, 0, 3, 1), (1, 0, 2, 2, 0))
HUES = "abcd"


def formats(matrix=LETTERS):
    rows = [[(j, v) for j, v in enumerate(line) if v != "."] for line in matrix]
    longest = max(map(len, rows))
    starts = [sum(map(len, rows[:i])) for i in range(len(rows) + 1)]
    order = sorted(range(len(rows)), key=lambda i: -len(rows[i]))
    count = starts[-1]
    p = Picture("sparse-formats", "A sparse matrix as CSR, ELL and JDS", f"""
        A matrix of {len(rows)} rows with {count} elements. Compressed sparse rows: row_starts is {', '.join(map(str, starts))};
        the values {', '.join(v for r in rows for _, v in r)} stand row after row, with their columns. ELL: every row is padded
        to {longest} elements, and all first elements come first; {len(rows) * longest - count} of {len(rows) * longest} places
        are padding. JDS: rows in the order {', '.join(map(str, order))}, longest first; {longest} diagonals, no padding. Each row
        has a colour of its own: in ELL and JDS neighbouring places belong to different rows, so one thread per row reads
        adjacent elements.""")
    w, h, ox, oy = 30, 24, 64, 34
    p.text(10, 22, "matrix", kind="bold")
    for i, line in enumerate(matrix):
        p.text(10, oy + i * h + 17, f"row {i}", kind="small soft")
        for j, v in enumerate(line):
            p.cell(ox + j * w, oy + i * h, "" if v == "." else v, "none" if v == "." else HUES[i], w, h)
    x, y = 290, 34
    p.text(x, 22, "CSR: row after row", kind="bold")
    p.text(x, y + 17, "row_starts")
    p.row(x + 90, y, starts, w=w)
    places = [(i, j, v) for i, row in enumerate(rows) for j, v in row]
    for k, (name, texts) in enumerate([("columns", [j for _, j, _ in places]), ("values", [v for _, _, v in places])]):
        p.text(x, y + 32 * (k + 1) + 17, name)
        p.row(x + 90, y + 32 * (k + 1), texts, lambda t: HUES[places[t][0]], w)
    y = 164

    def by_element(left, title, order, padded):
        p.text(left, y + 8, title, kind="bold")
        p.text(left, y + 37, "row")
        p.row(left + 90, y + 20, order, w=w)
        for k in range(longest):
            p.text(left, y + 69 + 32 * k, f"elements {k}")
            for t, i in enumerate(order):
                if k < len(rows[i]):
                    p.cell(left + 90 + t * w, y + 52 + 32 * k, rows[i][k][1], HUES[i], w)
                elif padded:
                    p.cell(left + 90 + t * w, y + 52 + 32 * k, "0", "off", w)

    by_element(10, "ELL: padded to the longest row", list(range(len(rows))), True)
    by_element(x, "JDS: longest row first", order, False)
    p.text(10, y + 170, "colours: rows; grey: padding; boxes side by side are adjacent in memory;", kind="soft")
    p.text(10, y + 188, "ELL and JDS store the columns of the elements in the same way", kind="soft")
    return p


def lanes(matrix=NUMBERS, warp=4):
    """A warp of `warp` lanes: one thread per row, and the warp for one row after the other."""
    rows = [[v for v in line if v] for line in matrix]
    starts = [sum(map(len, rows[:i])) for i in range(len(rows) + 1)]
    longest = max(map(len, rows))
    adding = warp.bit_length() - 1
    alone = [[starts[i] + s if s < len(rows[i]) else None for i in range(len(rows))] for s in range(longest)]
    together = []
    for i, row in enumerate(rows):
        for s in range(max(1, -(-len(row) // warp))):
            together.append((i, [starts[i] + s * warp + t if s * warp + t < len(row) else None for t in range(warp)]))
    used = sum(map(len, rows))
    p = Picture("spmv-lanes", "One thread per row, and a warp per row", f"""
        The matrix of the tiny example has rows of {', '.join(str(len(r)) for r in rows)} elements. Shown is the place k that each
        lane reads, for warps of {warp} lanes. One thread per row: {longest} steps, as many as the longest row has; in step 0 the
        lanes read the places {', '.join(str(k) for k in alone[0] if k is not None)}, a row apart. A warp per row: one step for each
        row, in which the lanes read adjacent places, and {adding} more steps for adding up. {used} of {longest * warp} lane steps
        have an element in the first way, {used} of {len(together) * warp} in the second, without the steps for adding up.""")
    w, h, oy = 44, 24, 74
    for x, title, count in ((64, "one thread per row", longest), (390, f"one warp of {warp} lanes per row", len(together))):
        p.text(x, 22, title, kind="bold")
        for t in range(warp):
            p.text(x + t * w + w / 2, oy - 8, f"lane {t}", "middle", "small soft")
            if title.startswith("one thread"):
                p.text(x + t * w + w / 2, oy - 24, f"row {t}", "middle", "small")
    for s, places in enumerate(alone):
        p.text(10, oy + s * 32 + 17, f"step {s}")
        for t, k in enumerate(places):
            p.cell(64 + t * w, oy + s * 32, "" if k is None else f"k={k}", "off" if k is None else HUES[t], w, h, small=True)
    for s, (i, places) in enumerate(together):
        p.text(340, oy + s * 32 + 17, f"row {i}")
        for t, k in enumerate(places):
            p.cell(390 + t * w, oy + s * 32, "" if k is None else f"k={k}", "off" if k is None else HUES[i], w, h, small=True)
        p.text(390 + warp * w + 10, oy + s * 32 + 17, f"+ {adding} shuffles", kind="soft")
    y = oy + len(together) * 32 + 6
    p.text(64, oy + longest * 32 + 17, "lanes read places that are", kind="soft")
    p.text(64, oy + longest * 32 + 35, "a row apart", kind="soft")
    p.text(390, y + 10, "lanes read adjacent places; a row without elements", kind="soft")
    p.text(390, y + 28, "costs instructions, too", kind="soft")
    return p


def pictures(_root):
    return [formats(), lanes()]
