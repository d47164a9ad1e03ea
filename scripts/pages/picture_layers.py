"""A picture of a layer of a convolutional network as a product of matrices."""

from svg import Picture


def unrolled(side=3, mask=2, channels=2, maps=2):
    """The images of a tiny layer, and the matrix that has the pixels of each value in a column."""
    out = side - mask + 1
    depth, columns = channels * mask * mask, out * out
    middle = side // 2 * side + side // 2
    pixels = [[chr(ord("a") + k * side * side + i) for i in range(side * side)] for k in range(channels)]
    rows = [(k, p, q) for k in range(channels) for p in range(mask) for q in range(mask)]
    values = [(r, c) for r in range(out) for c in range(out)]
    times = sum((r + p, c + q) == divmod(middle, side) for r, c in values for k, p, q in rows if k == 0)
    p = Picture("unrolled-layer", "The unrolled matrix of a layer", f"""
        An image with {channels} channels of {side} by {side} pixels, and {maps} maps with masks of {mask} by {mask}. The weights are a
        matrix of {maps} rows and {depth} columns, the unrolled image one of {depth} rows and {columns} columns: a column has
        the {depth} pixels that one value needs, channel after channel and row after row of the mask. Their product has a
        row for each map and a column for each value. The pixel in the middle of a channel is in the matrix {times} times,
        the {channels * side * side} pixels have become {depth * columns} elements.""")
    w, h = 30, 24
    left, top = 10, 34
    p.text(left, top - 12, f"image: {channels} channels", kind="bold")
    for k in range(channels):
        for i, name in enumerate(pixels[k]):
            y, x = divmod(i, side)
            p.cell(left + x * w, top + (k * (side + 1) + y) * h, name, "a" if i == middle else "none", w, h)
    x0, y0 = left + side * w + depth * w + 60, top
    p.text(x0, y0 - 12, f"unrolled: {depth} x {columns}", kind="bold")
    for l, (k, dy, dx) in enumerate(rows):
        for j, (r, c) in enumerate(values):
            i = (r + dy) * side + c + dx
            p.cell(x0 + j * w, y0 + l * h, pixels[k][i], "a" if i == middle else "none", w, h)
    y1 = y0 + depth * h + 30
    p.text(x0 - depth * w - 16, y1 - 8, f"weights: {maps} x {depth}", kind="bold")
    p.text(x0 + columns * w + 10, y1 + h, "values", kind="bold")
    for m in range(maps):
        for l in range(depth):
            p.cell(x0 - 16 - (depth - l) * w, y1 + m * h, f"{m},{l}", "b", w, h, small=True)
        for j, (r, c) in enumerate(values):
            p.cell(x0 + j * w, y1 + m * h, f"{r},{c}", "c", w, h, small=True)
    p.frame(x0, y0, w, depth * h, "go")
    p.text(left, y1 + maps * h + 26, f"framed: the {depth} pixels of value 0,0; {channels * side * side} pixels become {depth * columns} elements",
           kind="soft")
    return p


def pictures(_root):
    return [unrolled()]
