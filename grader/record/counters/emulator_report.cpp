#include "grader/record/counters/emulator_report.h"

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

// Far above any real run; keeps sums finite and grades valid (docs/grade.schema.json) whatever a
// program has written into its report.
constexpr std::size_t kLongestWord = 100;  // kinds and names of counters
constexpr std::size_t kLongestText = 4000;
constexpr std::size_t kMostFindings = 2000;
constexpr std::size_t kMostChanges = 100;
constexpr std::size_t kMostKernels = 4000;
constexpr std::size_t kMostLines = 20000;  // of a kernel
constexpr std::size_t kMostCounters = 500;
constexpr std::size_t kMostShapes = 100;  // of a kernel's launches
constexpr std::uint64_t kMostLine = 1 << 30;
constexpr std::uint64_t kMostCount = std::uint64_t{1} << 40;
constexpr std::size_t kMostArrays = 64;  // of a call; also the limit of other lists about a call
constexpr double kLargestCounter = 1e18;

/// An integer from 0 to `most`; anything else means a damaged report.
/// @throws json::exception
std::uint64_t whole(const json& value, std::uint64_t most) {
  if (value.is_number_unsigned()) {
    return std::min(value.get<std::uint64_t>(), most);
  }
  const double number = value.get<double>();  // throws for what is not a number
  return number > 0 ? static_cast<std::uint64_t>(std::min(number, static_cast<double>(most))) : 0;
}

std::uint64_t whole(const json& object, const char* key, std::uint64_t otherwise,
                    std::uint64_t most) {
  const auto it = object.find(key);
  return it == object.end() ? otherwise : whole(*it, most);
}

/// From -most to most; 0 for a number that is missing.
std::int64_t signed_whole(const json& object, const char* key, std::uint64_t most) {
  const auto it = object.find(key);
  if (it == object.end()) return 0;
  const auto limit = static_cast<double>(most);
  return static_cast<std::int64_t>(std::clamp(it->get<double>(), -limit, limit));
}

std::string cut(std::string text, std::size_t most = kLongestText) {
  text.resize(std::min(text.size(), most));
  return printable(text);  // also escapes a character cut in the middle
}

/// "P1" to "P9999", as in the schema; a page that does not exist is not shown.
bool is_pitfall(const std::string& text) {
  constexpr std::size_t kMost = 5;
  return text.size() > 1 && text.size() <= kMost && text[0] == 'P' && text[1] != '0' &&
         text.find_first_not_of("0123456789", 1) == std::string::npos;
}

bool is_name(const std::string& text) {
  return text.size() <= kLongestWord &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < 0x7F; });
}

std::map<std::string, double> counters_from(const json& object) {
  std::map<std::string, double> counters;
  for (const auto& [name, value] : object.items()) {
    if (value.is_number() && is_name(name) && counters.size() < kMostCounters) {
      counters[name] = std::clamp(value.get<double>(), 0.0, kLargestCounter);
    }
  }
  return counters;
}

/// Unknown names are ignored.
warpsim::CostInputs cost_from(const json& object) {
  warpsim::CostInputs cost;
  for (const warpsim::CostField& field : warpsim::cost_fields()) {
    const auto it = object.find(field.name);
    if (it != object.end() && it->is_number()) {
      cost.*field.member = std::clamp(it->get<double>(), 0.0, kLargestCounter);
    }
  }
  return cost;
}

ReportedFinding finding_from(const json& j, const std::string& prefix) {
  const auto text = [&](const char* key) { return cut(replace_all(j.value(key, ""), prefix, "")); };
  ReportedFinding f;
  f.kind = cut(j.at("kind"), kLongestWord);
  f.kind = f.kind.empty() ? "unknown" : f.kind;
  f.severity = j.at("severity");
  if (f.severity != "warning" && f.severity != "note") {
    f.severity = "error";  // an unknown severity must not make it harmless
  }
  if (f.is_lack_of_emulator()) {
    f.severity = "note";
  }
  f.pitfall = text("pitfall");
  f.pitfall = is_pitfall(f.pitfall) ? f.pitfall : "";
  f.kernel = text("kernel");
  f.file = text("file");
  f.line = static_cast<std::uint32_t>(whole(j, "line", 0, kMostLine));
  f.column = static_cast<std::uint32_t>(whole(j, "column", 0, kMostLine));
  f.other_file = text("other_file");
  f.other_line = static_cast<std::uint32_t>(whole(j, "other_line", 0, kMostLine));
  f.message = text("message");
  f.where = text("where");
  f.who = text("who");
  f.got = text("got");
  f.want = text("want");
  f.next = text("next");
  f.offset = signed_whole(j, "offset", kMostCount);
  f.width = whole(j, "width", 0, kMostCount);
  f.array_bytes = whole(j, "array_bytes", 0, kMostCount);
  f.detail = text("detail");
  f.detail = warpsim::is_finding_detail(f.detail) ? f.detail : "";
  f.count = std::max<std::uint64_t>(1, whole(j, "count", 1, kMostCount));
  return f;
}

