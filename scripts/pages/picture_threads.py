"""Pictures of threads: which element is whose, and how a warp's accesses meet memory."""

from svg import Picture

HUES = "abcd"


def thread_map_1d(n=10, block=4):
    blocks = -(-n // block)
    surplus = blocks * block - n
    p = Picture("thread-map-1d", "Threads and elements in one dimension", f"""
        {blocks} blocks of {block} threads cover an array of {n} elements. Thread t of block b has element
        b times {block} plus t. The last {surplus} threads of block {blocks - 1} have no element.""")
    w = 34
    p.text(10, 62, "thread")
    p.text(10, 92, "index i")
    p.text(10, 152, "array")
    for b in range(blocks):
        x = 80 + b * (block * w + 12)
        p.text(x + block * w / 2, 24, f"block {b}", "middle", "bold")
        for t in range(block):
            i, cx = b * block + t, x + t * w
            has = i < n
            p.cell(cx, 44, t, HUES[b] if has else "off", w)
            p.text(cx + w / 2, 92, i, "middle", "" if has else "say")
            if has:
                ex = 80 + 18 + i * w
                p.arrow(cx + w / 2, 98, ex + w / 2, 136)
        p.frame(x, 44, block * w, 24)
    for i in range(n):
        p.cell(98 + i * w, 136, f"[{i}]", HUES[i // block], w)
    p.text(98 + n * w + 10, 152, f"i >= {n}: no element, no access", kind="say")
    p.text(80, 184, "i = blockIdx.x * blockDim.x + threadIdx.x", kind="soft")
    p.text(80, 204, f"blocks = ({n} + {block} - 1) / {block} = {blocks}", kind="soft")
    return p


def thread_map_2d(rows=5, columns=7, block=(4, 2)):
    bx, by = block
    gx, gy = -(-columns // bx), -(-rows // by)
    p = Picture("thread-map-2d", "Threads and elements in two dimensions", f"""
        A matrix of {rows} rows and {columns} columns under a grid of {gx} by {gy} blocks, each {bx} threads wide and
        {by} high. Threads beyond the last column and below the last row have no element, so each axis needs its own
        condition. Each element shows its place row times {columns} plus column in memory.""")
    w, h, x0, y0 = 38, 28, 60, 60
    for y in range(gy * by):
        for x in range(gx * bx):
            has = x < columns and y < rows
            fill = "abcd"[(x // bx + 2 * (y // by)) % 4] if has else "off"
            p.cell(x0 + x * w, y0 + y * h, y * columns + x if has else "", fill, w, h, small=True)
    for by_ in range(gy):
        for bx_ in range(gx):
            p.frame(x0 + bx_ * bx * w, y0 + by_ * by * h, bx * w, by * h)
    p.frame(x0, y0, columns * w, rows * h, "bad")
    p.text(x0, 22, "x, columns: blockIdx.x * blockDim.x + threadIdx.x", kind="bold")
    p.arrow(x0, 34, x0 + 120, 34)
    for x in range(gx * bx):
        p.text(x0 + x * w + w / 2, 54, x, "middle", "small soft")
    for y in range(gy * by):
        p.text(x0 - 12, y0 + y * h + 18, y, "end", "small soft")
    p.text(10, 80, "y,", kind="bold")
    p.text(10, 96, "rows", kind="bold")
    x1 = x0 + gx * bx * w + 16
    for i, line in enumerate([f"red: the matrix, {rows} x {columns}", f"heavy frames: {gx} x {gy} blocks",
                              "grey: threads without an", "element: column >= width", "or row >= height"]):
        p.text(x1, 78 + 20 * i, line)
    return p


def lanes_to_sectors(lanes=32):
    """Each case: which bytes the lanes read; sectors are counted, not drawn by hand."""
    cases = [("adjacent floats", 0, 4), ("adjacent, 4 bytes off", 4, 4), ("every second float", 0, 8),
             ("every eighth float, or a column", 0, 32)]
    counts = []
    for _, first, step in cases:
        counts.append(len({(first + lane * step) // 32 for lane in range(lanes)}))
    p = Picture("lanes-to-sectors", "The loads of a warp and the sectors they need", f"""
        32 lanes load one float each, 128 bytes that are used. Adjacent floats take {counts[0]} sectors of 32 bytes;
        adjacent floats that start 4 bytes after a sector's border take {counts[1]}; every second float takes
        {counts[2]}; a distance of 32 bytes or more takes {counts[3]}, one per lane.""")
    px = 0.62  # per byte
    y = 16
    for (name, first, step), count in zip(cases, counts):
        p.text(10, y + 10, name, kind="bold")
        used = 128 / (32 * count)
        p.text(250, y + 10, f"{count} sectors = {32 * count} bytes fetched, {100 * used:g} % of them used")
        shown = min(lanes, 32 if step < 32 else 20)
        touched = {(first + lane * step) // 32 for lane in range(lanes)}
        for s in range(20):
            p.cell(10 + s * 32 * px * 1.7, y + 46, "", "a" if s in touched else "none", 32 * px * 1.7, 16)
        for lane in range(shown):
            start = 10 + (first + lane * step) * px * 1.7
            if start > 10 + 19.9 * 32 * px * 1.7:
                break
            p.line(12 + lane * 8, y + 22, start + 2 * px * 1.7, y + 45, "go")
        p.text(12 + 33 * 8, y + 26, "32 lanes", kind="small soft")
        p.line(10, y + 21, 12 + 31 * 8 + 2, y + 21, "line")
        if count > 20:
            p.text(10 + 20 * 32 * px * 1.7 + 4, y + 59, f"... {count}", kind="small soft")
        y += 84
    return p


def lanes_to_banks(banks=32):
    cases = [("stride 1: tile[row][lane]", lambda lane: lane), ("stride 2", lambda lane: 2 * lane),
             ("stride 32: tile[lane][column], rows of 32", lambda lane: 32 * lane),
             ("stride 33: the same, rows padded to 33", lambda lane: 33 * lane),
             ("one word for all lanes", lambda lane: 5)]
    worst = []
    for _, word in cases:
        by_bank = {}
        for lane in range(32):
            by_bank.setdefault(word(lane) % banks, set()).add(word(lane))
        worst.append(max(len(words) for words in by_bank.values()))
    p = Picture("lanes-to-banks", "The lanes of a warp and the banks of shared memory", f"""
        Word w of shared memory is in bank w modulo {banks}. 32 lanes with stride 1 use {banks} different banks and take
        {worst[0]} wavefront. With stride 2, two lanes share a bank: {worst[1]} wavefronts. With stride 32 all lanes
        share one bank: {worst[2]} wavefronts. Rows padded to 33 words take {worst[3]}. If all lanes read the same word,
        it is broadcast in {worst[4]}.""")
    w, y = 18, 14
    for (name, word), count in zip(cases, worst):
        p.text(10, y + 12, name, kind="bold")
        note = "wavefront" if count == 1 else f"wavefronts: a {count}-way bank conflict"
        p.text(370, y + 12, f"{count} {note}", kind="" if count == 1 else "say")
        load = {}
        for lane in range(32):
            load.setdefault(word(lane) % banks, []).append(lane)
        for lane in range(32):
            p.line(10 + lane * w + w / 2, y + 24, 10 + (word(lane) % banks) * w + w / 2, y + 51,
                   "go" if count == 1 else "bad")
        for bank in range(banks):
            lanes = load.get(bank, [])
            fill = "off" if not lanes else "c" if count == 1 else "b"
            p.cell(10 + bank * w, y + 52, bank, fill, w, 18, small=True)
        y += 88
    p.text(10, y + 4, "lines: lanes 0 to 31, from left to right; boxes: banks 0 to 31", kind="soft")
    return p


def machine_levels():
    p = Picture("machine-levels", "Grid, block, warp, thread, and the parts of the device that run them", """
        On the left the program: a grid consists of blocks, a block of warps, a warp of 32 threads, which are its lanes.
        On the right the device: the grid uses all multiprocessors, a block stays on one multiprocessor and uses its
        shared memory, a warp shares one instruction at a time, a thread has registers of its own. Below: L2 cache and
        global memory serve all multiprocessors.""")
    rows = [("grid", "all blocks of one launch", "device", "many multiprocessors; L2 and global memory", "a"),
            ("block", "up to 1024 threads", "multiprocessor", "shared memory, L1, barrier: __syncthreads()", "b"),
            ("warp", "32 threads of a block", "warp scheduler", "one instruction for 32 lanes; shuffles", "c"),
            ("thread", "lane 0 to 31 of its warp", "lane", "registers, local memory", "d")]
    for i, (what, says, runs, has, fill) in enumerate(rows):
        y = 40 + i * 54
        p.cell(10 + 18 * i, y, "", fill, 250 - 18 * i, 40)
        p.text(22 + 18 * i, y + 17, what, kind="bold")
        p.text(22 + 18 * i, y + 33, says, kind="small")
        p.arrow(264, y + 20, 330, y + 20)
        p.cell(334, y, "", fill, 330, 40)
        p.text(346, y + 17, runs, kind="bold")
        p.text(346, y + 33, has, kind="small")
    p.text(10, 24, "your program", kind="soft")
    p.text(334, 24, "what runs it, and what belongs to it", kind="soft")
    p.text(275, 36, "runs on", kind="small soft")
    return p


def pictures(_root):
    return [machine_levels(), thread_map_1d(), thread_map_2d(), lanes_to_sectors(), lanes_to_banks()]
