#include "grader/run/emulator_report.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <system_error>

#include "grader/core/text.h"
#include "harness/case/untrusted_file.h"

namespace warpgrade {
namespace fs = std::filesystem;
using nlohmann::json;
namespace {

constexpr std::uint64_t kMaxReportBytes = std::uint64_t{32} << 20;

std::map<std::string, double> counters_from(const json& object) {
  std::map<std::string, double> counters;
  for (const auto& [name, value] : object.items()) {
    if (value.is_number()) {
      counters[name] = value.get<double>();
    }
  }
  return counters;
}

ReportedFinding finding_from(const json& j, const std::string& prefix) {
  const auto text = [&](const char* key) { return replace_all(j.value(key, ""), prefix, ""); };
  ReportedFinding f;
  f.kind = j.at("kind");
  f.severity = j.at("severity");
  f.pitfall = text("pitfall");
  f.kernel = text("kernel");
  f.file = text("file");
  f.line = j.value("line", 0u);
  f.message = text("message");
  f.where = text("where");
  f.who = text("who");
  f.got = text("got");
  f.want = text("want");
  f.next = text("next");
  f.count = std::max<std::uint64_t>(1, j.value("count", std::uint64_t{1}));
  return f;
}

KernelReport kernel_from(const json& j, const std::string& prefix) {
  KernelReport k;
  k.name = j.at("name");
  k.launches = j.at("launches");
  k.grid = j.at("grid").get<std::vector<std::uint64_t>>();
  k.block = j.at("block").get<std::vector<std::uint64_t>>();
  k.counters = counters_from(j.at("counters"));
  for (const json& line : j.value("lines", json::array())) {
    KernelLine l;
    l.file = replace_all(line.at("file").get<std::string>(), prefix, "");
    l.line = line.at("line");
    l.counters = counters_from(line.at("counters"));
    std::erase_if(l.counters, [](const auto& entry) { return entry.second == 0; });
    k.lines.push_back(std::move(l));
  }
  return k;
}

}  // namespace

const ReportedFinding* EmulatorReport::find(warpsim::FindingKind kind) const {
  const auto it = std::find_if(findings.begin(), findings.end(),
                               [&](const ReportedFinding& f) { return f.is(kind); });
  return it == findings.end() ? nullptr : &*it;
}

double EmulatorReport::total(std::string_view metric) const {
  double sum = 0;
  for (const KernelReport& kernel : kernels) {
    sum += kernel.counter(metric);
  }
  return sum;
}

std::optional<EmulatorReport> read_emulator_report(const fs::path& file,
                                                   const fs::path& source_folder) {
  const std::optional<std::string> text = read_untrusted_file(file, kMaxReportBytes);
  if (!text) {
    return std::nullopt;
  }
  const std::string prefix = source_folder.string() + "/";
  try {
    const json document = json::parse(*text);
    EmulatorReport report;
    report.device = document.at("device").at("name");
    for (const json& kernel : document.at("kernels")) {
      report.kernels.push_back(kernel_from(kernel, prefix));
    }
    for (const json& finding : document.at("findings")) {
      report.findings.push_back(finding_from(finding, prefix));
      if (warpsim::find_finding_kind(report.findings.back().kind) == nullptr) {
        return std::nullopt;  // no emulator of ours wrote this
      }
    }
    return report;
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

}  // namespace warpgrade