std::vector<std::uint64_t> extent_from(const json& array) {
  std::vector<std::uint64_t> extent;
  for (const json& size : array) {
    if (extent.size() < 3) extent.push_back(whole(size, kMostCount));
  }
  return extent;
}

KernelReport kernel_from(const json& j, const std::string& prefix) {
  KernelReport k;
  k.name = cut(j.at("name"));
  k.launches = whole(j.at("launches"), kMostCount);
  k.grid = extent_from(j.at("grid"));
  k.block = extent_from(j.at("block"));
  k.counters = counters_from(j.at("counters"));
  k.file = cut(replace_all(j.value("file", ""), prefix, ""));
  k.occupancy_limiter = cut(j.value("occupancy_limiter", ""), kLongestWord);
  for (const json& shape : j.value("shapes", json::array())) {
    if (k.shapes.size() < kMostShapes) k.shapes.push_back(cost_from(shape.at("cost")));
  }
  for (const json& line : j.value("lines", json::array())) {
    if (k.lines.size() == kMostLines) break;
    KernelLine l;
    l.file = cut(replace_all(line.at("file").get<std::string>(), prefix, ""));
    l.line = static_cast<std::uint32_t>(whole(line.at("line"), kMostLine));
    l.counters = counters_from(line.at("counters"));
    std::erase_if(l.counters, [](const auto& entry) { return entry.second == 0; });
    l.cost = cost_from(line.value("cost", json::object()));
    k.lines.push_back(std::move(l));
  }
  return k;
}

/// The part of a kernel that reached an output: other counters, the rest as in `all`.
KernelReport reaching_from(const json& j, const KernelReport& all) {
  KernelReport k = all;
  k.lines.clear();
  k.launches = whole(j.at("launches"), kMostCount);
  k.grid = extent_from(j.at("grid"));
  k.block = extent_from(j.at("block"));
  for (const auto& [name, value] : counters_from(j.at("counters"))) {
    if (const auto it = k.counters.find(name); it != k.counters.end()) it->second = value;
  }
  return k;
}

warpsim::SourceLine source_line(const json& j, const std::string& prefix) {
  return {.file = cut(replace_all(j.at("file").get<std::string>(), prefix, "")),
          .line = static_cast<std::uint32_t>(whole(j.at("line"), kMostLine))};
}

warpsim::OutputWriter writer_from(const json& j, const std::string& prefix) {
  warpsim::OutputWriter w;
  const std::string kind = j.at("kind");
  const auto found = std::ranges::find(warpsim::kWriterKinds, kind);
  if (found != warpsim::kWriterKinds.end()) {
    w.kind = static_cast<warpsim::WriterKind>(found - warpsim::kWriterKinds.begin());
  }
  w.name = cut(j.at("name"));
  w.launch = whole(j.at("launch"), kMostCount);
  w.from = source_line(j, prefix);
  w.bytes = whole(j.at("bytes"), kMostCount);
  w.varied = j.at("varied");
  for (const json& input : j.at("inputs")) {
    if (w.inputs.size() < kMostArrays) w.inputs.push_back(cut(input, kLongestWord));
  }
  w.host_bytes = whole(j.at("host_bytes"), kMostCount);
  w.unexplained_bytes = whole(j.at("unexplained_bytes"), kMostCount);
  return w;
}

warpsim::CallReport call_from(const json& j, const std::string& prefix) {
  warpsim::CallReport call;
  call.followed = j.at("followed");
  for (const json& output : j.at("outputs")) {
    if (call.outputs.size() == kMostArrays) break;
    warpsim::OutputOrigin& origin = call.outputs.emplace_back();
    origin.name = cut(output.at("name"), kLongestWord);
    origin.bytes = whole(output.at("bytes"), kMostCount);
    for (const json& writer : output.at("writers")) {
      if (origin.writers.size() < kMostArrays)
        origin.writers.push_back(writer_from(writer, prefix));
    }
    origin.more_writers = whole(output.at("more_writers"), kMostCount);
  }
  for (const json& copy : j.at("input_copies")) {
    if (call.input_copies.size() == kMostArrays) break;
    call.input_copies.push_back({.input = cut(copy.at("input"), kLongestWord),
                                 .api = cut(copy.at("api"), kLongestWord),
                                 .from = source_line(copy, prefix),
                                 .bytes = whole(copy.at("bytes"), kMostCount)});
  }
  return call;
}

