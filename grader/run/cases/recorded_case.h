#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/build/compile/build.h"
#include "grader/record/grade/grade.h"
#include "grader/run/session/lab_session.h"
#include "harness/case/case.h"

namespace warpgrade {

/// What the blocks of a visible case did that its findings name, or else block 0.
struct RecordedCase {
  std::string name;  // of the case
  std::string bytes;  // emulator/recording: checked, with the text of the sources
  std::string block;  // the first one: "block (4,0,0)"
  bool has_findings = false;
  std::vector<std::uint32_t> lines;  // that its blocks executed, in any file; sorted
};

/// Runs a case once more on the emulator and records it.
/// @param spec     visible, since a recording has values of its data
/// @param scratch  a folder for the run, which is removed
/// @param what     as `warpsim --record-what`, see check_what_to_record(); empty: its default
/// @returns nothing if the program did not come to a kernel
[[nodiscard]] std::optional<RecordedCase> record_case(LabSession& session, const BuildResult& build,
                                                      const Case& spec,
                                                      const std::vector<SourceFile>& sources,
                                                      const std::filesystem::path& scratch,
                                                      const std::string& what = "");

/// A recording with the text of its sources; empty if it is damaged or has no block: the process
/// that wrote it ran students' kernels.
[[nodiscard]] std::string with_sources(const std::string& bytes,
                                       const std::vector<SourceFile>& sources);

constexpr std::uint64_t kMostRecordingBytes = std::uint64_t{4} << 20;
/// Whether a file's content is a whole recording.
[[nodiscard]] bool is_recording(std::string_view bytes);

/// @throws UsageError  if the text does not say what to record
void check_what_to_record(const std::string& what);

}  // namespace warpgrade
