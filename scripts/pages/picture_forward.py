"""The arrays of the program of the lab forward: which stay on the device, and which are copied."""

from svg import Picture


def pooled(size, mask):
    """Results of a layer along an axis: positions of the mask, in windows of two."""
    return (size - mask + 2) // 2


def arrays(batch=200, channels=1, side=32, maps1=4, mask1=3, maps2=8, mask2=3, hidden=32, classes=10):
    one = pooled(side, mask1)
    two = pooled(one, mask2)
    inputs = maps2 * two * two
    weights = maps1 * (channels * mask1 ** 2 + 1) + maps2 * (maps1 * mask2 ** 2 + 1) + hidden * (inputs + 1) + classes * (hidden + 1)
    steps = [("images", f"{batch} x {channels} x {side} x {side}"), ("results 1", f"{batch} x {maps1} x {one} x {one}"),
             ("results 2", f"{batch} x {maps2} x {two} x {two}"), ("probabilities", f"{batch} x {classes}")]
    kernels = ["layer", "layer", "classify"]
    p = Picture("forward-arrays", "The arrays of a forward pass", f"""
        Images, {steps[0][1]} numbers, and {weights} weights are copied from the host to the device once. Three kernels follow on the
        device: a layer makes results of {steps[1][1]}, another one results of {steps[2][1]}, and the kernel classify makes
        probabilities, {steps[3][1]}, with {hidden} hidden values of each image that stay in shared memory. All three read the weights.
        Only the probabilities are copied back.""")
    w, h, gap, left = 130, 40, 64, 70
    host, device, below = 14, 130, 236
    p.text(6, host + 24, "host", kind="bold")
    p.text(6, device + 24, "device", kind="bold")
    for i, (name, size) in enumerate(steps):
        x = left + i * (w + gap)
        moved = i in (0, len(steps) - 1)
        rows = [(device, "a" if moved else "c")] + ([(host, "a")] if moved else [])
        for y, fill in rows:
            p.cell(x, y, "", fill, w, h)
            p.text(x + w / 2, y + 17, name, anchor="middle")
            p.text(x + w / 2, y + 33, size, anchor="middle", kind="small")
        if i < len(kernels):
            p.arrow(x + w + 4, device + h / 2, x + w + gap - 4, device + h / 2)
            p.text(x + w + gap / 2, device + h / 2 - 8, kernels[i], anchor="middle", kind="small")
            p.arrow(x + w + gap / 2, below - 4, x + w + gap / 2, device + h / 2 + 8)
    x = left + w / 2
    p.arrow(x, host + h + 4, x, device - 4)
    p.text(x + 8, (host + h + device) / 2 + 4, "copied once", kind="soft")
    x = left + 3 * (w + gap) + w / 2
    p.arrow(x, device - 4, x, host + h + 4)
    p.text(x + 8, (host + h + device) / 2 + 4, "copied back", kind="soft")
    wide = 3 * (w + gap)
    p.cell(left, below, "", "b", wide, h)
    p.text(left + wide / 2, below + 17, "weights", anchor="middle")
    p.text(left + wide / 2, below + 33, f"{weights}, copied once: the same for all images", anchor="middle", kind="small")
    return p


def pictures(_root):
    return [arrays()]
