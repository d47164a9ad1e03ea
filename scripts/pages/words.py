"""The words of docs/machine.md, and the line under each pitfall page that leads to those it uses."""

import re

# Anchor of docs/machine.md, its title in links, and the words that lead to it. Words are matched in prose, not in code.
WORDS = [
    ("threads-blocks-and-warps", "threads, blocks, warps and lanes", r"warps?|lanes?|grids?|blocks?"),
    ("divergence", "divergence", r"diverg\w+"),
    ("memories", "the memories", r"shared memory|global memory|local memory|registers?|constant memory|spill\w*|__shared__"),
    ("coalescing-and-sectors", "coalescing and sectors", r"coalesced|coalescing|uncoalesced|sectors?|requests?"),
    ("banks-and-wavefronts", "banks and wavefronts", r"banks?|bank conflicts?|wavefronts?"),
    ("caches", "caches", r"L1|L2|caches?|hit rate|DRAM"),
    ("occupancy-and-latency", "occupancy and latency", r"occupancy|latency|multiprocessors?"),
    ("barriers-races-and-visibility", "barriers, races and visibility",
     r"barriers?|races?|fences?|__syncthreads|__syncwarp|volatile"),
    ("asynchronous-copies", "asynchronous copies", r"mbarriers?|bulk cop(?:y|ies)|wgmma|cp\.async"),
    ("atomics", "atomics", r"atomics?|atomicAdd|atomicCAS"),
    ("host-and-device", "host and device", r"host|cudaMemcpy|cudaMalloc|streams?|pinned|pageable|managed"),
    ("errors", "errors", r"cudaGetLastError|error check\w*|launch fail\w*"),
    ("roofline-and-modelled-time", "roofline and modelled time", r"roofline|modelled time|memory-bound|compute-bound"),
]
LINE = re.compile(r"\n+\*\*Words\.\*\* [^\n]*(?:\n[^\n]+)*\n*\Z")


def prose(markdown):
    """The text without code blocks; inline code stays, since `__syncthreads` is a word, too."""
    return re.sub(r"^```.*?^```", "", markdown, flags=re.DOTALL | re.MULTILINE)


def links(markdown, prefix):
    text = prose(markdown)
    return [f"[{title}]({prefix}#{anchor})" for anchor, title, words in WORDS
            if re.search(rf"(?<![\w-])(?:{words})(?![\w-])", text)]


def wrapped(text, width=112):
    lines, line = [], ""
    for word in re.split(r" (?=\[)", text):  # a link is not broken
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    return "\n".join(lines + [line])


def pages(root):
    """{path: content} of all pitfall pages, each with the words that it uses."""
    result = {}
    for file in sorted((root / "docs" / "pitfalls").glob("P*.md")):
        text = LINE.sub("\n", file.read_text())
        found = links(text, "../machine.md")
        if found:
            text = text.rstrip("\n") + "\n\n" + wrapped("**Words.** " + ", ".join(found) + ".") + "\n"
        result[file] = text
    return result


def problems(root):
    """Words whose section of docs/machine.md does not exist."""
    headings = re.findall(r"^##+ (.*)$", (root / "docs" / "machine.md").read_text(), re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", h.lower()).replace(" ", "-") for h in headings}
    return [f"docs/machine.md: no section #{anchor}" for anchor, _, _ in WORDS if anchor not in anchors]
