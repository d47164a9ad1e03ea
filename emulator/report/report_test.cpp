#include "emulator/report/report.h"

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "emulator/report/metrics.h"

using namespace warpsim;

namespace {

KernelCounters sample_kernel() {
  KernelCounters kernel;
  kernel.name = "scale(float*, int)";
  kernel.launches = 2;
  kernel.grid[0] = 64;
  kernel.grid[1] = kernel.grid[2] = 1;
  kernel.block[0] = 256;
  kernel.block[1] = kernel.block[2] = 1;
  kernel.blocks = 128;
  kernel.threads = 128 * 256;
  kernel.warps = 128 * 8;
  kernel.totals.executed = 4096;
  kernel.totals.threads = 4096 * 24;
  kernel.totals.branches = 20;
  kernel.totals.divergent = 7;
  kernel.totals.barriers = 512;
  kernel.totals.flops[static_cast<std::size_t>(Arithmetic::ffma)] = 1000;
  kernel.modelled_ms = 0.25;
  kernel.static_shared_bytes = 1024;
  kernel.dynamic_shared_bytes = 64;
  kernel.registers = 32;
  kernel.registers_source = "estimate";
  kernel.theoretical_occupancy = 0.5;
  kernel.occupancy_limiter = "shared memory";
  Counts& loads = kernel.totals.by_kind[static_cast<std::size_t>(AccessKind::global_load)];
  loads.requests = 512;
  loads.sectors = 2560;
  loads.ideal_sectors = 2048;
  loads.bytes = 65536;
  loads.l1_hits = 640;
  Counts& shared = kernel.totals.by_kind[static_cast<std::size_t>(AccessKind::shared_load)];
  shared.requests = 512;
  shared.wavefronts = 1024;
  shared.ideal_wavefronts = 512;
  Counts& atomics = kernel.totals.by_kind[static_cast<std::size_t>(AccessKind::shared_atomic)];
  atomics.requests = 10;
  atomics.wavefronts = 40;
  atomics.ideal_wavefronts = 10;
  LineCounters line;
  line.file = "scale.cu";
  line.line = 12;
  line.totals.executed = 512;
  line.totals.threads = 512 * 32;
  line.totals.by_kind[static_cast<std::size_t>(AccessKind::global_load)] = loads;
  kernel.lines.push_back(line);
  kernel.caches.sectors = {1920, 80, 0, 0};
  kernel.caches.hits = {1420, 80, 0, 0};
  kernel.caches.dram_reads = 500;
  kernel.caches.dirty_at_end = 80;
  return kernel;
}

Finding sample_finding(Severity severity) {
  Finding finding(FindingKind::oob_global_read);
  finding.severity = severity;
  finding.kernel = "scale(float*, int)";
  finding.file = "scale.cu";
  finding.line = 12;
  finding.message = "4-byte read past the end of `a`";
  return finding;
}

/// Empty when the document follows docs/warpsim.schema.json, else the first reasons.
std::string schema_errors(const nlohmann::json& document) {
  const nlohmann::json schema_json = run_schema();
  valijson::Schema schema;
  valijson::SchemaParser().populateSchema(valijson::adapters::NlohmannJsonAdapter(schema_json),
                                          schema);
  valijson::ValidationResults results;
  const valijson::adapters::NlohmannJsonAdapter target(document);
  if (valijson::Validator().validate(schema, target, &results)) return {};
  std::ostringstream text;
  for (const auto& error : results) {
    for (const auto& part : error.context) text << part;
    text << ": " << error.description << '\n';
  }
  return text.str();
}

nlohmann::json sample_json(const CheckOptions& checks = {}) {
  const std::vector<KernelCounters> kernels = {sample_kernel()};
  const std::vector<Finding> findings = {sample_finding(Severity::error),
                                         sample_finding(Severity::warning)};
  return to_json(
      {.card = &default_card(), .checks = checks, .kernels = kernels, .findings = findings});
}

constexpr CheckOptions kOff = {.bounds = false,
                               .unwritten = false,
                               .races = false,
                               .read_only = false,
                               .barriers = false,
                               .leaks = false,
                               .counters = false,
                               .cache = false};

}  // namespace

