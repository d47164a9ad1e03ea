"""docs/gallery: recordings of mistakes beside their cure, and films of right programs, as pages that any web server
can have. scripts/pages/gallery/gallery.toml says what of each; the recordings are made by record(), which needs a
build, and are committed; all else is made from them."""

import base64
import difflib
import hashlib
import html
import json
import re
import subprocess
import sys
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import wrong_programs

PICTURES = Path("emulator") / "recording" / "pictures"
HERE = Path("scripts") / "pages" / "gallery"
FOLDER = Path("docs") / "gallery"
BYTES = 40_000  # of a recording; the page says what is left out
LINE = re.compile(r"\n+\*\*Recording\.\*\* [^\n]*(?:\n[^\n]+)*")
LOOK = {
    "timeline": "Each row is a warp with its own clock. The two marked accesses touch the same element, and the dashed "
                "edge is the order that is missing between them.",
    "memory": "Striped cells are uninitialized. Step to the accesses with a red edge: what they touch, no thread has "
              "stored, or lies outside of the array.",
    "elements": "The threads are above, the elements that they access below. Red threads leave the array or read what "
                "was never stored.",
    "divergence": "The rows are the 32 lanes of a warp. Where a row is empty, the lane waits or has ended.",
    "access": "The lanes are above, the sectors of 32 bytes that the access moves below, and under these as few as "
              "would do.",
    "banks": "Each row is a wavefront: the accesses that the 32 banks serve at once.",
}


class Entry:
    """A page: `name`, the `lab`, and of `programs` {"mistake": ..., "cure": ...} or {"film": ...} the files that it
    depends on."""

    def __init__(self, root, name, lab, given, programs):
        self.root, self.name, self.lab, self.given, self.programs = root, name, lab, given, programs
        self.file = root / FOLDER / "recordings" / f"{name}.js"

    def identity(self, case):
        """A hash of what the recordings are made from: the programs, the lab's header and the data of the case."""
        labs = tomllib.loads((self.root / "labs" / self.lab / "lab.toml").read_text())
        data = tomllib.loads((self.root / "datasets" / f"{self.lab}.toml").read_text())
        named = [c for c in labs["case"] if c["name"] == case]
        sets = [d for d in data["dataset"] if named and d["name"] == named[0]["dataset"]]
        made = hashlib.sha256(json.dumps([sets, self.given.get("case"), BYTES], sort_keys=True).encode())
        for file in self.files():
            made.update(file.read_bytes())
        return made.hexdigest()[:16]

    def files(self):
        header = self.root / "labs" / self.lab / f"{self.lab}.h"
        return [*sorted(set(self.programs.values())), *([header] if header.exists() else [])]

    def recorded(self):
        """What record() has written, or nothing if there is none or it is not current."""
        if not self.file.exists():
            return None
        read = json.loads(self.file.read_text().split(" = ", 1)[1].rstrip(";\n"))
        return read if read["from"] == self.identity(read["case"]) else None


def rules(root):
    text = (root / PICTURES / "choose.js").read_text()
    return json.loads(re.search(r"^Warp\.rules = (\{.*?^\});", text, re.DOTALL | re.MULTILINE)[1])


def picture_for(table, text):
    return next((picture for words, picture in table if re.search(words, text)), None)


def mistake(root, lab, name, given):
    file = wrong_programs.files(root, lab)[name]
    base = root / "reference" / lab / tomllib.loads(file.read_text())["base"]
    return Entry(root, wrong_programs.claim(file)["pitfall"], lab, {**given, "mutant": name},
                 {"mistake": file, "cure": base})


def entries(root):
    """All pages: those of gallery.toml in its order, then for each other pitfall the first program with a finding that
    has a picture."""
    told = tomllib.loads((root / HERE / "gallery.toml").read_text())
    found = [mistake(root, given["lab"], given["mutant"], given) for given in told["mistake"]]
    names = {entry.name for entry in found}
    table = rules(root)["findings"]
    labs = [film["lab"] for film in told["film"]]
    labs += sorted(t.parent.name for t in (root / "labs").glob("*/lab.toml")
                   if "function" in tomllib.loads(t.read_text()))
    for lab in dict.fromkeys(labs):
        for name, file in wrong_programs.files(root, lab).items():
            claim = wrong_programs.claim(file)
            kind = claim["caught_by"].removeprefix("finding ")
            if file.suffix != ".toml" or claim["pitfall"] in names or claim["pitfall"] in told["without"]["pitfalls"]:
                continue
            if kind != claim["caught_by"] and picture_for(table, kind) and f"{lab}/{name}" not in told["without"]["programs"]:
                names.add(claim["pitfall"])
                found.append(mistake(root, lab, name, {}))
    for given in told["film"]:
        program = root / "reference" / given["lab"] / given["program"]
        found.append(Entry(root, f"film-{given['lab']}-{Path(given['program']).stem.split('_', 1)[1]}", given["lab"],
                           given, {"film": program}))
    return found


# -- recordings ----------------------------------------------------------------------------------


