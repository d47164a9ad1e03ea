"""Pictures of the debugger's tutorial: where the program stands, its warps, and one value in all lanes.

What they show is what the tutorial's sessions print, which a test compares with the debugger
(emulator/debug/tests/tutorial_test.cpp).
"""

import re

from svg import Picture

PAGE = "debugging.md"
AROUND = 3  # lines of code above and below the one at which the program stands
LINE, LANE_W, LANE_H = 18, 40, 22


def _section(text, heading):
    part = text.split(f"\n### {heading}\n", 1)[1]
    return re.split(r"\n##+ ", part, maxsplit=1)[0]


def _answers(section):
    """[(command, [lines that the debugger shows])] of a section's sessions."""
    answers = []
    for block in re.findall(r"```session\n(.*?)```", section, re.S):
        for line in block.splitlines():
            if line.startswith("  "):
                answers[-1][1].append(line.strip())
            else:
                answers.append((line, []))
    return answers


def _scene(section):
    """The session up to its last stop with `lanes`: (stop, line, warps, expression, 32 values)."""
    stop, warps, scene = "", [], None
    for command, shown in _answers(section):
        if command in ("run", "continue"):
            stop, warps = shown[0], []
        elif command == "threads":
            warps = [re.fullmatch(r"block \S+ (warp \d+): (.*)", line).groups() for line in shown]
        elif command.startswith("lanes "):
            scene = (stop, int(stop.rsplit(":", 1)[1]), warps, command.removeprefix("lanes "), " ".join(shown).split())
    return scene


def _code(section):
    return re.search(r"```cuda\n(.*?)```", section, re.S)[1].splitlines()


def _draw_code(p, lines, at, bottom):
    first = max(1, at - AROUND)
    for number in range(first, min(len(lines), at + AROUND) + 1):
        y = bottom + (number - first) * LINE
        here = number == at
        p.text(10, y, ">" if here else "", kind="say bold")
        p.text(24, y, number, kind="soft")
        p.text(52, y, lines[number - 1].replace(" ", "\u00a0"), kind="bold" if here else "")
    return bottom + (min(len(lines), at + AROUND) - first + 1) * LINE


def _draw(name, title, section):
    stop, at, warps, expression, values = _scene(section)
    active = [i for i, value in enumerate(values) if value != "-"]
    lanes = "all lanes are active" if len(active) == 32 else "active lanes: " + ", ".join(map(str, active))
    p = Picture(name, title, f"""
        The debugger has stopped: {stop}. The line is: {_code(section)[at - 1].strip()} The value of {expression}
        in the lanes of the warp, of which {lanes}: {', '.join(values[i] for i in active)}.
        {'Warps of the block: ' + '; '.join(f'{w} {state}' for w, state in warps) + '.' if warps else ''}""")
    p.text(10, 22, stop, kind="say bold")
    y = _draw_code(p, _code(section), at, 48) + 12
    p.text(10, y, f"across lanes: {expression}", kind="soft")
    for i, value in enumerate(values):
        p.cell(10 + i % 8 * LANE_W, y + 8 + i // 8 * LANE_H, "" if value == "-" else value,
               "off" if value == "-" else "a", LANE_W, LANE_H, small=True)
    y += 8 + 4 * LANE_H + 18
    if warps:
        p.text(10, y, "warps of the block", kind="soft")
    for i, (warp, state) in enumerate(sorted(warps)):
        fill = "off" if state == "has ended" else "b" if "waits" in state else "c"
        p.cell(10, y + 8 + i * LANE_H, warp, fill, 2 * LANE_W, LANE_H, small=True)
        p.text(20 + 2 * LANE_W, y + 23 + i * LANE_H, state, kind="small")
    return p


def pictures(root):
    text = (root / "docs" / PAGE).read_text()
    return [_draw(name, title, _section(text, heading)) for name, title, heading in (
        ("debug-race", "The debugger at a race", "A race"),
        ("debug-bounds", "The debugger at an access outside an array", "One too far"),
        ("debug-barrier", "The debugger at a barrier that not all threads reach", "A barrier for some"))]