TEST_CASE("docs/warpsim.schema.json is made from the records and the tables of counters",
          "[report][unit][schema]") {
  INFO("write it again: WARPGRADE_WRITE_SCHEMAS=1 build/bin/emulator_test '[schema]'");
  const auto file = std::filesystem::path(WARPSIM_TEST_DATA) / "../../docs/warpsim.schema.json";
  const std::string made = run_schema().dump(2) + "\n";
  if (std::getenv("WARPGRADE_WRITE_SCHEMAS") != nullptr) CHECK(write_atomically(file, made) == "");
  std::ifstream stream(file);
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  CHECK(text == made);
}

TEST_CASE("the report follows its schema", "[report][unit]") {
  CHECK(schema_errors(sample_json()) == "");
  CHECK(schema_errors(to_json({.card = &default_card(), .kernels = {}, .findings = {}})) == "");
}

TEST_CASE("the report says what was on", "[report][unit]") {
  for (const auto& [name, on] : sample_json()["enabled"].items()) {
    INFO(name);
    CHECK(on == true);
  }
  CheckOptions races_only = kOff;
  races_only.races = true;
  const auto enabled = sample_json(races_only)["enabled"];
  CHECK(enabled["races"] == true);
  CHECK(enabled["read_only"] == false);
  CHECK(enabled["leaks"] == false);
  CHECK(enabled["counters"] == false);
  CHECK(enabled["cache"] == false);
  // Accesses are always compared with their bounds.
  CHECK(enabled["bounds"] == true);
}

TEST_CASE("what was not counted is not in the report, and not 0 in it", "[report][unit]") {
  const char* sectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
  const char* misses = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum";
  const auto off = sample_json(kOff);
  CHECK(schema_errors(off) == "");
  const auto nothing = off["kernels"][0]["counters"];
  CHECK_FALSE(nothing.contains(sectors));
  CHECK_FALSE(nothing.contains(misses));
  CHECK_FALSE(nothing.contains("hottest_atomics_cycles"));
  CHECK_FALSE(off["kernels"][0]["lines"][0]["counters"].contains(sectors));
  CHECK(nothing["smsp__inst_executed.sum"] == 4096);
  CHECK(nothing["barriers"] == 512);

  CheckOptions counters = kOff;
  counters.counters = true;
  const auto accesses = sample_json(counters);
  CHECK(schema_errors(accesses) == "");
  CHECK(accesses["kernels"][0]["counters"][sectors] == 2560);
  CHECK_FALSE(accesses["kernels"][0]["counters"].contains(misses));
  CHECK_FALSE(accesses["kernels"][0]["counters"].contains("dram__sectors_read.sum"));

  // Near miss: counted and zero.
  CHECK(sample_json()["kernels"][0]["counters"]["dram__sectors_write.sum"] == 0);
}

TEST_CASE("the schema wants the counters of what was on, and no others", "[report][unit]") {
  auto missing = sample_json();
  missing["kernels"][0]["counters"].erase("dram__sectors_read.sum");
  CHECK(schema_errors(missing) != "");
  auto too_many = sample_json(kOff);
  too_many["kernels"][0]["counters"]["dram__sectors_read.sum"] = 0;
  CHECK(schema_errors(too_many) != "");
  auto unsaid = sample_json();
  unsaid.erase("enabled");
  CHECK(schema_errors(unsaid) != "");
}

TEST_CASE("the schema refuses a report with a counter missing, renamed or negative",
          "[report][unit]") {
  const char* metric = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
  auto missing = sample_json();
  missing["kernels"][0]["counters"].erase(metric);
  CHECK(schema_errors(missing) != "");
  auto renamed = sample_json();
  renamed["kernels"][0]["counters"]["sectors"] = 1;
  CHECK(schema_errors(renamed) != "");
  auto negative = sample_json();
  negative["kernels"][0]["counters"][metric] = -1;
  CHECK(schema_errors(negative) != "");
  auto severity = sample_json();
  severity["findings"][0]["severity"] = "fatal";
  CHECK(schema_errors(severity) != "");
}

