#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

#include "grader/core/text.h"
#include "grader/report/shown_findings.h"
#include "grader/report/terminal_parts.h"
#include "grader/report/wording.h"
#include "harness/core/plural.h"

namespace warpgrade {
namespace {

constexpr std::size_t kInFull = 3;
constexpr std::size_t kMost = 20;  // a program may have one on every line

Ink ink_of(const ReportedFinding& f) {
  return f.is_error() ? Ink::bad : Ink::warn;
}

std::string seen(const ReportedFinding& f) {
  return fmt::format("{}, in {} {}", plural(f.count, "time"), noun(f.cases.size(), "case"),
                     join_and(quoted(f.cases, 3)));
}

void write_in_full(const ShownFinding& shown, Writer& out) {
  const auto field = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) {
      out.paragraph(out.head("    ", Ink::faint, fmt::format("{:<6} ", name)), 11,
                    printable(value));
    }
  };
  const ReportedFinding& f = *shown.first;
  out.paragraph(out.head("  ", ink_of(f), fmt::format("{}[{}]: ", f.severity, f.kind)), 4,
                printable(f.message));
  field("where", f.where);
  field("who", f.who);
  field("got", f.got);
  field("want", f.want);
  if (const ReportedFinding* other = shown.other) {
    out.paragraph(
        out.head("    and ", ink_of(*other), fmt::format("{}[{}]: ", other->severity, other->kind)),
        6, printable(other->message));
    field("who", other->who == f.who ? "" : other->who);
    field("got", other->got);
  }
  field("next", f.next);
  field("seen", seen(f));
}

void write_in_short(const ShownFinding& shown, Writer& out) {
  const ReportedFinding& f = *shown.first;
  const std::string kinds =
      shown.other == nullptr ? f.kind : fmt::format("{}, {}", f.kind, shown.other->kind);
  const std::string place = f.line > 0 ? fmt::format("{}:{}: ", f.file, f.line) : "";
  out.paragraph(out.head("  ", ink_of(f), fmt::format("{}[{}]: ", f.severity, kinds)), 4,
                printable(place + f.message));
}

}  // namespace

void write_findings(const StudentView& shown, Writer& out) {
  const Grade& grade = shown.grade;
  if (grade.findings.empty() && shown.hidden_kinds.empty()) return;
  out.line(out.ink(Ink::strong, "Findings"));
  const std::vector<ShownFinding> findings = findings_to_show(grade);
  for (std::size_t i = 0; i < std::min(kMost, findings.size()); ++i) {
    if (i < kInFull) {
      write_in_full(findings[i], out);
    } else {
      write_in_short(findings[i], out);
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
