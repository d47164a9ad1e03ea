#include "grader/show/problems/diagnostics.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "emulator/findings/finding_kinds.h"
#include "grader/build/compile/compiler_messages.h"
#include "grader/core/text.h"

namespace warpgrade {
namespace {

constexpr std::size_t kMostCompilerMessages = 100;

bool builds(const Grade& grade) {
  return grade.points_in(Category::build) >= grade.max_points_in(Category::build);
}

std::vector<Diagnostic> compiler_messages(const std::string& log, const std::string& folder) {
  std::vector<Diagnostic> all;
  for (const CompilerMessage& message : parse_compiler_messages(log)) {
    if (all.size() == kMostCompilerMessages) break;
    Diagnostic d;
    d.at = {path_in(folder, message.file), message.line, message.column};
    d.severity = message.is_error ? "error" : "warning";
    d.message = one_line(message.text);
    d.rule = "compiler";
    d.title = "compiler message";
    all.push_back(std::move(d));
  }
  return all;
}

std::vector<Diagnostic> findings_of(const Grade& grade, const std::string& folder) {
  std::vector<Diagnostic> all;
  for (const ReportedFinding& finding : grade.findings) {
    all.push_back(diagnostic_of(finding, folder));
  }
  return all;
}

std::string verdict_title(CaseVerdict verdict) {
  switch (verdict) {
    case CaseVerdict::wrong:
      return "wrong result";
    case CaseVerdict::broke_contract:
      return "write outside the outputs";
    case CaseVerdict::cuda_error:
      return "CUDA error";
    case CaseVerdict::crashed:
      return "crash";
    case CaseVerdict::never_ends:
      return "never ends";
    default:
      return "case not passed";
  }
}

/// Cases have no line; editors show them at the beginning of the file.
void add_cases(const StudentView& shown, std::vector<Diagnostic>& all) {
  for (const CaseReport& report : shown.grade.cases) {
    const bool failed =
        report.verdict == CaseVerdict::wrong || report.verdict == CaseVerdict::broke_contract ||
        report.verdict == CaseVerdict::cuda_error || report.verdict == CaseVerdict::crashed ||
        report.verdict == CaseVerdict::never_ends;
    if (!failed) continue;
    Diagnostic d;
    if (!shown.grade.sources.empty()) {
      d.at = {path_in(shown.folder, shown.grade.sources.front().name), 1, 1};
    }
    d.severity = "error";
    d.rule = report.verdict == CaseVerdict::wrong ? "wrong-result" : slug(report.verdict);
    std::replace(d.rule.begin(), d.rule.end(), '_', '-');
    d.title = verdict_title(report.verdict);
    d.message = one_line(fmt::format("case \"{}\": {}", report.name,
                                     report.message.empty() ? d.title : report.message));
    d.cases = {report.name};
    all.push_back(std::move(d));
  }
}

}  // namespace

std::string path_in(const std::string& folder, const std::string& file) {
  namespace fs = std::filesystem;
  if (file.empty() || folder.empty() || fs::path(file).is_absolute()) return file;
  return (fs::path(folder) / file).lexically_normal().string();
}

Diagnostic diagnostic_of(const ReportedFinding& f, const std::string& folder) {
  Diagnostic d;
  if (f.line != 0) d.at = {path_in(folder, f.file), f.line, f.column};
  d.severity = f.severity;
  d.message = one_line(f.message);
  d.rule = f.kind;
  const warpsim::FindingInfo* kind = warpsim::find_finding_kind(f.kind);
  d.title = kind == nullptr ? f.kind : std::string(kind->title);
  d.pitfall = f.pitfall;
  if (f.other_line != 0 && (f.other_line != f.line || f.other_file != f.file)) {
    d.other = SourcePosition{path_in(folder, f.other_file), f.other_line, 0};
  }
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) d.details.emplace_back(name, one_line(value));
  };
  add("where", f.where);
  add("who", f.who);
  add("got", f.got);
  add("want", f.want);
  add("next", f.next);
  d.cases = f.cases;
  return d;
}

std::vector<Diagnostic> diagnostics_of(const StudentView& shown) {
  if (!builds(shown.grade)) return compiler_messages(shown.grade.build_log, shown.folder);
  std::vector<Diagnostic> all = findings_of(shown.grade, shown.folder);
  add_cases(shown, all);
  return all;
}

std::vector<Diagnostic> diagnostics_of(const ObservedProgram& observed) {
  return observed.builds ? findings_of(observed.facts, "")
                         : compiler_messages(observed.facts.build_log, "");
}

}  // namespace warpgrade