def watch(warpgrade, entry, program, case, block, folder):
    """The bytes of a recording, its case and its first block."""
    out = folder / "recording.rec"
    command = [warpgrade, "watch-warp", entry.lab, program, "-o", out, "--record-what",
               f"bytes={BYTES}" + (f",block={block}" if block else "")]
    done = subprocess.run(command + (["--case", case] if case else []), capture_output=True, text=True, check=False)
    said = re.match(r"What block \((\d+),(\d+),(\d+)\) did in case \"(.*)\" is in ", done.stdout)
    if done.returncode != 0 or not said:
        raise RuntimeError(f"{entry.name}: {done.stdout}{done.stderr}")
    return out.read_bytes(), said[4], ":".join(said.groups()[:3])


def record(root, warpgrade, only=None):
    """Makes the recordings that are not current, two at a time. @param only  names of pages, which are made again"""
    wanted = [entry for entry in entries(root) if (entry.name in only if only else not entry.recorded())]
    with ThreadPoolExecutor(2) as workers:
        for future in [workers.submit(record_one, root, warpgrade, entry) for entry in wanted]:
            try:
                print(future.result(), flush=True)
            except RuntimeError as error:
                print(error, file=sys.stderr)


def record_one(root, warpgrade, entry):
    made, case, block = {}, entry.given.get("case"), None
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for role, file in entry.programs.items():
            program = file
            if role == "mistake":
                subprocess.run([warpgrade, "lab", "show", entry.lab, file.stem, "--into", folder], check=True)
                program = folder / f"{file.stem}.cu"
            data, case, block = watch(warpgrade, entry, program, case, block, folder)
            if role == "mistake" and finding_of(entry) and finding_of(entry).encode() not in data:
                raise RuntimeError(f"{entry.name}: the recording lacks the finding; list it in gallery.toml, [without]")
            made[role] = base64.b64encode(data).decode()
    recording = {"from": entry.identity(case), "lab": entry.lab, "case": case, "programs": made}
    entry.file.parent.mkdir(parents=True, exist_ok=True)
    entry.file.write_text(f'"use strict";\nWarp.recordings = {json.dumps(recording)};\n')
    return f"{entry.file.relative_to(root)}: recorded, {entry.file.stat().st_size:,} bytes"


# -- pages -----------------------------------------------------------------------------------------


def place(role, openings):
    return (f'<div data-recording="{role}" data-open="{html.escape(json.dumps(openings))}">'
            "<p>The pictures need JavaScript.</p></div>")


def title_of(root, pitfall):
    return (root / "docs" / "pitfalls" / f"{pitfall}.md").read_text().splitlines()[0].removeprefix("# ")


def replaced(entry):
    return tomllib.loads(entry.programs["mistake"].read_text())["replace"]


def change(entry):
    """The lines that differ, from the mistake to the cure."""
    rows = []
    for part in replaced(entry):
        old, new = (part[key].strip("\n").splitlines() for key in ("old", "new"))
        for line in difflib.ndiff(new, old):
            if line[0] in " +-":
                kind = {"+": ' class="more"', "-": ' class="less"', " ": ""}[line[0]]
                rows.append(f"<span{kind}>{html.escape(line)}</span>")
    return f'<pre class="gallery-change" tabindex="0">{"".join(rows)}</pre>'


def first_difference(entry):
    """The first line of the cure that the mistake lacks, as far as a recording has it."""
    for part in replaced(entry):
        new = part["new"].splitlines()
        for line in part["old"].splitlines():
            if line not in new and re.search(r"\w", line):
                return line.strip()[:120]
    return ""


def finding_of(entry):
    """The kind of the finding that catches the mistake; empty if it is none."""
    caught_by = wrong_programs.claim(entry.programs["mistake"])["caught_by"]
    return caught_by.removeprefix("finding ") if caught_by.startswith("finding ") else ""


def openings(entry, table):
    """Where the mistake and the cure open, in order of preference."""
    given, kind = entry.given, finding_of(entry)
    picture = given.get("picture") or picture_for(table["findings"], kind) or "timeline"
    cure = [{"picture": picture, "text": text} for text in (given.get("cure"), first_difference(entry)) if text]
    wrong = [{"picture": picture, "text": given["line"]}] if "line" in given else []
    if kind and "picture" not in given:
        wrong.append({"kind": kind})
    return picture, [*wrong, {"picture": picture}, {}], [*cure, {"picture": picture}, {}]


def page_of_mistake(entry, recorded, table, title):
    picture, wrong, right = openings(entry, table)
    claim = wrong_programs.claim(entry.programs["mistake"])
    look = entry.given.get("look") or f"{claim['mistake']} {LOOK[picture]}"
    where = (f"Lab {entry.lab}, case “{recorded['case']}”. `warpgrade explain {entry.name}` prints more about this "
             "mistake.")
    return f"""<nav><a href="index.html">All mistakes and films</a></nav>
<main>
<h1>{html.escape(title)}</h1>
<p class="gallery-look">{code(look)}</p>
<section aria-label="The mistake"><h2>The mistake</h2>
{place("mistake", wrong)}</section>
<section aria-label="What differs"><h2>What differs: mistake (−), cure (+)</h2>
{change(entry)}</section>
<section aria-label="The cure"><h2>The cure</h2>
{place("cure", right)}</section>
<p class="gallery-soft">{code(where)}</p>
</main>
{scripts(entry)}"""


