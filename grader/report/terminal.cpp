#include "grader/report/terminal.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "grader/core/text.h"
#include "grader/gradebook/gradebook.h"
#include "grader/profile/card_counts.h"
#include "grader/report/sections.h"
#include "grader/report/speed_section.h"
#include "grader/report/wording.h"

namespace warpgrade {
namespace {

enum class Ink { plain, good, bad, warn, strong, faint };

constexpr std::size_t kShownMismatches = 3;
constexpr std::size_t kShownFindings = 3;
constexpr std::size_t kShownToolFindings = 5;
constexpr std::size_t kShownKernels = 3;
constexpr std::size_t kNameColumns = 32;
constexpr std::size_t kSizeColumns = 28;
constexpr std::size_t kBuildLogLines = 30;
constexpr std::size_t kBuildLogColumns = 400;  // one line of a source may be all of it

class Writer {
 public:
  explicit Writer(const TerminalStyle& style) : style_(style) {}

  [[nodiscard]] std::string ink(Ink ink, std::string_view text) const {
    if (!style_.color || ink == Ink::plain) {
      return std::string(text);
    }
    static constexpr const char* kCodes[] = {"0", "32", "31", "33", "1", "2"};
    return fmt::format("\x1b[{}m{}\x1b[0m", kCodes[static_cast<int>(ink)], text);
  }

  void line(std::string_view text = "") {
    text_ += text;
    text_ += '\n';
  }

  /// What a paragraph begins with: `width` columns, colours not counted.
  struct Head {
    std::string text;
    std::size_t width = 0;
  };
  [[nodiscard]] Head head(std::string_view plain, Ink mark_ink = Ink::plain,
                          std::string_view mark = "") const {
    return {std::string(plain) + ink(mark_ink, mark), plain.size() + mark.size()};
  }

  /// Text wrapped to the columns: the first line after `head`, the others after `indent` spaces.
  void paragraph(const Head& head, std::size_t indent, std::string_view text) {
    bool at_head = true;
    for (const std::string& part : wrap(text, style_.columns - std::max(head.width, indent))) {
      line((at_head ? head.text : std::string(indent, ' ')) + part);
      at_head = false;
    }
  }