TEST_CASE("counters carry ncu's names and definitions", "[report][unit]") {
  const auto counters = sample_json()["kernels"][0]["counters"];
  CHECK(counters["smsp__inst_executed.sum"] == 4096);
  CHECK(counters["smsp__thread_inst_executed_per_inst_executed.ratio"] == 24.0);
  CHECK(counters["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"] == 512);
  CHECK(counters["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"] == 2560);
  CHECK(counters["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"] == 0);
  CHECK(counters["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"] == 1024);
  CHECK(counters["sm__maximum_warps_per_active_cycle_pct"] == 50.0);
}

TEST_CASE("bank conflicts of all kinds add up, atomics included", "[report][unit]") {
  const auto counters = sample_json()["kernels"][0]["counters"];
  CHECK(counters["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"] == 512);
  CHECK(counters["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"] == 0);
  CHECK(counters["l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"] == 542);
}

TEST_CASE("a source line has those of its kernel's counters that are not zero", "[report][unit]") {
  const auto line = sample_json()["kernels"][0]["lines"][0];
  CHECK(line["file"] == "scale.cu");
  CHECK(line["line"] == 12);
  CHECK(line["counters"]["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"] == 2560);
  CHECK_FALSE(line["counters"].contains("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"));
}

TEST_CASE("the ratio of a kernel that executed nothing is zero, not NaN", "[report][unit]") {
  const KernelCounters empty;
  for (const auto& metric : all_metrics()) {
    INFO(metric.name);
    std::visit([](auto number) { CHECK(number == 0); }, metric.value(empty.totals));
  }
  for (const auto& metric : kernel_metrics()) {
    INFO(metric.name);
    std::visit([](auto number) { CHECK(number == 0); }, metric.value(empty));
  }
}

TEST_CASE("the summary counts findings by severity and launches over kernels", "[report][unit]") {
  const auto summary = sample_json()["summary"];
  CHECK(summary["errors"] == 1);
  CHECK(summary["warnings"] == 1);
  CHECK(summary["notes"] == 0);
  CHECK(summary["launches"] == 2);
}

TEST_CASE("findings end with a summary line", "[report][unit]") {
  CHECK(render_findings({}) == "warpsim: no findings\n");
  const std::vector<Finding> findings = {sample_finding(Severity::error),
                                         sample_finding(Severity::error),
                                         sample_finding(Severity::warning)};
  CHECK(render_findings(findings) ==
        "scale.cu:12:1: error: 4-byte read past the end of `a` [oob-global-read, P1]\n\n"
        "scale.cu:12:1: error: 4-byte read past the end of `a` [oob-global-read, P1]\n\n"
        "scale.cu:12:1: warning: 4-byte read past the end of `a` [oob-global-read, P1]\n\n"
        "warpsim: 2 errors, 1 warning\n");
}

TEST_CASE("launches after a kernel that was stopped are told to be not checked", "[report][unit]") {
  CHECK(render_findings({}, 1) ==
        "warpsim: not checked: 1 launch after the kernel that was stopped\n"
        "warpsim: no findings\n");
  CHECK(render_findings({}, 2).starts_with("warpsim: not checked: 2 launches after"));
}

TEST_CASE("findings are printed as SARIF and as annotations, too", "[report][unit]") {
  const std::vector<Finding> findings = {sample_finding(Severity::error)};
  Report report;
  report.findings = findings;
  const auto run = nlohmann::json::parse(render(report, DiagnosticFormat::sarif)).at("runs").at(0);
  CHECK(run.at("tool").at("driver").at("name") == "warpsim");
  const auto& result = run.at("results").at(0);
  CHECK(result.at("ruleId") == "oob-global-read");
  CHECK(result.at("locations").at(0).at("physicalLocation").at("region").at("startLine") == 12);
  CHECK(
      render(report, DiagnosticFormat::github).starts_with("::error file=scale.cu,line=12,title="));
  CHECK(render(report, DiagnosticFormat::text) == render_findings(findings));
}

