"""Producers and a consumer: the time of copies and sums with one stage and with several, and the phases of a stage."""

from svg import Picture


def schedule(steps, stages, copy, add, issue):
    """[(step, copy begins, copy ends, sum begins, sum ends)]: a copy begins when its stage is empty and the one before is issued."""
    spans = []
    for i in range(steps):
        issued = spans[i - 1][1] + issue if i else 0
        free = spans[i - stages][4] if i >= stages else 0
        begin = max(issued, free)
        start = max(begin + copy, spans[i - 1][4] if i else 0)
        spans.append((i, begin, begin + copy, start, start + add))
    return spans


def timeline(steps=6, ways=(1, 2, 4), copy=600, add=150, issue=50, px=0.125):
    """@param copy, add, issue  cycles of a step: until its values are there, of its sums, and between the beginnings of two copies."""
    plans = [(stages, schedule(steps, stages, copy, add, issue)) for stages in ways]
    ends = [plan[-1][4] for _, plan in plans]
    told = "; ".join(f"{s} stage{'s' * (s > 1)}: {end} cycles" for (s, _), end in zip(plans, ends))
    p = Picture("pipeline-timeline", "Copies and sums with one, two and four stages", f"""
        {steps} steps, time goes to the right. The values of a step are in shared memory {copy} cycles after its copy began, and are added
        in {add} cycles. {told}. With one stage a copy begins when the sums before it are done. With more stages several copies are
        under way at once, and the sums wait less. The colour is the stage that a step uses.""")
    ox, y = 90, 14
    for (stages, plan), end in zip(plans, ends):
        p.text(10, y + 12, "one stage" if stages == 1 else f"{stages} stages", kind="bold")
        p.text(ox + max(ends) * px, y + 12, f"{end} cycles", "end", "bold")
        lanes = min(stages, steps)
        for lane in range(lanes):
            p.text(10, y + 33 + lane * 18, "copies" if lane == 0 else "", kind="small")
        p.text(10, y + 33 + lanes * 18 + 4, "sums", kind="small")
        for i, begin, arrived, start, stop in plan:
            fill = "abcd"[i % stages]
            p.cell(ox + begin * px, y + 20 + i % stages * 18, i, fill, (arrived - begin) * px, 16, small=True)
            p.cell(ox + start * px, y + 24 + lanes * 18, i, fill, (stop - start) * px, 18, small=True)
        y += 62 + lanes * 18
    p.text(10, y + 4, "numbers: steps; colours: stages of shared memory", kind="soft")
    return p


def phases(steps=6, stages=2):
    """What both sides wait for in each step."""
    p = Picture("pipeline-phases", "Stages, rounds and parities", f"""
        {steps} steps with {stages} stages. Step i uses stage i modulo {stages}, in round i / {stages}. The producers wait for the phase of
        `empty` whose parity is that of the round before, which in round 0 is over by definition; the consumer waits for the phase of
        `full` with the parity of the round.""")
    w, ox, y = 62, 245, 14
    rows = [("step", lambda i: i, None), ("stage", lambda i: i % stages, "stage"), ("round", lambda i: i // stages, None),
            ("producers wait for empty, parity", lambda i: (i // stages + 1) % 2, "over"),
            ("the consumer waits for full, parity", lambda i: i // stages % 2, None)]
    for name, value, kind in rows:
        p.text(10, y + 16, name)
        for i in range(steps):
            over = kind == "over" and i < stages
            fill = "abcd"[i % stages] if kind == "stage" else "off" if over else "none"
            p.cell(ox + i * w, y, value(i), fill, w, 24)
        y += 30
    p.cell(10, y + 4, "", "off", 24, 18)
    p.text(44, y + 18, "over by definition: a new barrier behaves as if a phase of parity 1 had ended", kind="soft")
    return p


def pictures(_root):
    return [timeline(), phases()]
