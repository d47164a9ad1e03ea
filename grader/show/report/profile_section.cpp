#include <fmt/core.h>

#include <algorithm>

#include "grader/core/text.h"
#include "grader/record/counters/card_counts.h"
#include "grader/show/report/sections.h"
#include "grader/show/report/wording.h"

namespace warpgrade {
namespace {

constexpr std::size_t kMostProfileKernels = 10;
constexpr std::size_t kMostProfileFindings = 30;

std::string ratio_text(double card, double emulator) {
  return emulator > 0 ? fmt::format("{:.3g}", card / emulator) : "";
}

std::string status_class(ToolEnd end) {
  return end == ToolEnd::done ? "passed" : end == ToolEnd::not_run ? "not_assessed" : "partial";
}

PageData count_row(std::string_view name, std::string_view meaning, double emulator, double card) {
  return texts({{"name", name},
                {"meaning", meaning},
                {"emulator", grouped(emulator)},
                {"card", grouped(card)},
                {"ratio", ratio_text(card, emulator)}});
}

PageData compared_kernel(const ComparedKernel& kernel) {
  PageData rows(PageData::type::list);
  for (const ComparedCounter& counter : kernel.counters) {
    rows.push_back(count_row(counter.name, counter.meaning, counter.emulator, counter.card));
  }
  PageData row = texts({{"name", kernel.name},
                        {"emulator_launches", grouped(double(kernel.emulator_launches))},
                        {"card_launches", grouped(double(kernel.card_launches))},
                        {"modelled", fmt::format("{:.4g}", kernel.modelled_ms)},
                        {"ms", fmt::format("{:.4g}", kernel.card_ms)},
                        {"ratio", ratio_text(kernel.card_ms, kernel.modelled_ms)}});
  row.set("rows", std::move(rows));
  return row;
}

PageData finding_row(const ToolFinding& finding, const Grade& grade) {
  const std::string where =
      finding.line > 0 ? fmt::format("{}:{}", finding.file, finding.line) : finding.kernel;
  return texts({{"tool", finding.tool},
                {"message", finding.message},
                {"where", where},
                {"who", finding.who},
                {"count", grouped(double(finding.count))},
                {"emulator", emulator_says(finding, grade)}});
}

}  // namespace

std::string emulator_says(const ToolFinding& finding, const Grade& grade) {
  std::vector<std::string> kinds;
  for (const ReportedFinding& f : grade.findings) {
    const bool same_place = finding.line > 0 && f.file == finding.file && f.line == finding.line;
    const bool both_leaks = finding.kind == "leak" && f.is(warpsim::FindingKind::leak);
    if ((same_place || both_leaks) &&
        std::find(kinds.begin(), kinds.end(), f.kind) == kinds.end()) {
      kinds.push_back(f.kind);
    }
  }
  return kinds.empty() ? "nothing there" : join_and(kinds);
}

PageData profile_section(const Grade& grade) {
  const CardProfile& profile = *grade.profile;
  PageData data(PageData::type::object);
  PageData runs(PageData::type::list);
  for (const ToolRun& run : profile.runs) {
    PageData row = texts({{"tool", run.tool},
                          {"case", run.name.empty() ? "" : case_phrase(run.name)},
                          {"class", status_class(run.end)},
                          {"word", tool_end_word(run.end)},
                          {"message", run.message}});
    runs.push_back(std::move(row));
  }
  set_list(data, "runs", std::move(runs));
  PageData kernels(PageData::type::list);
  if (const CardCounts* counts = profile.find("submission", false)) {
    set_text(data, "counted_case", case_phrase(counts->name));
    const std::vector<ComparedKernel> compared = compare_counts(grade.kernels, counts->kernels);
    for (std::size_t i = 0; i < std::min(kMostProfileKernels, compared.size()); ++i) {
      kernels.push_back(compared_kernel(compared[i]));
    }
  }
  set_list(data, "kernels", std::move(kernels));
  PageData findings(PageData::type::list);
  for (std::size_t i = 0; i < std::min(kMostProfileFindings, profile.findings.size()); ++i) {
    findings.push_back(finding_row(profile.findings[i], grade));
  }
  set_list(data, "findings", std::move(findings));
  return data;
}

}  // namespace warpgrade
