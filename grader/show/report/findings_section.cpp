#include <fmt/core.h>

#include <algorithm>

#include "grader/core/text.h"
#include "grader/record/evidence/evidence.h"
#include "grader/show/report/sections.h"
#include "grader/show/report/shown_findings.h"
#include "grader/show/report/source_view.h"
#include "grader/show/report/wording.h"
#include "harness/core/plural.h"

namespace warpgrade {
namespace {

constexpr std::size_t kMostFindings = 20;

/// A finding, without its source excerpt.
PageData part_of(const ReportedFinding& f) {
  PageData part = texts({{"severity", f.severity},
                         {"class", f.is_error() ? "failed" : "partial"},
                         {"kind", f.kind},
                         {"message", f.message}});
  PageData fields(PageData::type::list);
  const auto field = [&](const char* name, const std::string& value) {
    if (!value.empty()) {
      fields.push_back(texts({{"name", name}, {"value", value}}));
    }
  };
  field("where", f.where);
  field("who", f.who);
  field("got", f.got);
  field("want", f.want);
  const std::string in = f.cases.empty() ? std::string() : ", in " + join_and(quoted(f.cases, 4));
  field("seen", fmt::format("{} {}{}", grouped(double(f.count)), noun(f.count, "time"), in));
  part.set("fields", std::move(fields));
  return part;
}

}  // namespace

std::vector<const ReportedFinding*> findings_in_order(const Grade& grade) {
  std::vector<const ReportedFinding*> findings;
  for (const ReportedFinding& f : grade.findings) {
    findings.push_back(&f);
  }
  const auto rank = [&](const ReportedFinding* f) {
    const int severity = f->is_error() ? 0 : f->severity == "warning" ? 1 : 2;
    const bool first = !f->pitfall.empty() && f->pitfall == grade.pitfall;
    return 2 * severity + (first ? 0 : 1);
  };
  std::stable_sort(
      findings.begin(), findings.end(),
      [&](const ReportedFinding* a, const ReportedFinding* b) { return rank(a) < rank(b); });
  return findings;
}

PageData finding_rows(const Grade& grade, const Pages& pages) {
  PageData rows(PageData::type::list);
  const std::vector<ShownFinding> findings = findings_to_show(grade);
  for (std::size_t i = 0; i < std::min(kMostFindings, findings.size()); ++i) {
    const ReportedFinding& f = *findings[i].first;
    PageData row = texts(
        {{"kernel", f.kernel}, {"finding_kind", f.kind}, {"finding_line", std::to_string(f.line)}});
    PageData parts(PageData::type::list);
    PageData first = part_of(f);
    PageData sides(PageData::type::list);
    for (const FindingPlace& place : places_of(f)) {
      PageData lines = excerpt(grade, place);
      if (lines.is_empty_list()) {
        continue;
      }
      PageData side = texts({{"file", place.file}, {"line", std::to_string(place.line)}});
      set_text(side, "who", place.who);
      side.set("lines", std::move(lines));
      sides.push_back(std::move(side));
    }
    set_list(first, "sides", std::move(sides));
    parts.push_back(std::move(first));
    if (findings[i].other != nullptr) {
      PageData other = part_of(*findings[i].other);
      set_list(other, "sides", PageData(PageData::type::list));  // on the same line
      parts.push_back(std::move(other));
    }
    row.set("parts", std::move(parts));
    set_text(row, "next", f.next);
    set_pitfall(row, f.pitfall, pages);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string more_findings(const StudentView& shown) {
  const std::size_t count = findings_to_show(shown.grade).size();
  std::string text;
  if (count > kMostFindings) {
    text = fmt::format("{} more are in grade.json. ", count - kMostFindings);
  }
  if (!shown.hidden_kinds.empty()) {
    text += fmt::format("In hidden cases only: {}.", titles(shown.hidden_kinds));
  }
  return text;
}

}  // namespace warpgrade
