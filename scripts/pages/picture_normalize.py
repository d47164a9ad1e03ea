"""Two kernels of the lab normalize: the end of the first is a barrier for the whole grid."""

from math import sqrt

from svg import Picture


def phases(a=(5, 2, 9, 9), b=(2, 6, 9, 9), block=2):
    """The tiny example of the lab normalize."""
    n, blocks = len(a), -(-len(a) // block)
    d = [x - y for x, y in zip(a, b)]
    sums = [sum(x * x for x in d[i:i + block]) for i in range(0, n, block)]
    length = sqrt(sum(sums))
    unit = [f"{x / length:g}" for x in d]
    p = Picture("normalize-kernels", "Two kernels, and what is complete between them", f"""
        {n} elements in {blocks} blocks of {block}. In the first kernel each block subtracts, adds up its squares,
        {' and '.join(map(str, sums))}, and adds this to one number in global memory by a single atomic. When the kernel has ended, all
        blocks have added: {sum(sums)}, so the length is {length:g}. The second kernel subtracts once more and divides:
        {', '.join(unit)}. A thread of the first kernel that read the sum would find what some blocks have added so far.""")
    w, gap, ox = 52, 60, 150

    def at(i):
        return ox + i * w + i // block * gap

    for name, y, texts, fill in (("a", 40, a, "a"), ("b", 68, b, "a"), ("difference", 96, d, "b"), ("squares", 124, [x * x for x in d], "b"),
                                 ("a - b again", 306, d, "b"), ("result", 334, unit, "c")):
        p.text(10, y + 17, name)
        for i, text in enumerate(texts):
            p.cell(at(i), y, text, fill, w)
    middle = (at(0) + at(n - 1) + w) / 2
    p.text(10, 189, "block sums")
    p.text(10, 237, "global sum")
    for k, s in enumerate(sums):
        x, last = at(k * block), at(min(n, (k + 1) * block) - 1) + w
        p.text((x + last) / 2, 30, f"block {k}", "middle", "bold")
        for i in range(k * block, min(n, (k + 1) * block)):
            p.arrow(at(i) + w / 2, 149, (x + last) / 2, 170, "line")
        p.cell((x + last - w) / 2, 172, s, "b", w)
        p.arrow((x + last) / 2, 198, middle, 218)
    p.cell(middle - w / 2, 220, sum(sums), "d", w)
    right = at(n - 1) + w + 20
    p.text(right, 60, "kernel 1", kind="bold")
    p.text(right, 213, "one atomicAdd per block", kind="soft")
    p.line(10, 264, right + 190, 264, "bad dash")
    p.text(right, 258, "all blocks have added", kind="say")
    p.text(right, 323, "kernel 2", kind="bold")
    p.text(10, 290, f"length: sqrt({sum(sums)}) = {length:g}")
    for i in range(n):
        p.arrow(middle, 245, at(i) + w / 2, 304, "line")
    return p


def pictures(_root):
    return [phases()]
