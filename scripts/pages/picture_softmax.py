"""The passes of a softmax over a row: three, and two with the online sum."""

from math import exp

from svg import Picture

ROW = (1, 3, 2, 0)  # the tiny example of the lab softmax


def _pair(part):
    largest = max(part)
    return largest, sum(exp(x - largest) for x in part)


def passes(row=ROW, threads=2):
    n = len(row)
    largest, total = _pair(row)
    result = [exp(x - largest) / total for x in row]
    each = n // threads
    parts = [row[t * each:(t + 1) * each] for t in range(threads)]
    pairs = [_pair(part) for part in parts]
    combined = sum(s * exp(m - largest) for m, s in pairs)
    terms = " + ".join(f"{s:.3f}" if m == largest else f"{s:.3f} * exp({m} - {largest})" for m, s in pairs)
    p = Picture("softmax-passes", "A row in three passes, and in two", f"""
        The row {', '.join(map(str, row))}. Three passes: the first reads the row for its largest value, {largest}; the second reads
        it for the sum of the exponentials, {total:.3f}; the third reads it and writes {', '.join(f'{r:.3f}' for r in result)}. That
        is {3 * n} loads. Online: {threads} threads read {each} values each and keep a pair of largest value and sum,
        {' and '.join(f'({m}, {s:.3f})' for m, s in pairs)}, which combine to {largest} and {terms} = {combined:.3f}. A second pass
        writes the results. That is {2 * n} loads. With the row in registers it is {n}.""")
    w, h, step = 48, 24, 96
    for x, name in ((12, f"three passes: {3 * n} loads"), (376, f"online: {2 * n} loads")):
        p.text(x, 20, name, kind="bold")

    def read(x, y, says, fills, results, texts):
        p.row(x, y, row, fills, w, h)
        for i in range(n):
            p.arrow(x + i * w + w / 2, y + h + 1, x + i * w + w / 2, y + h + 15)
        p.text(x + n * w + 10, y + 17, says)
        for text, place, width, fill in results:
            p.cell(x + place * w, y + h + 16, text, fill, width * w, h, small=len(texts) > 0)

    written = [(f"{r:.3f}", i, 1, "c") for i, r in enumerate(result)]
    read(12, 36, "pass 1", "a", [(f"largest: {largest}", 0, n, "b")], "")
    read(12, 36 + step, "pass 2", "a", [(f"sum of exp(x - {largest}): {total:.3f}", 0, n, "b")], "s")
    read(12, 36 + 2 * step, "pass 3", "a", written, "s")
    read(376, 36, "pass 1", lambda i: "ad"[i // each % 2],
         [(f"({m}, {s:.3f})", t * each, each, "ad"[t % 2]) for t, (m, s) in enumerate(pairs)], "s")
    for t in range(threads):
        p.text(376 + (t + 0.5) * each * w, 36 + 2 * h + 30, f"thread {t}", "middle", "small soft")
    y = 36 + step + 18
    p.arrow(376 + n * w / 2, 36 + 2 * h + 18, 376 + n * w / 2, y - 1)
    p.cell(376, y, f"({largest}, {combined:.3f})", "b", n * w, h, small=True)
    p.text(376, y + 42, f"{terms} = {combined:.3f}", kind="small soft")
    read(376, 36 + 2 * step, "pass 2", "a", written, "s")
    p.text(12, 36 + 3 * step + 4, f"result: exp(x - {largest}) / {total:.3f}; a row that stays in registers is loaded once: {n} loads", kind="soft")
    return p


def pictures(_root):
    return [passes()]
