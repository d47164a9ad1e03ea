#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "grader/process/followed.h"
#include "grader/serve/store/store.h"

namespace warpgrade {

/// `warpgrade check`, which compiles and runs submissions in the sandbox: the server itself never
/// does.
struct CheckProgram {
  std::string program;  // path of warpgrade
  std::vector<std::string> options;  // "--device", "emulator"
  std::vector<std::string> run_options;  // of `warpgrade run`, for the playground
  bool of_class = false;  // checks are not recorded as those of the server's user
};

struct CheckOutcome {
  bool stopped = false;  // because of `stop`
  std::string problem;  // why there is no result, a sentence; empty if there is one
  AttemptResult result;
};

/// Checks files as a lab's submission, or runs those of the playground, in a process of its own.
/// @param on_step  gets "case 3 of 12"
/// @throws EnvironmentError  if no process or folder can be created
[[nodiscard]] CheckOutcome run_check(const CheckProgram& program, const std::string& lab,
                                     const FileSet& files,
                                     const std::function<void(const std::string&)>& on_step,
                                     const std::atomic<bool>& stop);

/// What `warpgrade check --format json` prints, or as_json() gives, without the report. A program
/// of the playground has no points.
/// @throws nlohmann::json::exception
[[nodiscard]] AttemptResult result_from(const std::string& json);

/// Why a program failed: its error message with all its lines, the headline of its JSON, or its
/// last line that is not about progress.
[[nodiscard]] std::string why_failed(const FollowedEnd& end);

/// Why an attempt failed, and the last step that it had begun, as one text.
[[nodiscard]] std::string with_step(const std::string& why, const std::string& step);

/// The parts of such a text.
struct FailedAttempt {
  std::string why;
  std::string step;  // "case 3 of 12"; empty if none is known
};
[[nodiscard]] FailedAttempt failed_from(const std::string& text);

}  // namespace warpgrade
