"""The timeline of a call with copies: one piece, and chunks in several streams."""

from svg import Picture

WORDS = {1: "one stream", 2: "two streams", 3: "three streams"}

ENGINES = ("copy to the device", "kernel", "copy from the device")


def schedule(times, chunks, streams):
    """[(engine, chunk, start, end)]: an engine works in the order of submission, and a stream does one thing at a time."""
    engine_free, stream_free, spans = [0.0] * len(times), [0.0] * streams, []
    for c in range(chunks):
        for e, t in enumerate(times):
            start = max(engine_free[e], stream_free[c % streams])
            end = start + t / chunks
            engine_free[e] = stream_free[c % streams] = end
            spans.append((e, c, start, end))
    return spans


def timeline(times=(480, 240, 480), ways=((1, 1), (6, 1), (6, 2), (6, 3)), px=0.42):
    """@param times  of the whole copy, kernel and copy back, in microseconds
    @param ways  (chunks, streams)
    """
    plans = [(c, s, schedule(times, c, s)) for c, s in ways]
    ends = [max(end for *_, end in spans) for *_, spans in plans]
    last_streams = ways[-1][1]
    told = "; ".join(f"{c} chunk{'s' * (c > 1)} in {WORDS[s]}: {end:.0f} µs" for (c, s, _), end in zip(plans, ends))
    p = Picture("streams-timeline", "Copies and kernels in one stream and in three", f"""
        The copies of a call take {times[0]} µs each way, its kernel {times[1]} µs. Each row is an engine, and time goes to the right.
        {told}. In one stream nothing overlaps, however many chunks there are. In two streams a stream's next chunk waits for its copy
        back. In {WORDS[last_streams]} all three engines work at the same time: while chunk 2 goes to the device, the kernel works
        on chunk 1 and chunk 0 comes back.""")
    ox, y = 150, 14
    for (c, s, spans), end in zip(plans, ends):
        name = "one piece" if c == 1 else f"{c} chunks, {WORDS[s]}"
        p.text(10, y + 12, name, kind="bold")
        p.text(ox + max(ends) * px, y + 12, f"{end:.0f} µs", "end", "bold")
        for e, engine in enumerate(ENGINES):
            p.text(10, y + 36 + e * 24, engine, kind="small")
            p.line(ox, y + 42 + e * 24, ox + max(ends) * px, y + 42 + e * 24, "line thin")
        for e, chunk, start, stop in spans:
            p.cell(ox + start * px, y + 22 + e * 24, chunk if c > 1 else "", "abc"[chunk % s], (stop - start) * px, 20, small=True)
        y += 110
    p.text(10, y + 4, "numbers: chunks; colours: streams", kind="soft")
    return p


def pictures(_root):
    return [timeline()]