  [[nodiscard]] std::size_t columns() const { return style_.columns; }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  const TerminalStyle& style_;
  std::string text_;
};

/// At most this many columns; what was cut shows.
std::string cut_to(const std::string& text, std::size_t columns) {
  return text.size() <= columns ? text : text.substr(0, columns - 2) + "..";
}

Ink ink_of(ItemStatus status) {
  switch (status) {
    case ItemStatus::passed:
      return Ink::good;
    case ItemStatus::failed:
      return Ink::bad;
    case ItemStatus::partial:
    case ItemStatus::error:
      return Ink::warn;
    case ItemStatus::not_assessed:
      break;
  }
  return Ink::faint;
}

void write_head(const Grade& grade, Writer& out) {
  const std::string score = grade.status == GradeStatus::error
                                ? "not graded"
                                : fmt::format("{} / {} points", human_points(grade.score()),
                                              human_points(grade.max_score()));
  const std::string title = fmt::format("{} ({})", grade.lab_title, grade.lab);
  const std::size_t used = title.size() + score.size();
  const std::size_t gap = used + 1 < out.columns() ? out.columns() - used : 1;
  out.line(out.ink(Ink::strong, title) + std::string(gap, ' ') +
           out.ink(grade.passed() ? Ink::good : Ink::strong, score));
  if (!grade.device.name.empty()) {
    out.line(out.ink(Ink::faint, "on " + grade.device.name));
  }
  out.line();
}

void write_categories(const Grade& grade, Writer& out) {
  for (const Category category : kCategories) {
    const double max = grade.max_points_in(category);
    if (max <= 0) {
      continue;
    }
    const CategorySummary summary = summarize(grade, category);
    const std::string points =
        fmt::format("{:>6} / {:<4}", human_points(grade.points_in(category)), human_points(max));
    const std::string mark = fmt::format("{:<12}", status_word(summary.status));
    const std::string head = fmt::format("  {:<12}{}  ", slug(category), points);
    out.paragraph(out.head(head, ink_of(summary.status), mark), head.size() + mark.size(),
                  printable(summary.text));
  }
  out.line();
}

std::string case_line(const Writer& out, bool passed, const std::string& name,
                      const std::string& size, double points, double max_points) {
  const std::string left = fmt::format(
      "  {}  {:<32} {}", out.ink(passed ? Ink::good : Ink::bad, passed ? "ok  " : "FAIL"),
      cut_to(printable(name), kNameColumns),
      out.ink(Ink::faint, fmt::format("{:<28}", cut_to(size, kSizeColumns))));
  return fmt::format("{} {:>9}", left,
                     fmt::format("{} / {}", human_points(points), human_points(max_points)));
}

void write_first_wrong(const Grade& grade, Writer& out) {
  std::size_t wrong = 0;
  for (const CaseReport& c : grade.cases) {
    if (c.verdict == CaseVerdict::passed || c.verdict == CaseVerdict::not_run || ++wrong > 1) {
      continue;
    }
    out.line();
    out.line(out.ink(Ink::strong, fmt::format("Case \"{}\"", printable(c.name))));
    out.paragraph(out.head("  "), 2, printable(c.message));
    for (std::size_t i = 0; i < std::min(kShownMismatches, c.first_mismatches.size()); ++i) {
      const MismatchedElement& m = c.first_mismatches[i];
      out.line(fmt::format("  {}[{}] = {}, want {}", m.parameter, m.index, value_text(m.got),
                           value_text(m.want)));
    }
    if (const std::string hint = hint_of(grade, c); !hint.empty()) {
      out.paragraph(out.head("  hint: "), 8, printable(hint));
    }
  }
  if (wrong > 1) {
    out.line(fmt::format("  --html FILE shows the other {} in the same way.", wrong - 1));
  }
}

/// All cases as a table, and of the first that is not right what is wrong with it: mostly the
/// others have the same cause.
void write_cases(const Grade& grade, Writer& out) {
  if (grade.cases.empty()) {
    return;
  }
  out.line(out.ink(Ink::strong, "Cases"));
  for (const Item& item : grade.items) {
    const auto it = std::find_if(grade.cases.begin(), grade.cases.end(), [&](const CaseReport& c) {
      return item.id == "correctness/" + c.name;
    });
    if (it == grade.cases.end() && item.id != kHiddenItem) {
      continue;
    }
    const bool passed = item.status == ItemStatus::passed;
    out.line(case_line(out, passed, item.title, it == grade.cases.end() ? "" : shape_text(*it),
                       item.points, item.max_points));
  }
  write_first_wrong(grade, out);
  out.line();
}

/// The concept checks that were missed: the table above only counts them.
void write_concepts(const Grade& grade, Writer& out) {
  bool any = false;
  for (const Item& item : grade.items) {
    // Without numbers nothing was counted, and the cases say why.
    if (item.category != Category::concept_check || item.status == ItemStatus::passed ||
        !item.numbers) {
      continue;
    }
    if (!any) {
      out.line(out.ink(Ink::strong, "Concepts"));
      any = true;
    }
    out.paragraph(out.head("  ", Ink::bad, "FAIL  "), 8, printable(item.title));
    out.paragraph(out.head("        "), 8, printable(item.message));
    if (!item.hint.empty()) {
      out.paragraph(out.head("        hint: "), 14, printable(item.hint));
    }
  }
  if (any) {
    out.line();
  }
}

void write_findings(const StudentView& shown, Writer& out) {
  const Grade& grade = shown.grade;
  if (grade.findings.empty() && shown.hidden_kinds.empty()) {
    return;
  }
  out.line(out.ink(Ink::strong, "Findings"));
  const std::vector<const ReportedFinding*> findings = findings_in_order(grade);
  for (std::size_t i = 0; i < std::min(kShownFindings, findings.size()); ++i) {
    const ReportedFinding& f = *findings[i];
    const std::string head = fmt::format("{}[{}]: ", f.severity, f.kind);
    out.paragraph(out.head("  ", f.is_error() ? Ink::bad : Ink::warn, head), 4,
                  printable(f.message));
    const auto field = [&](std::string_view name, const std::string& value) {
      if (!value.empty()) {
        out.paragraph(out.head("    ", Ink::faint, fmt::format("{:<6} ", name)), 11,
                      printable(value));
      }
    };
    field("where", f.where);
    field("who", f.who);
    field("got", f.got);
    field("want", f.want);
    field("next", f.next);
    field("seen", fmt::format("{} time{}, in case{} {}", f.count, f.count == 1 ? "" : "s",
                              f.cases.size() == 1 ? "" : "s", join_and(quoted(f.cases, 3))));
  }
  if (grade.findings.size() > kShownFindings) {
    out.line(
        fmt::format("  and {} more; see --html or --json", grade.findings.size() - kShownFindings));
  }
  for (const warpsim::FindingInfo* kind : shown.hidden_kinds) {
    const bool error = kind->severity == warpsim::Severity::error;
    out.paragraph(out.head("  ", error ? Ink::bad : Ink::warn, "in hidden cases only: "), 4,
                  kind->title);
  }
  out.line();
}

void write_compared(const Grade& grade, const CardCounts& counts, Writer& out) {
  const std::vector<ComparedKernel> kernels = compare_counts(grade.kernels, counts.kernels);
  const auto row = [&](std::string_view name, const std::string& emulator,
                       const std::string& card) {
    out.line(fmt::format("  {:<28} {:>22} {:>22}", name, emulator, card));
  };
  row(cut_to(case_phrase(counts.name), 28), "counted by the emulator", "counted by the card");
  for (std::size_t i = 0; i < std::min(kShownKernels, kernels.size()); ++i) {
    const ComparedKernel& kernel = kernels[i];
    out.line(out.ink(Ink::strong, "  " + cut_to(printable(kernel.name), 70)));
    row("  launches", grouped(double(kernel.emulator_launches)),
        grouped(double(kernel.card_launches)));
    row("  ms", fmt::format("{:.4g}", kernel.modelled_ms), fmt::format("{:.4g}", kernel.card_ms));
    for (const ComparedCounter& counter : kernel.counters) {
      row(fmt::format("  {}", counter.name), grouped(counter.emulator), grouped(counter.card));
    }
  }
  if (kernels.size() > kShownKernels) {
    out.line(
        fmt::format("  and {} more kernels; see --html or --json", kernels.size() - kShownKernels));
  }
  out.line();
}

/// What NVIDIA's tools saw, beside what the emulator did; or why they did not.
void write_profile(const Grade& grade, Writer& out) {
  if (!grade.profile) {
    return;
  }
  const CardProfile& profile = *grade.profile;
  out.line(out.ink(Ink::strong, "On the card"));
  if (const CardCounts* counts = profile.find("submission", false)) {
    write_compared(grade, *counts, out);
  }
  for (const ToolRun& run : profile.runs) {
    const bool done = run.end == ToolEnd::done;
    const std::string where = run.name.empty() ? "" : case_phrase(run.name) + ": ";
    out.paragraph(out.head("  ", done ? Ink::plain : Ink::warn, fmt::format("{:<11} ", run.tool)),
                  14, printable(where + run.message));
  }
  for (std::size_t i = 0; i < std::min(kShownToolFindings, profile.findings.size()); ++i) {
    const ToolFinding& f = profile.findings[i];
    const std::string place = f.line > 0 ? fmt::format(" in {}:{}", f.file, f.line) : "";
    out.paragraph(
        out.head("  ", Ink::bad, f.tool + ": "), 4,
        printable(fmt::format("{}{}{}; the emulator found {}", f.message, place,
                              f.who.empty() ? "" : ", " + f.who, emulator_says(f, grade))));
  }
  if (profile.findings.size() > kShownToolFindings) {
    out.line(fmt::format("  and {} more; see --html or --json",
                         profile.findings.size() - kShownToolFindings));
  }
  out.line();
}

/// Where the modelled time goes and what would shorten it.
void write_speed(const Grade& grade, Writer& out) {
  if (!grade.speed) {
    return;
  }
  out.line(out.ink(Ink::strong, "Speed"));
  for (const std::string& line : speed_lines(*grade.speed)) {
    out.paragraph(out.head("  "), 4, printable(line));
  }
  out.line();
}

/// "Ladder: rung 2 of 4, Grid-stride loop. Next: Four at a time. ..."
void write_rung(const Grade& grade, Writer& out) {
  if (grade.rung) {
    out.paragraph(out.head("", Ink::strong, "Ladder: "), 8, printable(rung_text(*grade.rung)));
    out.line();
  }
}

void write_build_log(const Grade& grade, Writer& out) {
  const bool failed = grade.points_in(Category::build) < grade.max_points_in(Category::build);
  if (!failed || grade.build_log.empty()) {
    return;
  }
  out.line(out.ink(Ink::strong, "The compiler says"));
  const std::vector<std::string_view> lines = split_lines(grade.build_log);
  for (std::size_t i = 0; i < std::min(kBuildLogLines, lines.size()); ++i) {
    out.line(fmt::format("  {}", printable(lines[i].substr(0, kBuildLogColumns))));
  }
  if (lines.size() > kBuildLogLines) {
    out.line(fmt::format("  and {} more lines", lines.size() - kBuildLogLines));
  }
  out.line();
}

}  // namespace

TerminalStyle style_of_stdout() {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  const bool plain = (no_color != nullptr && *no_color != '\0') ||
                     (term != nullptr && std::string_view(term) == "dumb");
  return {.columns = 80, .color = ::isatty(STDOUT_FILENO) == 1 && !plain};
}

std::string terminal_feedback(const StudentView& shown, const TerminalStyle& style) {
  const Grade& grade = shown.grade;
  Writer out(style);
  write_head(grade, out);
  write_categories(grade, out);
  write_build_log(grade, out);
  write_cases(grade, out);
  write_findings(shown, out);
  write_concepts(grade, out);
  write_profile(grade, out);
  write_speed(grade, out);
  write_rung(grade, out);
  out.paragraph(
      grade.passed() ? out.head("", Ink::good, "Done:  ") : out.head("", Ink::strong, "Next:  "), 7,
      printable(grade.summary));
  if (!grade.pitfall.empty()) {
    out.line(fmt::format("       docs/pitfalls/{}.md", grade.pitfall));
  }
  return out.take();
}

}  // namespace warpgrade