std::string lane_of(const json& operation, bool several_devices) {
  const std::uint64_t device = whole(operation.at("device"), kMostCount);
  const std::string prefix = several_devices ? "device " + std::to_string(device) + " " : "";
  if (operation.at("kind") == "host-wait") return "host";
  const std::uint64_t stream = whole(operation.at("stream"), kMostCount);
  return stream == 0 ? prefix + "default stream" : prefix + "stream " + std::to_string(stream);
}

std::string engine_lane(const std::string& engine, const json& device, bool several_devices) {
  if (!several_devices) return "engine " + engine;
  return "engine " + engine + " " + std::to_string(whole(device, kMostCount));
}

/// Every operation is shown in its stream and on its engine, a copy between devices on both
/// engines.
CallTimeline timeline_from(const json& j) {
  constexpr std::size_t kMostBars = 400;
  const auto time = [](const json& value) { return std::clamp(value.get<double>(), 0.0, 1e12); };
  CallTimeline timeline;
  double begin = 0;
  timeline.ms = time(j.at("end_ms"));
  if (const auto call = j.find("call"); call != j.end()) {
    begin = time(call->at("begin_ms"));
    timeline.ms = time(call->at("end_ms")) - begin;
  }
  timeline.ms = std::max(timeline.ms, 0.0);
  timeline.overlap_ms = time(j.at("overlap_ms"));
  constexpr std::size_t kEnginesOfOne = 3;
  const bool several = j.at("engines").size() > kEnginesOfOne;
  for (const json& operation : j.at("operations")) {
    TimelineBar bar{.lane = lane_of(operation, several),
                    .kind = cut(operation.at("kind"), kLongestWord),
                    .name = cut(operation.at("name"), kLongestWord),
                    .begin_ms = std::max(0.0, time(operation.at("begin_ms")) - begin),
                    .end_ms = std::max(0.0, time(operation.at("end_ms")) - begin)};
    if (timeline.bars.size() + 3 > kMostBars) break;
    timeline.bars.push_back(bar);
    const std::string engine = cut(operation.at("engine"), kLongestWord);
    if (engine == "none") continue;
    const auto to_device = operation.find("to_device");
    const bool between = to_device != operation.end();
    bar.lane = engine_lane(engine, operation.at(between ? "from_device" : "device"), several);
    timeline.bars.push_back(bar);
    if (!between) continue;
    bar.lane = engine_lane("copy-to-device", *to_device, several);
    timeline.bars.push_back(std::move(bar));
  }
  return timeline;
}

}  // namespace

double modelled_time(const EmulatorReport& report, bool on_timeline) {
  if (!on_timeline) return report.total(kTimeMetric);
  return report.timeline ? report.timeline->ms : 0;
}

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

bool is_own(const std::string& file) {
  return !file.empty() && !file.starts_with('/');
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
    report.device = cut(document.at("device").at("name"), kLongestWord);
    for (const json& kernel : document.at("kernels")) {
      if (report.kernels.size() == kMostKernels) break;
      report.kernels.push_back(kernel_from(kernel, prefix));
      if (const auto it = kernel.find("reaching"); it != kernel.end()) {
        if (!report.reaching) report.reaching.emplace();
        if (report.kernels.size() != report.reaching->size() + 1) return std::nullopt;
        KernelReport reaching = reaching_from(*it, report.kernels.back());
        report.reaching->push_back(std::move(reaching));
      }
    }
    if (report.reaching && report.reaching->size() != report.kernels.size()) {
      return std::nullopt;
    }
    if (const auto it = document.find("call"); it != document.end()) {
      report.call = call_from(*it, prefix);
    }
    for (const char* key : {"call_transfers", "transfers"}) {
      const auto it = document.find(key);
      if (it == document.end()) continue;
      report.transfers = counters_from(*it);
      break;
    }
    if (const auto it = document.find("timeline"); it != document.end()) {
      report.timeline = timeline_from(*it);
    }
    for (const json& finding : document.at("findings")) {
      if (report.findings.size() >= kMostFindings) break;
      report.findings.push_back(finding_from(finding, prefix));
      if (warpsim::find_finding_kind(report.findings.back().kind) == nullptr) {
        return std::nullopt;  // not written by our emulator
      }
    }
    for (const json& change : document.value("changes", json::array())) {
      if (report.changes.size() >= kMostChanges) break;
      report.changes.push_back({.change = cut(change.at("change")),
                                .places = whole(change.at("places"), kMostCount),
                                .outside_branch = change.at("outside_branch").get<bool>(),
                                .possible = change.at("problem").get<std::string>().empty()});
    }
    return report;
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

}  // namespace warpgrade
