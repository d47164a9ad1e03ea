"""Pictures of tiles: the phases of a matrix product, and an image's tiles with their halo."""

from svg import Picture


def gemm_tiles(m=3, n=2, k=5, tile=2):
    """The phases of the block that has the last rows of C; what lies outside a matrix is loaded as 0."""
    phases = -(-k // tile)
    first_row = (-(-m // tile) - 1) * tile
    p = Picture("gemm-tiles", "The phases of a tiled matrix product, with edges", f"""
        C has {m} rows and {n} columns, the inner extent is {k}, tiles are {tile} by {tile}. The last block of C needs
        {phases} phases. In each it loads a tile of A, which moves to the right, and a tile of B, which moves down.
        Row {first_row + 1} of A and step {k} do not exist: these cells are filled with 0. Two barriers per phase
        separate loading from using.""")
    w, h = 30, 24
    for s in range(phases):
        y = 34 + s * 192
        p.text(10, y - 10, f"phase {s}: steps {s * tile} to {s * tile + tile - 1}", kind="bold")
        ax, ay, bx, by, cx = 190, y + 56, 366, y, 366
        rows = first_row + tile
        for i in range(rows):
            for j in range(phases * tile):
                here = i >= first_row and j // tile == s
                outside = i >= m or j >= k
                if outside and not here:
                    continue
                fill = ("off" if outside else "a") if here else "none"
                p.cell(ax - 180 + j * w, ay + i * h, "0" if outside else f"{i},{j}", fill, w, h, small=True)
        p.frame(ax - 180 + s * tile * w, ay + first_row * h, tile * w, tile * h, "go")
        p.text(ax - 180, ay - 6, f"A, {m} x {k}", kind="soft")
        for i in range(phases * tile):
            for j in range(n):
                here = i // tile == s
                outside = i >= k
                if outside and not here:
                    continue
                fill = ("off" if outside else "b") if here else "none"
                p.cell(bx - 126 + j * w, by - 14 + i * h, "0" if outside else f"{i},{j}", fill, w, h, small=True)
        p.frame(bx - 126, by - 14 + s * tile * h, n * w, tile * h, "go")
        p.text(bx - 126 + n * w + 6, by + 2, f"B, {k} x {n}", kind="soft")
        x = cx + 10
        steps = ["load both tiles (0 where outside)", "__syncthreads()", f"sum += {tile} products per thread", "__syncthreads()"]
        for i, step in enumerate(steps):
            p.cell(x, y - 14 + i * 32, step, "c" if i % 2 else "none", 240, 24)
            if i:
                p.arrow(x + 120, y - 14 + i * 32 - 8, x + 120, y - 14 + i * 32)
    y = 34 + phases * 192
    p.text(10, y - 4, f"then each thread stores its element of C, if it has one: rows below {m} only", kind="soft")
    return p


def halo(tile=4, radius=1, height=6, width=9, at=(0, 4)):
    y0, x0 = at
    side = tile + 2 * radius
    ghosts = sum(1 for y in range(y0 - radius, y0 + tile + radius) for x in range(x0 - radius, x0 + tile + radius)
                 if not (0 <= y < height and 0 <= x < width))
    p = Picture("halo", "A tile of outputs, its halo, and ghost cells", f"""
        A tile of {tile} by {tile} outputs at the upper border of an image. With a mask of {2 * radius + 1} by
        {2 * radius + 1} it needs {side} by {side} pixels: the tile's own, and a rim of {radius} around it, the halo.
        {ghosts} cells of the rim lie outside the image: ghost cells, which count as 0.""")
    w, h, ox, oy = 32, 26, 20, 44
    for y in range(-1, height):
        for x in range(width):
            in_tile = y0 <= y < y0 + tile and x0 <= x < x0 + tile
            in_halo = y0 - radius <= y < y0 + tile + radius and x0 - radius <= x < x0 + tile + radius
            if y < 0 and not in_halo:
                continue
            fill, text = ("a", "") if in_tile else ("b", "") if in_halo else ("none", "")
            if y < 0:
                fill, text = "off", "0"
            p.cell(ox + x * w, oy + (y + 1) * h, text, fill, w, h)
    p.frame(ox + x0 * w, oy + (y0 + 1) * h, tile * w, tile * h, "go")
    p.frame(ox, oy + h, width * w, height * h, "line")
    x = ox + width * w + 24
    for i, (fill, says) in enumerate([("a", f"{tile} x {tile} outputs, and their own pixels"),
                                      ("b", "halo: pixels of neighbors"), ("off", "ghost cells: outside, count as 0")]):
        p.cell(x, oy + 26 + i * 34, "", fill, 24, 20)
        p.text(x + 34, oy + 41 + i * 34, says)
    reuse = tile * tile * (2 * radius + 1) ** 2 / side ** 2
    p.text(x, oy + 146, f"loads: {side} x {side} = {side * side}, for {tile * tile} x {(2 * radius + 1) ** 2} products:")
    p.text(x, oy + 166, f"each loaded pixel serves {reuse:.1f} on average")
    p.text(ox, 28, "image", kind="bold")
    return p


def strategies(tile=8, radius=2):
    """One row of a tile, loaded in the three ways."""
    side = tile + 2 * radius
    second = side - tile
    p = Picture("loading-strategies", "Three ways to load a tile and its halo", f"""
        One row of a tile of {tile} outputs with a mask of {2 * radius + 1}: {side} cells of shared memory. Strategy 1:
        {tile} threads load {tile} cells, and {second} of them load one more. Strategy 2: {side} threads load one cell
        each, and only {tile} of them compute. Strategy 3: {tile} threads load only their own {tile} pixels, and read
        the halo from global memory, where the caches may have it.""")
    w = 40
    for s, (title, threads, note) in enumerate([
            ("strategy 1: the block is as large as its outputs", tile,
             f"{tile} threads; {second} of them load a second cell"),
            ("strategy 2: the block is as large as its inputs", side, f"{side} threads; {tile} compute, {side - tile} only load"),
            ("strategy 3: only the block's own pixels in shared memory", tile,
             f"{tile} threads, one load each; the halo comes through the caches")]):
        y = 14 + s * 152
        p.text(10, y + 12, title, kind="bold")
        first = 0 if s != 2 else radius
        tx = 90 + (radius * w if s == 2 else 0)
        p.text(10, y + 43, "threads")
        p.text(10, y + 103, "shared")
        for t in range(threads):
            computes = s != 1 or radius <= t < radius + tile
            p.cell(tx + t * w, y + 28, t, "a" if computes else "off", w)
            p.arrow(tx + t * w + w / 2, y + 54, 90 + (first + t) * w + w / 2, y + 88)
            if s == 0 and t < second:
                p.arrow(tx + t * w + w / 2, y + 54, 90 + (tile + t) * w + w / 2, y + 88, "bad")
        for c in range(side):
            in_halo = c < radius or c >= radius + tile
            if s == 2 and in_halo:
                p.cell(90 + c * w, y + 88, "global", "none", w, 24, small=True, extra=" dash")
            else:
                p.cell(90 + c * w, y + 88, c, "b" if in_halo else "a", w)
        p.text(90, y + 130, note, kind="soft")
    return p


def pictures(_root):
    return [gemm_tiles(), halo(), strategies()]
