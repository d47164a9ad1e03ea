"""Pictures of images: blocks that reach over the edges, and the windows of a blur at the border."""

from svg import Picture

IMAGE = ((10, 20, 60), (40, 50, 91))  # the tiny example of the lab images


def overhang(height=62, width=76, block=16, px=5):
    """To scale: the blocks over an image, and how many threads of each have a pixel."""
    gx, gy = -(-width // block), -(-height // block)
    p = Picture("image-blocks", "An image under blocks that reach over its edges", f"""
        An image of {height} rows of {width} pixels under {gx} by {gy} blocks of {block} by {block} threads: {gx * gy * block * block}
        threads for {height * width} pixels. Whole blocks have {block * block} pixels. The last column of blocks has
        {width - (gx - 1) * block} of {block} columns inside, the last row {height - (gy - 1) * block} of {block} rows, the block in the corner
        {(width - (gx - 1) * block) * (height - (gy - 1) * block)} pixels.""")
    ox, oy, side = 44, 44, block * px
    p.text(ox, 20, f"x: {gx} blocks for {width} columns", kind="bold")
    for by in range(gy):
        p.text(ox - 8, oy + by * side + 12, by * block, "end", "small soft")
        for bx in range(gx):
            if by == 0:
                p.text(ox + bx * side, oy - 6, bx * block, kind="small soft")
            wide, high = min(block, width - bx * block), min(block, height - by * block)
            p.cell(ox + bx * side, oy + by * side, "", "off", side, side)
            p.cell(ox + bx * side, oy + by * side, wide * high, "a" if wide * high == block * block else "b", wide * px, high * px)
            p.frame(ox + bx * side, oy + by * side, side, side, "line")
    p.frame(ox, oy, width * px, height * px, "bad")
    x = ox + gx * side + 20
    for i, says in enumerate(["red: the image", f"heavy frames: blocks of {block} x {block}", "numbers: threads with a pixel", "grey: threads without one"]):
        p.text(x, oy + 16 + 22 * i, says)
    p.text(x, oy + 130, "column < width", kind="say")
    p.text(x, oy + 150, "&& row < height", kind="say")
    return p


def windows(image=IMAGE, radius=1):
    """The window of each pixel of the first row."""
    height, width = len(image), len(image[0])
    means, told = [], []
    for c in range(width):
        inside = [(y, x) for y in range(-radius, radius + 1) for x in range(c - radius, c + radius + 1) if 0 <= y < height and 0 <= x < width]
        total = sum(image[y][x] for y, x in inside)
        means.append((inside, total, total // len(inside)))
        told.append(f"column {c} has {len(inside)} pixels, {total} / {len(inside)} = {total // len(inside)}")
    p = Picture("blur-windows", "The windows of a blur at the border", f"""
        An image of {height} rows and {width} columns, and the windows of radius {radius} of the pixels of row 0. Pixels that do not exist do
        not count: {'; '.join(told)}.""")
    w, h, oy = 36, 28, 40
    step = (width + 2 * radius) * w + 46
    for c, (inside, total, mean) in enumerate(means):
        ox = 12 + c * step
        p.text(ox, 22, f"row 0, column {c}", kind="bold")
        for y in range(-radius, height):
            for x in range(-radius, width + radius):
                exists = 0 <= y < height and 0 <= x < width
                in_window = abs(y) <= radius and abs(x - c) <= radius
                if not exists and not in_window:
                    continue
                fill = "b" if (y, x) == (0, c) else "a" if exists and in_window else "none" if exists else "off"
                p.cell(ox + (x + radius) * w, oy + (y + radius) * h, image[y][x] if exists else "-", fill, w, h)
        p.frame(ox + c * w, oy, (2 * radius + 1) * w, (2 * radius + 1) * h, "go")
        p.text(ox, oy + (height + radius) * h + 24, f"{total} / {len(inside)} = {mean}")
    p.text(12, oy + (height + radius) * h + 48, "grey: pixels that do not exist; the sum is divided by the number of the others, and rounded down", kind="soft")
    return p


def pictures(_root):
    return [overhang(), windows()]
