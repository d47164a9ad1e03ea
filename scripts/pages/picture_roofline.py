"""The roofline of the emulated card with the labs on it, from reference/<lab>/ladder.json."""

import json
from math import log10

from svg import Picture

# NVIDIA A100 PCIe/SXM 40 GB data sheet: FP32 peak in flop/s, memory bandwidth in byte/s.
PEAK, BANDWIDTH = 19.5e12, 1555e9
LABS = {"vecadd": "a", "scan": "b", "reduction": "c", "convolution": "d", "gemm": "a"}
SECTOR = 32  # bytes


def _point(stage):
    c = stage["counters"]
    flops = c["flops_f32"]
    moved = SECTOR * (c["dram_read_sectors"] + c["dram_write_sectors"])
    return flops / moved, flops / (stage["modelled_ms"] / 1e3)


def _best(stages):
    """The fastest stage in float: tensor cores compute in TF32, outside of the contracts."""
    return min((s for s in stages.values() if s["counters"]["flops_f32"]), key=lambda s: s["modelled_ms"])


def roofline(root):
    labs = {}
    for lab in LABS:
        stages = json.loads((root / "reference" / lab / "ladder.json").read_text())["stages"]
        labs[lab] = (_point(next(iter(stages.values()))), _point(_best(stages)))
    balance = PEAK / BANDWIDTH
    p = Picture("roofline", "The labs on the roofline of an A100", f"""
        Operations per byte of memory traffic to the right, operations per second upwards, both logarithmic. Below
        {balance:.1f} operations per byte, the machine balance, memory bandwidth limits what can be reached: a
        slanted line. Above it, arithmetic does: a level line. """ + " ".join(
        f"{lab}: {worst[0]:.2g} operations per byte and {worst[1] / 1e9:.0f} GFLOP/s on the first rung, {best[0]:.2g} and "
        f"{best[1] / 1e9:.0f} on the fastest one." for lab, (worst, best) in labs.items()))
    left, top, w, h = 70, 30, 560, 300
    x_low, x_high, y_low, y_high = 0.02, 100, 1e10, 4e13

    def at(point):
        fx = (log10(point[0]) - log10(x_low)) / (log10(x_high) - log10(x_low))
        fy = (log10(point[1]) - log10(y_low)) / (log10(y_high) - log10(y_low))
        return left + fx * w, top + h - fy * h

    for value in (0.1, 1, 10, 100):
        x, _ = at((value, y_low))
        p.line(x, top, x, top + h, "line dash")
        p.text(x, top + h + 18, f"{value:g}", "middle", "small")
    for value, label in ((1e10, "10 G"), (1e11, "100 G"), (1e12, "1 T"), (1e13, "10 T")):
        _, y = at((x_low, value))
        p.line(left, y, left + w, y, "line dash")
        p.text(left - 8, y + 4, label, "end", "small")
    a, knee, b = at((x_low, x_low * BANDWIDTH)), at((balance, PEAK)), at((x_high, PEAK))
    p.line(*a, *knee, "go")
    p.line(*knee, *b, "go")
    p.text(knee[0] - 4, knee[1] - 10, f"{PEAK / 1e12:g} TFLOP/s", "start", "small")
    mx, my = at((0.4, 0.4 * BANDWIDTH))
    p.text(mx - 8, my - 10, f"{BANDWIDTH / 1e9:g} GB/s", "end", "small")
    p.line(knee[0], knee[1], knee[0], top + h, "go dash")
    p.text(knee[0] + 6, top + h - 8, f"balance {balance:.1f}", kind="small")
    for i, (lab, (worst, best)) in enumerate(labs.items()):
        (x1, y1), (x2, y2) = at(worst), at(best)
        if abs(x1 - x2) + abs(y1 - y2) > 12:
            p.arrow(x1, y1, x2, y2, "line")
        p.cell(x1 - 4, y1 - 4, "", "none", 8, 8)
        p.cell(x2 - 5, y2 - 5, "", LABS[lab], 10, 10)
        if lab in ("convolution", "reduction", "vecadd"):
            p.text(x2 - 10, y2 - 3, lab, "end", kind="bold")
        else:
            p.text(x2 + 4, y2 + (22 if lab == "scan" else -10), lab, kind="bold")
    p.text(left, top + h + 38, "floating-point operations per byte of memory traffic", kind="soft")
    p.text(10, 18, "operations per second", kind="soft")
    p.text(left, top + h + 58, "white: the first rung of the lab's ladder; filled: its fastest rung (modelled)", kind="soft")
    return p


def pictures(root):
    return [roofline(root)]
