#include "grader/run/cases/recorded_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <stdexcept>

#include "emulator/recording/recording.h"
#include "emulator/recording/selection.h"
#include "emulator/recording/sources.h"
#include "grader/core/error.h"
#include "grader/core/remove_tree.h"
#include "grader/run/worker/decoy_run.h"
#include "grader/run/worker/undisturbed.h"
#include "harness/case/request.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace recording = warpsim::recording;
namespace {

void add_texts(recording::Recording& recorded, const std::vector<SourceFile>& sources) {
  for (std::uint32_t number = 1; number <= recorded.files.size(); ++number) {
    for (const SourceFile& source : sources) {
      if (fs::path(source.name).filename() != recorded.files[number - 1].name) {
        continue;
      }
      std::istringstream text(source.text);
      recording::add_text(recorded, number, text);
      break;
    }
  }
}

/// @returns nothing if it is damaged or has no block
std::optional<recording::Recording> checked(std::string_view bytes,
                                            const std::vector<SourceFile>& sources) {
  if (bytes.empty()) return std::nullopt;
  try {
    recording::Recording recorded = recording::decode(bytes);
    if (recorded.blocks.empty()) return std::nullopt;
    add_texts(recorded, sources);
    return recorded;
  } catch (const recording::BadRecording&) {
    return std::nullopt;
  }
}

bool has_findings(const recording::Recording& recorded) {
  return std::ranges::any_of(recorded.blocks,
                             [](const auto& block) { return !block.findings.empty(); });
}

std::vector<std::uint32_t> lines_of(const recording::Recording& recorded) {
  std::set<std::uint32_t> lines;
  for (const recording::Block& block : recorded.blocks) {
    for (const recording::Instruction& instruction : block.instructions) {
      if (instruction.line != 0) {
        lines.insert(instruction.line);
      }
    }
  }
  return {lines.begin(), lines.end()};
}

}  // namespace

void check_what_to_record(const std::string& what) {
  std::string error;
  if (!recording::parse_selection(what, error)) {
    throw UsageError(error);
  }
}

bool is_recording(std::string_view bytes) {
  return checked(bytes, {}).has_value();
}

std::string with_sources(const std::string& bytes, const std::vector<SourceFile>& sources) {
  const std::optional<recording::Recording> recorded = checked(bytes, sources);
  return recorded ? recording::encode(*recorded) : std::string();
}

std::optional<RecordedCase> record_case(LabSession& session, const BuildResult& build,
                                        const Case& spec, const std::vector<SourceFile>& sources,
                                        const fs::path& scratch, const std::string& what) {
  if (!spec.visible) {
    throw std::logic_error("a hidden case is never recorded");
  }
  Device device = session.device();
  if (device.kind != DeviceKind::emulator) {
    device = session.emulator();
    device.sandbox = session.device().sandbox;
  }
  const PreparedCase prepared = prepare_case(session.data(spec, Secret{}), scratch / "recorded");
  const std::string bytes =
      run_recorded(build.program, prepared, device, build.source_folder, what);
  remove_tree(scratch / "recorded");
  const std::optional<recording::Recording> recorded = checked(bytes, sources);
  if (!recorded) return std::nullopt;
  return RecordedCase{.name = spec.name,
                      .bytes = recording::encode(*recorded),
                      .block = fmt::format("block ({})", fmt::join(recorded->blocks[0].id, ",")),
                      .has_findings = has_findings(*recorded),
                      .lines = lines_of(*recorded)};
}

}  // namespace warpgrade
