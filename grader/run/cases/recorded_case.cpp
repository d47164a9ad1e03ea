#include "grader/run/cases/recorded_case.h"

#include <sstream>
#include <stdexcept>

#include "emulator/recording/recording.h"
#include "emulator/recording/sources.h"
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

}  // namespace

std::optional<RecordedCase> record_case(LabSession& session, const BuildResult& build,
                                        const Case& spec, const std::vector<SourceFile>& sources,
                                        const fs::path& scratch) {
  if (!spec.visible) {
    throw std::logic_error("a hidden case is never recorded");
  }
  Device device = session.device();
  if (device.kind != DeviceKind::emulator) {
    device = session.emulator();
    device.sandbox = session.device().sandbox;
  }
  const PreparedCase prepared = prepare_case(session.data(spec, Secret{}), scratch / "recorded");
  const std::string bytes = run_recorded(build.program, prepared, device, build.source_folder);
  remove_tree(scratch / "recorded");
  if (bytes.empty()) {
    return std::nullopt;
  }
  // The process that wrote it ran the submission's kernels.
  try {
    recording::Recording recorded = recording::decode(bytes);
    if (recorded.blocks.empty()) {
      return std::nullopt;
    }
    add_texts(recorded, sources);
    return RecordedCase{.name = spec.name, .bytes = recording::encode(recorded)};
  } catch (const recording::BadRecording&) {
    return std::nullopt;
  }
}

}  // namespace warpgrade
