#include <fmt/core.h>

#include <algorithm>

#include "grader/core/text.h"
#include "grader/report/sections.h"
#include "grader/report/source_view.h"
#include "grader/report/wording.h"

namespace warpgrade {
namespace {

constexpr std::size_t kMostFindings = 20;

}  // namespace

PageData finding_rows(const Grade& grade, const Pages& pages) {
  PageData rows(PageData::type::list);
  for (std::size_t i = 0; i < std::min(kMostFindings, grade.findings.size()); ++i) {
    const ReportedFinding& f = grade.findings[i];
    PageData row = texts({{"severity", f.severity},
                          {"class", f.is_error() ? "failed" : "partial"},
                          {"kind", f.kind},
                          {"message", f.message},
                          {"kernel", f.kernel}});
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
    field("seen", fmt::format("{} time{}, in {}", grouped(double(f.count)), f.count == 1 ? "" : "s",
                              join_and(quoted(f.cases, 4))));
    row.set("fields", std::move(fields));
    set_text(row, "next", f.next);
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
    set_list(row, "sides", std::move(sides));
    set_pitfall(row, f.pitfall, pages);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string more_findings(const Grade& grade) {
  return grade.findings.size() > kMostFindings
             ? fmt::format("{} more are in grade.json.", grade.findings.size() - kMostFindings)
             : "";
}

}  // namespace warpgrade
