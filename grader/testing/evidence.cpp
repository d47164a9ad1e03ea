#include "grader/testing/evidence.h"

#include <map>

namespace warpgrade::testing {
namespace {

Case make_case(const std::string& name, double points, std::int64_t n) {
  Case c;
  c.name = name;
  c.points = points;
  c.hint = "hint of " + name;
  c.data.name = name;
  c.data.dims = {{"n", n}};
  return c;
}

}  // namespace

Lab test_lab() {
  Lab lab;
  lab.id = "vecadd";
  lab.title = "Vector addition";
  lab.submit = {"vecadd.cu"};
  lab.function = "vecadd";
  lab.rubric = {
      .build = 5, .correctness = 50, .safety = 15, .concept_checks = 15, .performance = 15};
  lab.cases = {make_case("small", 20, 100), make_case("large", 30, 1000)};
  lab.tiers = {{.ratio = 1.25, .points = 15}, {.ratio = 2, .points = 5}};
  lab.performance_case = "large";
  lab.concepts = {{.id = "loads",
                   .title = "Each input element is read once",
                   .points = 15,
                   .on = "large",
                   .measured = Expression("global_load_sectors"),
                   .expected = Expression("2 * n / 8"),
                   .at_least = 0.9,
                   .at_most = 1.1,
                   .unit = "sectors",
                   .pitfall = "P75",
                   .hint = "Count the visits."}};
  return lab;
}

Evidence right_evidence(const Lab& lab) {
  Evidence evidence;
  evidence.lab = &lab;
  for (const Case& spec : lab.cases) {
    CaseOutcome outcome;
    outcome.spec = &spec;
    outcome.report.name = spec.name;
    outcome.report.visible = spec.visible;
    outcome.report.shape = spec.data.dims;
    outcome.report.elements = static_cast<std::uint64_t>(spec.data.dims.at("n"));
    outcome.report.verdict = CaseVerdict::passed;
    EmulatorReport report;
    report.device = "A100";
    report.kernels = {{.name = "add",
                       .launches = 1,
                       .grid = {(outcome.report.elements + 255) / 256, 1, 1},
                       .block = {256, 1, 1},
                       .counters = {{"modelled_ms", 1.0},
                                    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                                     static_cast<double>(outcome.report.elements) / 4},
                                    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
                                     static_cast<double>(outcome.report.elements) / 8}},
                       .lines = {}}};
    outcome.emulator = std::move(report);
    evidence.cases.push_back(std::move(outcome));
  }
  evidence.references["large"] = {.modelled_ms = 1.0, .counters = {{"global_load_sectors", 250.0}}};
  return evidence;
}

void add_finding(Evidence& evidence, const std::string& kind, const std::string& severity) {
  ReportedFinding finding;
  finding.kind = kind;
  finding.severity = severity;
  const warpsim::FindingInfo* row = warpsim::find_finding_kind(kind);
  finding.pitfall = row == nullptr ? "" : row->pitfall;
  finding.file = "vecadd.cu";
  finding.line = 7;
  finding.message = "message of " + kind;
  finding.next = "next of " + kind;
  finding.cases = {"small"};
  evidence.findings.push_back(std::move(finding));
}

void make_wrong(Evidence& evidence, std::size_t index, const std::string& pattern,
                std::uint64_t first, double got, double want) {
  CaseReport& report = evidence.cases.at(index).report;
  report.verdict = CaseVerdict::wrong;
  report.pattern = pattern;
  report.message = "`c` is wrong.";
  report.wrong_elements = report.elements - first;
  report.first_mismatches = {
      {.parameter = "c", .index = first, .got = got, .want = want, .bound = 1e-6}};
}

}  // namespace warpgrade::testing
