"""Generated parts of a page: what stands between `<!-- name -->` and `<!-- end -->`."""

import re


def has(text, name):
    return f"<!-- {name} -->" in text


def put(text, name, content, where):
    """`text` with the part `name` replaced.

    @throws SystemExit  if the page has no such part, or it does not end
    """
    pattern = re.compile(rf"(<!-- {re.escape(name)} -->\n).*?(\n<!-- end -->)", re.DOTALL)
    if len(pattern.findall(text)) != 1:
        raise SystemExit(f"{where}: it needs one part '<!-- {name} -->' ... '<!-- end -->', each on a line of its own")
    return pattern.sub(lambda m: m[1] + "\n" + content.strip("\n") + "\n" + m[2], text)


def table(head, rows):
    """A Markdown table; numbers (columns whose cells all start with a digit) are not aligned further."""
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(str(c) for c in row) + " |" for row in rows])
