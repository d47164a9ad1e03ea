#include "grader/class/similar/similar_page.h"

#include <fmt/core.h>

#include <algorithm>

#include "grader/core/text.h"

namespace warpgrade {
namespace {

constexpr std::size_t kColours = 6;
constexpr std::size_t kMaxLine = 400;  // a source may be a single line of a megabyte

constexpr const char* kHead = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Similar submissions</title>
<style>
:root { color-scheme: light dark; --line: #8886; --c0: #fde68a; --c1: #bfdbfe; --c2: #bbf7d0;
  --c3: #fecaca; --c4: #ddd6fe; --c5: #fed7aa; }
@media (prefers-color-scheme: dark) { :root { --c0: #713f12; --c1: #1e3a8a; --c2: #14532d;
  --c3: #7f1d1d; --c4: #4c1d95; --c5: #7c2d12; } }
body { font: 16px/1.5 system-ui, sans-serif; margin: 1.5rem auto; max-width: 110rem; padding: 0 1rem; }
table { border-collapse: collapse; }
th, td { padding: .25rem .75rem; border-bottom: 1px solid var(--line); text-align: left; }
td.n { text-align: right; font-variant-numeric: tabular-nums; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; }
@media (max-width: 60rem) { .pair { grid-template-columns: 1fr; } }
.code { overflow-x: auto; border: 1px solid var(--line); border-radius: .3rem; }
pre { margin: 0; font: 13px/1.45 ui-monospace, monospace; }
pre span { display: block; padding: 0 .5rem; white-space: pre; min-width: max-content; }
pre span::before { content: attr(data-n); display: inline-block; width: 6ch; opacity: .7; }
.c0 { background: var(--c0); } .c1 { background: var(--c1); } .c2 { background: var(--c2); }
.c3 { background: var(--c3); } .c4 { background: var(--c4); } .c5 { background: var(--c5); }
</style></head><body><main>
<h1>Similar submissions</h1>
<p>A pointer for a person, and no verdict: solutions of one exercise are alike, and this page knows
nothing of who worked with whom, or who was allowed to. Names, numbers, comments and layout do not
count; what was handed out does not either. The number before a line is its line and, where it is
shared, the passage, equal on both sides.</p>
)";

std::string escaped(std::string_view raw) {
  return escaped_html(printable(raw));
}

std::string percent(double share) {
  return fmt::format("{:.0f} %", 100 * share);
}

struct Span {
  std::size_t begin;
  std::size_t end;
};

/// By file and line: the number of the passage there, from 1; 0 for none.
std::vector<std::vector<std::size_t>> marks_of(const ComparedWork& work,
                                               const std::vector<Span>& passages) {
  std::vector<std::vector<std::size_t>> marks(work.files.size());
  for (std::size_t p = 0; p < passages.size(); ++p) {
    for (std::size_t t = passages[p].begin; t < std::min(passages[p].end, work.tokens.size());
         ++t) {
      std::vector<std::size_t>& lines = marks[work.file_of[t]];
      const std::size_t line = work.tokens[t].line;
      if (lines.size() <= line) {
        lines.resize(line + 1, 0);
      }
      if (lines[line] == 0) {
        lines[line] = p + 1;
      }
    }
  }
  return marks;
}

std::string side(const ComparedWork& work, const std::vector<Span>& passages) {
  const auto marks = marks_of(work, passages);
  std::string html = fmt::format("<section><h4>{}</h4>", escaped(work.student));
  for (std::size_t f = 0; f < work.files.size(); ++f) {
    html += fmt::format(
        "<p>{}</p><div class=\"code\" tabindex=\"0\" role=\"region\" aria-label=\"{} of {}\"><pre>",
        escaped(work.files[f].name), escaped(work.files[f].name), escaped(work.student));
    std::size_t number = 0;
    for (const std::string_view line : split_lines(work.files[f].text)) {
      ++number;
      const std::size_t mark = number < marks[f].size() ? marks[f][number] : 0;
      html += mark == 0 ? fmt::format("<span data-n=\"{}\">", number)
                        : fmt::format("<span class=\"c{}\" data-n=\"{} #{}\">",
                                      (mark - 1) % kColours, number, mark);
      html += escaped(line.substr(0, kMaxLine));
      html += line.size() > kMaxLine ? " ...</span>" : "</span>";
    }
    html += "</pre></div>";
  }
  return html + "</section>";
}

std::string pair_html(const SimilarLab& lab, std::size_t number) {
  const SimilarPair& pair = lab.pairs[number];
  const ComparedWork& a = lab.works[pair.a];
  const ComparedWork& b = lab.works[pair.b];
  std::vector<Span> of_a;
  std::vector<Span> of_b;
  for (const SharedPassage& p : shared_passages(a, b)) {
    of_a.push_back({p.a_begin, p.a_end});
    of_b.push_back({p.b_begin, p.b_end});
  }
  return fmt::format("<h3 id=\"{}-{}\">{}: {} and {}, {}</h3><div class=\"pair\">{}{}</div>\n",
                     lab.lab, number, lab.lab, escaped(a.student), escaped(b.student),
                     percent(pair.similarity()), side(a, of_a), side(b, of_b));
}

}  // namespace

std::string similar_page(const std::vector<SimilarLab>& labs) {
  std::string html = kHead;
  std::string details;
  for (const SimilarLab& lab : labs) {
    html += fmt::format("<h2>{}</h2>\n", escaped(lab.lab));
    if (lab.pairs.empty()) {
      html += "<p>No two submissions are similar enough to be listed.</p>\n";
      continue;
    }
    html +=
        "<table><thead><tr><th>similarity</th><th>one</th><th>shares</th><th>other</th>"
        "<th>shares</th></tr></thead><tbody>\n";
    for (std::size_t i = 0; i < lab.pairs.size(); ++i) {
      const SimilarPair& pair = lab.pairs[i];
      html += fmt::format(
          "<tr><td class=\"n\"><a href=\"#{}-{}\">{}</a></td><td>{}</td><td class=\"n\">{}</td>"
          "<td>{}</td><td class=\"n\">{}</td></tr>\n",
          lab.lab, i, percent(pair.similarity()), escaped(lab.works[pair.a].student),
          percent(pair.share_of_a), escaped(lab.works[pair.b].student), percent(pair.share_of_b));
      details += pair_html(lab, i);
    }
    html += "</tbody></table>\n";
  }
  return html + details + "</main></body></html>\n";
}

std::string similar_text(const std::vector<SimilarLab>& labs) {
  std::string text;
  for (const SimilarLab& lab : labs) {
    std::size_t width = 3;
    for (const SimilarPair& pair : lab.pairs) {
      width = std::max({width, printable(lab.works[pair.a].student).size(),
                        printable(lab.works[pair.b].student).size()});
    }
    width = std::min<std::size_t>(width, 28);
    const auto earlier = static_cast<std::size_t>(std::count_if(
        lab.works.begin(), lab.works.end(), [](const ComparedWork& s) { return s.earlier; }));
    text +=
        fmt::format("{}: {} submissions{}\n", lab.lab, lab.works.size() - earlier,
                    earlier == 0 ? "" : fmt::format(", compared with {} other programs", earlier));
    if (lab.pairs.empty()) {
      text += "  no two are similar enough to be listed\n";
      continue;
    }
    text += fmt::format("  {:>7}  {:<{}}  {:>6}  {:<{}}  {:>6}\n", "similar", "one", width,
                        "shares", "other", width, "shares");
    for (const SimilarPair& pair : lab.pairs) {
      text += fmt::format("  {:>7}  {:<{}}  {:>6}  {:<{}}  {:>6}\n", percent(pair.similarity()),
                          printable(lab.works[pair.a].student), width, percent(pair.share_of_a),
                          printable(lab.works[pair.b].student), width, percent(pair.share_of_b));
    }
  }
  return text;
}

}  // namespace warpgrade
