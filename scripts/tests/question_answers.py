#!/usr/bin/env python3
"""Compares the answers of the labs of questions with results found by counting: threads, warps, addresses, steps.

    scripts/tests/question_answers.py

Every question with a number or a formula as its answer has a function in COUNTED, which finds the result for given
numbers without the formula, as far as it can be counted. All drawn numbers are tried in all combinations.
"""

import itertools
import math
import struct
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
NAMES = {"ceil_div": lambda a, b: math.ceil(a / b), "ceil": math.ceil, "floor": math.floor, "log2": math.log2,
         "min": min, "max": max}


def blocks_for(n, size):
    """Blocks of `size`, added until n elements have a thread."""
    count = 0
    while count * size < n:
        count += 1
    return count


def warps(width, height=1, depth=1):
    """The warps of a block, as lists of (x, y, z)."""
    threads = [(x, y, z) for z in range(depth) for y in range(height) for x in range(width)]
    return [threads[i:i + 32] for i in range(0, len(threads), 32)]


def divergent_in_image(rows, columns, path):
    """Warps of 16 x 16 blocks over an image whose threads take several paths; outside is a path, too."""
    count = 0
    for by in range(blocks_for(rows, 16)):
        for bx in range(blocks_for(columns, 16)):
            for warp in warps(16, 16):
                places = [(by * 16 + y, bx * 16 + x) for x, y, _ in warp]
                count += len({path(r, c) if r < rows and c < columns else "outside" for r, c in places}) > 1
    return count


def resident(fits):
    """The largest number of blocks for which `fits` holds."""
    count = 0
    while fits(count + 1):
        count += 1
    return count


def products(outputs, mask, first=None):
    """(products, loads) of a tile in one dimension; `first` is the first element that exists."""
    r = mask // 2
    used = [o + d for o in range(outputs) for d in range(-r, r + 1) if first is None or o + d >= first]
    return len(used), len(set(used))


def tree(values, doubling):
    """[(active threads, accessed pairs)] for each step of a tree in one array."""
    steps = []
    strides = [1 << i for i in range(int(math.log2(values)))]
    for stride in strides if doubling else reversed(strides):
        half = values // 2
        active = [t for t in range(half) if (t % stride == 0 if doubling else t < stride)]
        steps.append([(t, (2 * t, 2 * t + stride) if doubling else (t, t + stride)) for t in active])
    return steps


