"""A small canvas for the pictures of docs/pictures: cells, arrows and text, as SVG.

A picture has no colours of its own: its classes take them from one style, which follows the reader's colour scheme and
is light on paper. The style stands in every file, because an image in a page cannot use the page's; a page that has
pictures inside has it once (grader/show/handout).
"""

from html import escape

# Fills a to d are four hues, off is what has no element or does no work.
LIGHT = {
    "ink": "#17202b", "soft": "#4d5b6a", "line": "#5b6b7c", "go": "#1a56b0", "bad": "#b0231b",
    "a": "#cfe0fb", "b": "#fbdfb4", "c": "#cbeed5", "d": "#ecd3f4", "off": "#eceff3", "none": "#ffffff",
}
DARK = {
    "ink": "#e7ebf1", "soft": "#a9b4c2", "line": "#8d9aab", "go": "#8ab8ff", "bad": "#ff9d95",
    "a": "#24477a", "b": "#6e4c1a", "c": "#1e5c39", "d": "#5a3168", "off": "#2a323c", "none": "#12161c",
}


def _rules(colours):
    rules = [f"svg.wg text{{fill:{colours['ink']}}}", f"svg.wg .soft{{fill:{colours['soft']}}}",
             f"svg.wg .say{{fill:{colours['bad']}}}"]
    rules += [f"svg.wg .{name}{{fill:{colours[name]}}}" for name in ("a", "b", "c", "d", "off", "none")]
    rules += [f"svg.wg rect{{stroke:{colours['line']}}}", f"svg.wg .line{{stroke:{colours['line']}}}",
              f"svg.wg .go{{stroke:{colours['go']}}}", f"svg.wg .bad{{stroke:{colours['bad']}}}",
              f"svg.wg .tip{{fill:{colours['go']};stroke:none}}", f"svg.wg .tipbad{{fill:{colours['bad']};stroke:none}}"]
    return "".join(rules)


STYLE = ("svg.wg text{font:13px system-ui,-apple-system,'Segoe UI',sans-serif}svg.wg .small{font-size:11px}"
         "svg.wg .bold{font-weight:600}svg.wg path,svg.wg line{fill:none;stroke-width:1.5}"
         "svg.wg .frame{fill:none;stroke-width:2}svg.wg .dash{stroke-dasharray:4 3}svg.wg .thin{stroke-width:.5}"
         + _rules(LIGHT) + "@media screen and (prefers-color-scheme:dark){" + _rules(DARK) + "}")


def _n(value):
    return f"{value:.1f}".rstrip("0").rstrip(".")


class Picture:
    """One picture.

    @param name   of its file, without .svg
    @param title  what it is, a few words
    @param desc   what it shows, for readers who do not see it: complete sentences
    """

    def __init__(self, name, title, desc):
        self.name, self.title, self.desc = name, title, " ".join(desc.split())
        self.parts, self.right, self.bottom = [], 0, 0

    def _reach(self, x, y):
        self.right, self.bottom = max(self.right, x), max(self.bottom, y)

    def cell(self, x, y, text="", fill="none", w=30, h=24, small=False, extra=""):
        """A box with its text in the middle."""
        self.parts.append(f'<rect x="{_n(x)}" y="{_n(y)}" width="{_n(w)}" height="{_n(h)}" class="{fill}{extra}"/>')
        if text != "":
            self.text(x + w / 2, y + h / 2 + 4.5, text, anchor="middle", kind="small" if small else "")
        self._reach(x + w, y + h)

    def row(self, x, y, texts, fill="none", w=30, h=24, small=False):
        """Boxes side by side; `fill` may be a function of the place."""
        for i, text in enumerate(texts):
            self.cell(x + i * w, y, text, fill(i) if callable(fill) else fill, w, h, small)

    def grid(self, x, y, columns, rows, w, h):
        """Thin lines between cells that are too many, or too small, to be drawn one by one."""
        d = "".join(f"M{_n(x + i * w)} {_n(y)}v{_n(rows * h)}" for i in range(columns + 1))
        d += "".join(f"M{_n(x)} {_n(y + i * h)}h{_n(columns * w)}" for i in range(rows + 1))
        self.parts.append(f'<path d="{d}" class="line thin"/>')
        self._reach(x + columns * w, y + rows * h)

    def frame(self, x, y, w, h, kind="line"):
        self.parts.append(f'<rect x="{_n(x)}" y="{_n(y)}" width="{_n(w)}" height="{_n(h)}" class="frame {kind}"/>')
        self._reach(x + w, y + h)

    def text(self, x, y, text, anchor="start", kind=""):
        classes = f' class="{kind}"' if kind else ""
        where = "" if anchor == "start" else f' text-anchor="{anchor}"'
        self.parts.append(f'<text x="{_n(x)}" y="{_n(y)}"{where}{classes}>{escape(str(text))}</text>')
        wide = 7.3 * len(str(text))
        self._reach(x + wide * {"start": 1, "middle": 0.5, "end": 0}[anchor], y + 4)

    def line(self, x1, y1, x2, y2, kind="line"):
        self.parts.append(f'<line x1="{_n(x1)}" y1="{_n(y1)}" x2="{_n(x2)}" y2="{_n(y2)}" class="{kind}"/>')
        self._reach(max(x1, x2), max(y1, y2))

    def arrow(self, x1, y1, x2, y2, kind="go"):
        length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5 or 1
        ux, uy = (x2 - x1) / length, (y2 - y1) / length
        bx, by = x2 - 6 * ux, y2 - 6 * uy
        self.line(x1, y1, bx, by, kind)
        tip = "tipbad" if "bad" in kind else "tip"
        self.parts.append(f'<path d="M{_n(x2)} {_n(y2)}L{_n(bx - 3.2 * uy)} {_n(by + 3.2 * ux)}'
                          f'L{_n(bx + 3.2 * uy)} {_n(by - 3.2 * ux)}Z" class="{tip}"/>')
        self._reach(max(x1, x2), max(y1, y2))

    def svg(self):
        w, h = round(self.right + 12), round(self.bottom + 10)
        return (f'<svg xmlns="http://www.w3.org/2000/svg" class="wg" viewBox="0 0 {w} {h}" width="{w}" height="{h}" '
                f'role="img" aria-labelledby="{self.name}-title {self.name}-desc">\n'
                f'<title id="{self.name}-title">{escape(self.title)}</title>\n'
                f'<desc id="{self.name}-desc">{escape(self.desc)}</desc>\n'
                f"<style>{STYLE}</style>\n" + "\n".join(self.parts) + "\n</svg>\n")
