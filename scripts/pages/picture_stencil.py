"""A stencil in three dimensions: a block's cells and halo in a plane, and the queue of a thread that walks along z."""

from svg import Picture

# The tiny example of the lab stencil: planes, rows and cells.
GRID = (((3, 1, 4, 1), (9, 7, 9, 3), (3, 8, 3, 2)),
        ((5, 9, 2, 6), (2, 3, 8, 4), (7, 9, 5, 0)),
        ((5, 3, 5, 8), (6, 2, 6, 4), (2, 8, 8, 4)))
CENTRE, NEIGHBOUR = 1 / 4, 1 / 8


def plane(columns=11, rows=7, block=(4, 3), at=(1, 1), lab_block=(32, 8)):
    """Blocks on a plane, one of them with its halo."""
    bx, by = block
    gx, gy = -(-columns // bx), -(-rows // by)
    x0, y0 = at[0] * bx, at[1] * by
    own = [(x, y) for y in range(y0, y0 + by) for x in range(x0, x0 + bx) if x < columns and y < rows]
    halo = sorted({(x + dx, y + dy) for x, y in own for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))
                   if 0 <= x + dx < columns and 0 <= y + dy < rows} - set(own))
    idle = gx * bx * gy * by - columns * rows
    wide, high = lab_block
    p = Picture("stencil-plane", "The blocks of a plane, and the halo of one of them", f"""
        A plane of {columns} by {rows} cells under {gx} by {gy} blocks of {bx} by {by} threads; {idle} threads have no cell. The
        marked block has {len(own)} cells and needs {len(halo)} more around it, its halo. The corners of the halo are not needed,
        as a cell has no diagonal neighbours. Cells of the border of the plane are copied. A block of {wide} by {high} threads
        loads {2 * wide + 2 * high} cells of a halo for {wide * high} cells, {(2 * wide + 2 * high) / (wide * high):.2f} per cell.""")
    w, h, ox, oy = 30, 24, 12, 34
    p.text(ox, 22, f"plane z of {columns} x {rows} cells", kind="bold")
    for y in range(gy * by):
        for x in range(gx * bx):
            exists = x < columns and y < rows
            fill = "a" if (x, y) in own else "b" if (x, y) in halo else "none" if exists else "off"
            edge = exists and (x in (0, columns - 1) or y in (0, rows - 1))
            p.cell(ox + x * w, oy + y * h, "=" if edge else "", fill, w, h)
    for j in range(gy):
        for i in range(gx):
            p.frame(ox + i * bx * w, oy + j * by * h, bx * w, by * h, "line")
    p.frame(ox + x0 * w, oy + y0 * h, bx * w, by * h, "go")
    x = ox + gx * bx * w + 20
    for i, (fill, text, says) in enumerate([("a", "", f"{len(own)} cells of one block"), ("b", "", f"{len(halo)} cells of its halo, no corners"),
                                            ("none", "=", "border: keeps its value"), ("off", "", f"{idle} threads without a cell")]):
        p.cell(x, oy + 6 + i * 32, text, fill, 24, 20)
        p.text(x + 34, oy + 21 + i * 32, says)
    p.text(x, oy + 160, f"block of {wide} x {high}: {2 * wide + 2 * high} cells of halo", kind="soft")
    p.text(x, oy + 180, f"for {wide * high} cells, {(2 * wide + 2 * high) / (wide * high):.2f} per cell", kind="soft")
    return p


def queue(grid=GRID, at=(1, 1)):
    """The steps of the thread at (x, y): what its three registers hold, and what it loads and stores."""
    x, y = at
    nz = len(grid)
    value = grid[1][y][x]
    around = [grid[1][y][x - 1], grid[1][y][x + 1], grid[1][y - 1][x], grid[1][y + 1][x]]
    result = CENTRE * value + NEIGHBOUR * (sum(around) + grid[0][y][x] + grid[2][y][x])
    p = Picture("stencil-queue", "A thread walks along z with three registers", f"""
        Three planes of {len(grid[0][0])} by {len(grid[0])} cells, and the thread at x = {x}, y = {y}. In each step its three
        registers hold the cell below, the centre and the cell above. At z = 0 they hold nothing, {grid[0][y][x]} and
        {grid[1][y][x]}, and the thread copies {grid[0][y][x]}. At z = 1 they hold {grid[0][y][x]}, {value} and
        {grid[2][y][x]}; with the four neighbours {', '.join(map(str, around))} of the plane the result is {result:g}. At z = 2
        they hold {value}, {grid[2][y][x]} and nothing, and it copies {grid[2][y][x]}. One new value is loaded for the
        queue in each step.""")
    w, h, ox, oy = 30, 24, 82, 34
    step = len(grid[0][0]) * w + 62
    for z, cells in enumerate(grid):
        left = ox + z * step
        p.text(left, 22, f"z = {z}", kind="bold")
        for j, row in enumerate(cells):
            for i, v in enumerate(row):
                inner = 0 < z < nz - 1
                fill = "c" if (i, j) == (x, y) else "b" if inner and abs(i - x) + abs(j - y) == 1 else "none"
                p.cell(left + i * w, oy + j * h, v, fill, w, h)
        p.frame(left + x * w, oy + y * h, w, h, "go")
        queue_y = oy + len(cells) * h + 34
        for k, (name, at_z) in enumerate([("below", z - 1), ("centre", z), ("above", z + 1)]):
            if z == 0:
                p.text(10, queue_y + k * 30 + 16, name)
            known = 0 <= at_z < nz
            p.cell(left + x * w, queue_y + k * 30, grid[at_z][y][x] if known else "-", "off" if not known else "dca"[k], w, h)
            if z + 1 < nz and k > 0:
                p.arrow(left + (x + 1) * w + 2, queue_y + k * 30 + 12, left + step + x * w - 3, queue_y + (k - 1) * 30 + 12)
        p.text(left + x * w, queue_y + 110, f"copies {cells[y][x]}" if z in (0, nz - 1) else f"computes {result:g}")
    p.text(10, queue_y + 136, "arrows: a value moves to the next register;", kind="soft")
    p.text(10, queue_y + 154, "a step loads the cell above, and where it computes, the four neighbours in the plane", kind="soft")
    return p


def pictures(_root):
    return [plane(), queue()]