def slots(steps):
    return sum(32 * len({t // 32 for t, _ in step}) for step in steps)


def lines(steps):
    """128-byte lines of two loads and a store, for each access of each warp."""
    count = 0
    for step in steps:
        for warp in {t // 32 for t, _ in step}:
            pairs = [p for t, p in step if t // 32 == warp]
            for access in (0, 1, 0):
                count += len({p[access] // 32 for p in pairs})
    return count


def divergent_steps(steps, threads):
    count = 0
    for step in steps:
        active = {t for t, _ in step}
        per_warp = [len(active & set(range(w, w + 32))) for w in range(0, threads, 32)]
        count += any(0 < n < 32 for n in per_warp)
    return count


def kogge_stone(n):
    """(additions, steps, steps with a divergent warp)"""
    additions = steps = divergent = 0
    d = 1
    while d < n:
        additions += sum(1 for i in range(n) if i >= d)
        divergent += any(len({i >= d for i in range(w, min(w + 32, n))}) > 1 for w in range(0, n, 32))
        steps += 1
        d *= 2
    return additions, steps, divergent


def brent_kung(n):
    """(additions, steps), and the scan is right."""
    a, additions, steps = [1] * n, 0, 0
    d = 1
    while d < n:
        for i in range(2 * d - 1, n, 2 * d):
            a[i] += a[i - d]
            additions += 1
        steps += 1
        d *= 2
    d = n // 4
    while d >= 1:
        for i in range(2 * d - 1, n - d, 2 * d):
            a[i + d] += a[i]
            additions += 1
        steps += 1
        d //= 2
    assert a == list(range(1, n + 1))
    return additions, steps


def shuffled_up(lane):
    v = [1] * 32
    for d in (1, 2):
        v = [v[i] + (v[i - d] if i >= d else 0) for i in range(32)]
    return v[lane]


def butterfly(k):
    v = [k * (31 - lane) for lane in range(32)]
    for d in (16, 8, 4, 2, 1):
        v = [v[lane] + v[lane ^ d] for lane in range(32)]
    return v[7]


def attempts(threads):
    total = 0
    while threads:
        total += threads
        threads -= 1
    return total


def tiled_loads(m, k, n, t):
    """Floats loaded by blocks of t x t tiles; nothing outside the matrices."""
    floats = 0
    for row, column, phase in itertools.product(range(0, m, t), range(0, n, t), range(0, k, t)):
        height, width, depth = min(t, m - row), min(t, n - column), min(t, k - phase)
        floats += height * depth + depth * width
    return floats


def executed(m, n, k, t):
    return sum(t * t * t * 2 for _ in itertools.product(range(0, m, t), range(0, n, t), range(0, k, t)))


def inside(outputs, mask):
    return sum(1 for o in range(outputs) for d in range(-(mask // 2), mask // 2 + 1) if 0 <= o + d < outputs)


def input_block(m):
    side = 16 + m - 1
    return resident(lambda b: b * side * side <= 2048) * side * side * 4


def ratio(pair, power=1):
    return (pair[0] / pair[1]) ** power


def distinct_sectors(addresses):
    return len({a // 32 for a in addresses})


def largest(test, values):
    return max(v for v in values if test(v))


def positions(height, width, mask):
    """Where the upper left weight of a mask may lie, so that all of the mask is within the image."""
    return [(r, c) for r in range(height) for c in range(width) if r + mask <= height and c + mask <= width]


def windows(height, width, mask):
    """The pooling windows of 2 x 2 positions of a mask, of which the last ones may be cut off."""
    return {(r // 2, c // 2) for r, c in positions(height, width, mask)}


def copied_in_chunks(copies, kernels, back):
    """When the last chunk is copied back, if copies, and kernels, of the chunks follow each other."""
    arrived = done = ended = 0
    for copy in copies:
        arrived += copy
        done = max(done, arrived) + kernels
        ended = max(ended, done) + back
    return ended


COUNTED = {
    "threads": {
        "surplus": lambda n, block: blocks_for(n, block) * block - n,
        "lost_tail": lambda n: n - math.ceil(n // 256) * 256,
        "padding_lanes": lambda block: sum(32 - len(w) for w in warps(block)),
        "index_2d": lambda bx, by, tx, ty, width: [(r, c) for r in range(40) for c in range(width)].index(
            (by * 8 + ty, bx * 16 + tx)),
        "warp_of_thread": lambda x, y, z: next(i for i, w in enumerate(warps(8, 8, 4)) if (x, y, z) in w),
        "image_warps": lambda width, height: sum(len(warps(16, 16)) for _ in range(blocks_for(width, 16))
                                                 for _ in range(blocks_for(height, 16))),
        "diagonal": lambda n: divergent_in_image(n, n, lambda r, c: r > c),
        "diagonal_and_edge": lambda: divergent_in_image(176, 174, lambda r, c: r > c),
        "two_paths": lambda a, b: sum((a, b)),
        "efficiency": lambda lanes, a, b: 100 * sum([lanes] * a + [32 - lanes] * b) / (32 * (a + b)),
        "wrong_stride": lambda n: sum(len(range(i, n, 256)) for i in range(40 * 256)),
    },
    "predict": {
        "block_total": lambda blocks, threads: sum(threads for b in range(blocks) for t in range(threads) if t == 0),
        "butterfly": butterfly,
        "shuffle_up": shuffled_up,
        "ballot": lambda k: sum(1 << lane for lane in range(32) if lane < k),
    },
    "occupancy": {
        "blocks_resident": lambda threads, kib: resident(lambda b: b * threads <= 2048 and b * kib <= 64 and b <= 32),
        "loads_under_way": lambda threads, loads: resident(lambda b: b * threads <= 2048) * threads * loads,
        "registers": lambda regs, block: 100 * block / 2048 * resident(
            lambda b: b * block <= 2048 and b * block * regs <= 65536),
        "registers_at_most": lambda threads: resident(lambda r: r * threads <= 65536),
        "shared_at_most": lambda kib, threads: resident(lambda bytes_: bytes_ * threads <= kib * 1024),
        "tile_of_32_kib": lambda kib: 100 * 256 / 2048 * resident(lambda b: b * 256 <= 2048 and b * kib <= 164),
        "unused_slots": lambda block: 2048 - block * resident(lambda b: b * block <= 2048),
        "filling_both": lambda threads, blocks: next(w for w in range(1, 33) if w * 32 * blocks >= threads),
        "threads_per_lane": lambda lanes, threads: resident(lambda t: t * lanes <= threads),
        "cube": lambda: largest(lambda e: e ** 3 <= 1024 and 4 * e ** 3 <= 48 * 1024, range(1, 40)),
    },
    "tiles": {
        "bytes_naive": lambda m, n, k: sum(2 * 4 * k for _ in range(m * n)),
        "loads_per_element": lambda m, n, k: sum(1 for i in range(m) for j in range(n) if i == 3),
        "bytes_tiled": lambda m, k, n: 4 * tiled_loads(m, k, n, 16),
        "useful_operations": lambda m, n, k: sum(2 * k for _ in range(m * n)),
        "operations": lambda m, n, k: executed(m, n, k, 32),
        "barriers": lambda k, tile: sum(2 for _ in range(0, k, tile)),
        "intensity": lambda tile: 2 * (4 * tile) ** 3 / (4 * tiled_loads(4 * tile, 4 * tile, 4 * tile, tile)),
        "bound": lambda reuse, rate: rate / 4 / 2 * reuse * 2,
        "lines_of_a": lambda width: distinct_sectors(y * 4096 for _, y, _ in warps(width, 1024 // width)[0]),
        "register_tile": lambda t, u: next(s for s in range(1, t + 1) if s * u == t),
        "coarsened": lambda tile, c: (tile * tile + c * tile * tile) / c,
    },
    "halos": {
        "ratio_1d": lambda t, m: ratio(products(t, m)),
        "ratio_1d_border": lambda t, m: ratio(products(t, m, 0)),
        "ratio_2d": lambda t, m: ratio(products(t, m), 2),
        "ratio_2d_corner": lambda: ratio(products(8, 5, 0), 2),
        "bytes_per_operation": lambda side: 4 * side * side / (2 * side * side),
        "tile_bytes": input_block,
        "loads_of_four": lambda: ratio(products(48 - 8, 9), 2),
        "divergent_warps": lambda r: sum(
            len({r <= x < 32 - r and r <= y < 32 - r for x, y, _ in w}) > 1 for w in warps(32, 32)),
        "share_active": lambda r: 100 * sum(r <= x < 32 - r and r <= y < 32 - r for w in warps(32, 32)
                                            for x, y, _ in w) / 1024,
        "strategy_three": lambda: inside(16, 9) * inside(16, 5),
        "constant_mask": lambda: largest(lambda s: 4 * s ** 3 <= 65536, range(1, 99, 2)),
        "valid_size": lambda n, k: sum(1 for r in range(n) for c in range(n) if r + k <= n and c + k <= n),
    },
    "contention": {
        # The share x with (1 - x) * 125 + x * 700 = the average, by bisection of per cents.
        "latency_mix": lambda rate: next(x / 1000 for x in range(100001)
                                         if 125 * (1 - x / 1e5) + 700 * x / 1e5 >= 1000 / rate),
        "global_atomics": lambda blocks, bins: sum(bins for _ in range(blocks)),
        "break_even": lambda blocks, bins: sum(bins for _ in range(blocks)),
        "sections": lambda section: distinct_sectors(lane * section for lane in range(32)),
        "interleaved": lambda bytes: distinct_sectors(lane * bytes for lane in range(32)),
        "owner": lambda block, thread: list(range(0, 96 * 105, (10000 - 1) // 96 + 1))[block * 16 + thread],
        "cas_attempts": attempts,
        "copies": lambda bins, kib: resident(lambda c: c * bins * 4 <= kib * 1024),
        "letters": lambda c: next(i for i, letters in enumerate(
            ["abcd", "efgh", "ijkl", "mnop", "qrst", "uvwx", "yz"]) if chr(c) in letters),
    },
    "trees": {
        "parallelism": lambda n: sum(len(s) for s in tree(n, False)) / len(tree(n, False)),
        "slots": lambda: slots(tree(256, True)),
        "slots_halving": lambda: slots(tree(256, False)),
        "requests": lambda: lines(tree(256, True)),
        "requests_halving": lambda: lines(tree(256, False)),
        "divergent_steps": lambda n: divergent_steps(tree(n, True), n // 2),
        "coarsened_steps": lambda c, n: len(range(1, 2 * c)) + len(tree(n // 2, False)),
        "kogge_stone": lambda n: kogge_stone(n)[0],
        "brent_kung": lambda n: brent_kung(n)[0],
        "brent_kung_steps": lambda n: brent_kung(n)[1],
        "barriers": lambda n: 2 * kogge_stone(n)[1] - kogge_stone(n)[1],
        "two_levels": lambda per: sum(per for _ in range(per)),
        "divergence": lambda: kogge_stone(1024)[2],
    },
    "rates": {
        "amdahl": lambda p, s: 100 / (100 - 100 * p + 100 * p / s),
        "amdahl_limit": lambda p: 100 / (100 - 100 * p),
        "share_needed": lambda s: next(x / 100 for x in range(10001) if (10000 - x) * s <= 10000),
        "coalesced_rate": lambda peak, stride: peak * 32 * 8 / (32 * stride),
        "effective_rate": lambda millions, us: 3 * 4 * millions * 1e6 / (us * 1e-6) / 1e9,
        "balance": lambda gflops, rate: gflops * 1e9 / (rate * 1e9),
        "ceiling": lambda intensity, rate: 1 / max(1 / 19500, 1 / (intensity * rate)),
        "bus": lambda bits, ghz: bits * 2 * ghz / 8,
        "channels": lambda rate: next(c for c in range(1, 1000) if c * 8 * 2 * 1 >= rate),
        "dram_banks": lambda r: next(b for b in range(1, 100) if b * 1 >= r + 1),
        "pcie": lambda lanes: lanes * 8e9 / 130 * 128 / 8 / 1e9,
        "copies": lambda millions, link: 100 * (12 * millions / link) / (12 * millions / link + 12 * millions / 1200),
    },
    "bottleneck": {
        "rate_reached": lambda mb, us: 100 * ((mb + mb / 2) * 1e6 / (us * 1e-6)) / 1555e9,
        "few_blocks": lambda blocks: 100 * len(range(blocks, 108)) / 108,
        "launches": lambda launches, work: 100 * launches * work / (launches * 6 + launches * work),
        "timeline": lambda in_ms, kernel, out_ms: max((in_ms, kernel, out_ms)),
        "worth_it": lambda share, gain: 100 / (100 - share + share / gain),
    },
    "network": {
        "results": lambda height, width, mask, maps: maps * len({(r // 2, c // 2) for r, c in positions(height, width, mask)}),
        "operations": lambda side, c, m: sum(2 * m * c * 5 * 5 for _ in positions(side, side, 5)) / 1e6,
        "unrolled_bytes": lambda channels, height, width, mask: sum(
            4 * channels * mask * mask for _ in positions(height, width, mask)),
        "duplication": lambda side, k: sum(k * k for _ in positions(side, side, k)) / side ** 2,
        "uses": lambda k, m: m * sum(0 <= 50 - r < k and 0 <= 50 - c < k for r, c in positions(100, 100, k)),
        "blocks": lambda n: blocks_for(32, 16) * blocks_for(n * 28 * 28, 16),
    },
    "forward": {
        "features": lambda height, width, mask1, mask2, maps2: maps2 * len(
            windows(len({r for r, _ in windows(height, width, mask1)}), len({c for _, c in windows(height, width, mask1)}), mask2)),
        "weights": lambda maps, hidden: sum(rows * (columns + 1) for rows, columns in [
            (6, 5 * 5), (maps, 6 * 5 * 5), (hidden, maps * len(windows(12, 12, 5))), (10, hidden)]),
        "copied_again": lambda n: sum(5 for image in range(n) for array in range(8)) - 8 * 5,
        "values_bytes": lambda n, m: 4 * n * m * len(list(positions(32, 32, 3))) / 1e3,
        "chunks": lambda h, k: copied_in_chunks([h / 2, h / 2], k, 5),
    },
    "choose": {},
    "attention": {
        "scores_memory": lambda n, heads: 4 * sum(n for _ in range(heads * n)) / 1e6,
        "traffic": lambda n, depth: 1 + sum(4 * n for _ in range(n)) / (4 * sum(depth for _ in range(n))),
        "operations": lambda heads, n, depth: heads * sum(2 * depth + 2 * depth for i in range(n) for j in range(n)),
        "rescaling": lambda sum, factor, weight: factor * (sum + 1 / factor + weight / factor),
        "intensity": lambda queries: 2 * len([q for q in range(queries)]) / 4,
        "causal_tiles": lambda n: sum(1 for top in range(0, n, 64) for first in range(0, n, 64) if first <= min(top + 63, n - 1)),
    },
    "attention_half": {
        "instructions": lambda n, depth: (len(range(0, n, 16)) * len(range(0, n, 8)) * len(range(0, depth, 16)) +
                                          len(range(0, n, 16)) * len(range(0, depth, 8)) * len(range(0, n, 16))),
        "registers": lambda depth, queries: blocks_for(sum(64 for _ in range(queries)) + sum(depth for _ in range(queries)), 32),
        "exponentials": lambda depth, keys: (sum(2 * 2 * depth for q in range(128) for j in range(keys)) / 4096 -
                                             len([j for q in range(128) for j in range(keys)]) / 16),
        "lane": lambda row, key: next(i for i in range(32) for high in (0, 8) for low in (0, 1)
                                      if row == i // 4 + high and key % 8 == 2 * (i % 4) + low),
        "rounding": lambda shift: next(d for d in range(100) if struct.unpack("e", struct.pack("e", 2.0 ** (shift - d)))[0] == 0),
    },
}


def combinations(question):
    drawn = question.get("draw", {})
    sets = [dict(zip(drawn, values)) for values in itertools.product(*drawn.values())]
    return [{**numbers, **size} for numbers in sets for size in question.get("sizes", [{}])]


def main():
    problems, compared = [], 0
    for toml in sorted((ROOT / "labs").glob("*/lab.toml")):
        lab = tomllib.loads(toml.read_text())
        if "question" not in lab:
            continue
        key = tomllib.loads((ROOT / "reference" / lab["id"] / "answers.toml").read_text())
        counted = COUNTED.get(lab["id"], {})
        questions = {q["id"]: q for q in lab["question"] if q["kind"] in ("number", "formula")}
        problems += [f"{lab['id']}: question {name} has no function in COUNTED" for name in questions if name not in counted]
        problems += [f"{lab['id']}: COUNTED has {name}, which is not a question" for name in counted if name not in questions]
        for name in questions.keys() & counted.keys():
            for numbers in combinations(questions[name]):
                answer = eval(key[name]["answer"], {"__builtins__": {}}, {**NAMES, **numbers})  # our own files
                found = counted[name](**numbers)
                compared += 1
                if not math.isclose(answer, found, rel_tol=1e-4):
                    problems.append(f"{lab['id']}: {name} with {numbers}: the answer is {answer}, counted are {found}")
    print("\n".join(problems) or f"{compared} answers agree with what was counted")
    return 1 if problems or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