TEST_CASE("the counter table leaves out what a kernel did not do", "[report][unit]") {
  const std::vector<KernelCounters> kernels = {sample_kernel()};
  CHECK(render_counters(kernels) ==
        "scale(float*, int)\n"
        "  launches             2, grid (64,1,1), block (256,1,1)\n"
        "  warp instructions    4096, 24.00 threads each\n"
        "  global loads         512 requests, 5.00 sectors each (ideal 4.00)\n"
        "  shared loads         512 requests, 2.00 wavefronts each (ideal 1.00)\n"
        "  shared atomics       10 requests, 4.00 wavefronts each (ideal 1.00)\n"
        "                       0.00 addresses per request, 0.00 lanes on the busiest\n"
        "  caches               L1 25.0 % of loads hit, L2 2000 sectors, 75.0 % hit\n"
        "  memory               500 sectors read, 0 written, 80 still to be written\n"
        "  divergent branches   7 of 20\n"
        "  barriers             512\n"
        "  f32 operations       1000\n"
        "  occupancy            50 %, limited by shared memory\n"
        "  registers            32 (estimate)\n"
        "  shared memory        1024 + 64 bytes per block\n"
        "  modelled time        0.2500 ms\n\n");
}

TEST_CASE("the counter table says when accesses or caches were not counted", "[report][unit]") {
  KernelCounters kernel = sample_kernel();
  const auto last_line = [&](const CheckOptions& checks) {
    std::string text = render_counters({&kernel, 1}, {.checks = checks});
    text.pop_back();
    return text.substr(text.rfind('\n') + 1);
  };
  CheckOptions counters = kOff;
  CHECK(last_line(counters) == "not counted: accesses to memory, caches (--check counters,cache)");
  counters.counters = true;
  CHECK(last_line(counters) == "not counted: caches (--check cache)");
  CHECK(last_line({}) == "");
}

TEST_CASE("the table can show the lines that did most, in 80 columns", "[report][unit]") {
  KernelCounters kernel = sample_kernel();
  kernel.name = std::string(200, 'k');
  LineCounters heavy = kernel.lines.front();
  heavy.file = "/a/rather/long/folder/with_a_long_name_of_a_file.cu";
  heavy.line = 1234;
  heavy.totals.executed = 2048;
  kernel.lines.push_back(heavy);
  for (std::uint32_t i = 0; i < 20; ++i) {
    LineCounters small;
    small.file = "scale.cu";
    small.line = 20 + i;
    small.totals.executed = 1;
    kernel.lines.push_back(small);
  }
  const std::string text = render_counters({&kernel, 1}, {.lines = true});
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 80);
  const std::size_t first = text.find("of_a_file.cu:1234 ");
  const std::size_t second = text.find("scale.cu:12 ");
  REQUIRE(first != text.npos);
  REQUIRE(second != text.npos);
  CHECK(first < second);
  CHECK(text.find("and 10 more lines with lower counts") != text.npos);
  CHECK(text.find("\033[") == text.npos);
}

TEST_CASE("colour marks what needs twice of what would do", "[report][unit]") {
  const KernelCounters kernel = sample_kernel();
  const std::string text = render_counters({&kernel, 1}, {.colour = true});
  CHECK(text.find("\033[33m  shared loads ") != text.npos);
  CHECK(text.find("\033[33m  global loads ") == text.npos);
  CHECK(text.find("\033[1mscale(float*, int)\033[0m\n") == 0);
}

TEST_CASE("a report replaces its file and leaves no temporary behind", "[report][unit]") {
  const auto folder = std::filesystem::temp_directory_path() / "warpsim_report_test";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  const std::string path = folder / "report.json";
  CHECK(write_atomically(path, "old") == "");
  CHECK(write_atomically(path, "new") == "");
  std::ifstream file(path);
  std::stringstream content;
  content << file.rdbuf();
  CHECK(content.str() == "new");
  CHECK(std::distance(std::filesystem::directory_iterator(folder), {}) == 1);
  std::filesystem::remove_all(folder);
}

TEST_CASE("a report that cannot be written says which and why", "[report][unit]") {
  CHECK(write_atomically("/nonexistent-folder/report.json", "x") ==
        "cannot write '/nonexistent-folder/report.json': No such file or directory");
}