def page_of_film(entry, recorded, title):
    given = entry.given
    where = f"Lab {entry.lab}, {Path(given['program']).name}, case “{recorded['case']}”."
    start = [{"picture": given["picture"], "step": 0}]
    return f"""<nav><a href="index.html">All mistakes and films</a></nav>
<main>
<h1>{html.escape(title)}</h1>
<p class="gallery-look">{code(given["look"])} Press Play, or go step by step with the arrow keys.</p>
{place("film", start)}
<p class="gallery-soft">{html.escape(where)}</p>
</main>
{scripts(entry)}"""


def code(text):
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", html.escape(text))


def scripts(entry):
    return "\n".join(f'<script src="{name}"></script>' for name in
                     ("warp.js", f"recordings/{entry.name}.js", "open.js"))


def page(root, title, body):
    text = (root / HERE / "page.html").read_text()
    return text.replace("{{title}}", html.escape(title)).replace("{{body}}", body)


def index(cards):
    """@param cards  {heading: [(file, title, text)]}"""
    body = ['<main>', "<h1>What the threads do: mistakes, and films of right programs</h1>",
            '<p class="gallery-look">Each page is a recording of a small launch, made by warpgrade\'s emulator. Go '
            "through its steps with the slider, with Play or with the arrow keys; every picture is also there as a table."
            " The pages make no request to another host: copy this folder to any web server.</p>"]
    for heading, rows in cards.items():
        items = "\n".join(f'<li><a href="{file}">{html.escape(title)}</a><p>{code(text)}</p></li>'
                          for file, title, text in rows)
        body.append(f"<h2>{heading}</h2>\n<ul class=\"gallery-cards\">\n{items}\n</ul>")
    return "\n".join([*body, "</main>"])


def first_sentence(text):
    return re.match(r".*?[.!?](?= |$)", text, re.DOTALL)[0]


def pages(root):
    """{path: content} of docs/gallery, and of the pitfall pages with the line that leads to it."""
    table = rules(root)
    cards = {"Ten mistakes and their cure": [], "Films of right programs": [], "More mistakes": []}
    result, with_page = {}, set()
    for entry in entries(root):
        recorded = entry.recorded()
        if not recorded:
            continue
        file = f"{entry.name}.html"
        if "film" in entry.programs:
            title = entry.given["title"]
            body = page_of_film(entry, recorded, title)
            cards["Films of right programs"].append((file, title, first_sentence(entry.given["look"])))
        else:
            with_page.add(entry.name)
            title = title_of(root, entry.name)
            body = page_of_mistake(entry, recorded, table, title)
            heading = "Ten mistakes and their cure" if "look" in entry.given else "More mistakes"
            cards[heading].append((file, title, wrong_programs.claim(entry.programs["mistake"])["mistake"]))
        result[root / FOLDER / file] = page(root, title, body)
    cards["More mistakes"].sort(key=lambda card: int(card[0][1:-5]))
    result[root / FOLDER / "index.html"] = page(root, "What the threads do", index(cards))
    parts = (root / PICTURES / "scripts.txt").read_text().split()
    # As EmbedPictures.cmake makes it: without comment lines and indentation.
    script = "".join((root / PICTURES / part).read_text() for part in parts)
    result[root / FOLDER / "warp.js"] = re.sub(r"^(//.*)?\n", "", re.sub(r"^ +", "", script, flags=re.M), flags=re.M)
    result[root / FOLDER / "open.js"] = (root / HERE / "gallery.js").read_text()
    result[root / FOLDER / "warp.css"] = "".join(
        file.read_text() for file in (root / HERE / "gallery.css", root / PICTURES / "pictures.css"))
    for file in sorted((root / "docs" / "pitfalls").glob("P*.md")):
        result[file] = with_line(file.read_text(), file.stem in with_page and file.stem)
    return result


def with_line(text, pitfall):
    """A pitfall page with the line that leads to its recording, before its words."""
    text = LINE.sub("", text)
    if not pitfall:
        return text
    line = ("\n\n**Recording.** What the threads do with this mistake and without it, step by step, is in warpgrade's "
            f"gallery:\n[docs/gallery/{pitfall}.html](../gallery/{pitfall}.html).")
    before, words, after = text.rstrip("\n").partition("\n\n**Words.**")
    return before + line + words + after + "\n"


def problems(root):
    """Recordings that are missing, not current, or left over."""
    all_entries = entries(root)
    wrong = [f"docs/gallery/{entry.name}.html: its recording is not current; scripts/write_pages --record makes it"
             for entry in all_entries if not entry.recorded()]
    names = {entry.name for entry in all_entries}
    for file in sorted((root / FOLDER).rglob("*")):
        if file.suffix in (".js", ".html") and file.stem not in names | {"index", "warp", "open"}:
            wrong.append(f"{file.relative_to(root)}: no page has this name; remove it")
    return wrong
