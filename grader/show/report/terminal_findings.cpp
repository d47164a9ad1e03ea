#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

#include "grader/core/text.h"
#include "grader/show/problems/diagnostics.h"
#include "grader/show/report/shown_findings.h"
#include "grader/show/report/terminal_parts.h"
#include "grader/show/report/wording.h"
#include "harness/core/plural.h"

namespace warpgrade {
namespace {

constexpr std::size_t kInFull = 3;
constexpr std::size_t kMost = 20;  // a program may have one on every line

Ink ink_of(const ReportedFinding& f) {
  return f.is_error() ? Ink::bad : Ink::warn;
}

std::string seen(const ReportedFinding& f) {
  if (f.cases.empty()) return plural(f.count, "time");
  return fmt::format("{}, in {} {}", plural(f.count, "time"), noun(f.cases.size(), "case"),
                     join_and(quoted(f.cases, 3)));
}

/// Not wrapped: editors read it.
void write_headline(const ReportedFinding& f, const std::string& folder, Writer& out) {
  out.line(out.ink(ink_of(f), printable(diagnostic_of(f, folder).line())));
}

void write_in_full(const ShownFinding& shown, const std::string& folder, Writer& out) {
  const auto field = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) {
      out.paragraph(out.head("    ", Ink::faint, fmt::format("{:<6} ", name)), 11,
                    printable(value));
    }
  };
  const ReportedFinding& f = *shown.first;
  write_headline(f, folder, out);
  field("where", f.where);
  field("who", f.who);
  field("got", f.got);
  field("want", f.want);
  if (const ReportedFinding* other = shown.other) {
    out.paragraph(out.head("    and ", ink_of(*other), other->severity + ": "), 6,
                  printable(fmt::format("{} [{}]", other->message, other->kind)));
    field("who", other->who == f.who ? "" : other->who);
    field("got", other->got);
  }
  field("next", f.next);
  field("seen", seen(f));
}

}  // namespace

void write_findings(const StudentView& shown, Writer& out) {
  const Grade& grade = shown.grade;
  if (grade.findings.empty() && shown.hidden_kinds.empty()) return;
  out.line(out.ink(Ink::strong, "Findings"));
  const std::vector<ShownFinding> findings = findings_to_show(grade);
  for (std::size_t i = 0; i < std::min(kMost, findings.size()); ++i) {
    if (i < kInFull) {
      write_in_full(findings[i], shown.folder, out);
    } else {
      write_headline(*findings[i].first, shown.folder, out);
    }
  }
  if (findings.size() > kMost) {
    out.line(fmt::format("  and {} more; see --html or --json", findings.size() - kMost));
  }
  for (const warpsim::FindingInfo* kind : shown.hidden_kinds) {
    const bool error = kind->severity == warpsim::Severity::error;
    out.paragraph(out.head("  ", error ? Ink::bad : Ink::warn, "in hidden cases only: "), 4,
                  kind->title);
  }
  out.line();
}

}  // namespace warpgrade
