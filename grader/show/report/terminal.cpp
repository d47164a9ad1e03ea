#include "grader/show/report/terminal.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "grader/core/code_points.h"
#include "grader/core/plural_points.h"
#include "grader/core/text.h"
#include "grader/record/counters/card_counts.h"
#include "grader/show/problems/diagnostics.h"
#include "grader/show/report/sections.h"
#include "grader/show/report/speed_section.h"
#include "grader/show/report/terminal_parts.h"
#include "grader/show/report/wording.h"
#include "harness/core/plural.h"

namespace warpgrade {
namespace {

constexpr std::size_t kShownToolFindings = 5;
constexpr std::size_t kShownKernels = 3;
constexpr std::size_t kShownOutputLines = 10;
constexpr std::size_t kLineColumns = 400;  // a program may print one very long line

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
  const std::string score =
      grade.status == GradeStatus::error
          ? "not graded"
          : fmt::format("{} / {}", human_points(grade.score()), plural_points(grade.max_score()));
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

/// The missed concept checks, which the table above only counts.
void write_concepts(const Grade& grade, Writer& out) {
  bool any = false;
  for (const Item& item : grade.items) {
    // Without numbers the check was not evaluated, and the cases say why.
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

/// The questions that are not right yet, and solutions where they may be shown.
void write_questions(const Grade& grade, Writer& out) {
  bool any = false;
  for (const Item& item : grade.items) {
    if (!item.question || (item.status == ItemStatus::passed && item.question->solution.empty())) {
      continue;
    }
    if (!any) {
      out.line(out.ink(Ink::strong, "Questions"));
      any = true;
    }
    const bool passed = item.status == ItemStatus::passed;
    const std::string mark = passed                                    ? "ok"
                             : item.status == ItemStatus::partial      ? "part"
                             : item.status == ItemStatus::not_assessed ? "-"
                                                                       : "not yet";
    out.paragraph(out.head("  ", ink_of(item.status), fmt::format("{:<9}", mark)), 11,
                  printable(item.title));
    out.paragraph(out.head("           "), 11, printable(item.message));
    const auto more = [&](std::string_view name, const std::string& text) {
      if (!text.empty()) {
        out.paragraph(out.head(fmt::format("           {}: ", name)), 13, printable(text));
      }
    };
    more("yours", item.question->answer);
    more("hint", item.hint);
    more("right", item.question->expected);
    more("solution", item.question->solution);
  }
  if (any) {
    out.line();
  }
}

void write_compared(const Grade& grade, const CardCounts& counts, Writer& out) {
  const std::vector<ComparedKernel> kernels = compare_counts(grade.kernels, counts.kernels);
  const auto row = [&](std::string_view name, const std::string& emulator,
                       const std::string& card) {
    out.line(fmt::format("  {:<28} {:>22} {:>22}", name, emulator, card));
  };
  const std::string name = case_phrase(counts.name);
  const bool fits = code_points(name) <= 28;
  if (!fits) out.line("  " + name);
  row(fits ? name : "", "counted by the emulator", "counted by the card");
  for (std::size_t i = 0; i < std::min(kShownKernels, kernels.size()); ++i) {
    const ComparedKernel& kernel = kernels[i];
    out.paragraph(out.head("  "), 4, {{.text = printable(kernel.name), .ink = Ink::strong}});
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

/// Results of NVIDIA's tools beside the emulator's, or why there are none.
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

/// The parts of the modelled time and what would shorten it.
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

/// What the program printed, for those who look for errors with printf.
void write_output(const Grade& grade, Writer& out) {
  const std::vector<std::string_view> lines = split_lines(grade.output);
  if (lines.empty()) return;
  out.line(out.ink(Ink::strong, "Your program printed"));
  for (std::size_t i = 0; i < std::min(kShownOutputLines, lines.size()); ++i) {
    out.line("  " + printable(std::string(lines[i].substr(0, kLineColumns))));
  }
  if (lines.size() > kShownOutputLines) {
    out.line(fmt::format("  and {}; see --html or --json",
                         plural(lines.size() - kShownOutputLines, "more line")));
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
  if (grade.points_in(Category::build) < grade.max_points_in(Category::build)) {
    write_compiler_output(grade.build_log, shown.folder, out);
  }
  write_cases(shown, out);
  write_findings(shown, out);
  write_output(grade, out);
  write_concepts(grade, out);
  write_questions(grade, out);
  write_profile(grade, out);
  write_speed(grade, out);
  write_rung(grade, out);
  out.paragraph(
      grade.passed() ? out.head("", Ink::good, "Done:  ") : out.head("", Ink::strong, "Next:  "), 7,
      printable(grade.summary));
  if (!grade.pitfall.empty()) {
    out.line(fmt::format("       `warpgrade explain {}` has more.", grade.pitfall));
  }
  return out.take();
}

}  // namespace warpgrade
