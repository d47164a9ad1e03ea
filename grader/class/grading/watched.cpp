#include "grader/class/grading/watched.h"

#include <fmt/core.h>

#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/run/cases/recorded_case.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr const char* kFolder = "recording";
constexpr const char* kExtension = ".rec";

/// Files are <attempt>.<case>.rec.
std::string prefix_of(int attempt) {
  return fmt::format("{}.", attempt);
}

}  // namespace

WatchedCase watch_case(LabSession& of_lab, const Submission& submission, const Grade& grade,
                       BuiltSubmission& built) {
  LabSession& session = of_lab.for_files(submission.files);
  const Case* const spec = case_to_watch(session.lab(), grade);
  if (spec == nullptr || session.lab().program) {
    return {};
  }
  const BuildResult& build =
      built.result() != nullptr ? *built.result() : built.build(session, submission.files);
  if (!build.ok()) {
    return {};
  }
  auto recorded = record_case(session, build, *spec, submission.files, built.folder());
  return recorded ? WatchedCase{std::move(recorded->name), std::move(recorded->bytes)}
                  : WatchedCase{};
}

void keep_watched_case(const fs::path& folder, int attempt, const WatchedCase& watched) {
  std::error_code error;
  fs::remove_all(folder / kFolder, error);
  if (watched.bytes.empty()) {
    return;
  }
  write_file_atomically(folder / kFolder / (prefix_of(attempt) + watched.name + kExtension),
                        watched.bytes);
}

WatchedCase kept_watched_case(const fs::path& folder, int attempt) {
  const std::string prefix = prefix_of(attempt);
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder / kFolder, error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(prefix) || entry.path().extension() != kExtension) {
      continue;
    }
    std::string bytes;
    try {
      bytes = read_file(entry.path(), kMostRecordingBytes);
    } catch (const UsageError&) {
      continue;
    }
    if (is_recording(bytes)) {
      return {entry.path().stem().string().substr(prefix.size()), std::move(bytes)};
    }
  }
  return {};
}

}  // namespace warpgrade
