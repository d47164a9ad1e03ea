#pragma once

#include <memory>
#include <string>
#include <vector>

#include "grader/core/installation.h"
#include "grader/run/session/lab_session.h"
#include "grader/run/session/run_options.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// Loads a lab by its id, or its form in Python by "<id>/python".
/// @throws UsageError  for an unknown id, naming the closest one and all others, and for a lab that
///                     has no such form
/// @throws LabError    if its files are invalid
[[nodiscard]] Lab load_lab_by_id(const Installation& installation, const std::string& name);

/// The same for commands that run programs.
/// @throws UsageError  also for a lab that consists of questions
[[nodiscard]] Lab load_code_lab(const Installation& installation, const std::string& id);

/// `id`, or all labs that have code if it is empty.
[[nodiscard]] std::vector<std::string> code_labs(const Installation& installation,
                                                 const std::string& id);

/// What programs are compiled with and run on.
struct Workplace {
  Toolchain toolchain;
  Device device;
};

/// The toolchain, device and sandbox of this machine. If an automatic sandbox finds none, a note on
/// stderr says so.
/// @throws EnvironmentError  says what is missing
[[nodiscard]] Workplace find_workplace(const Installation& installation, const RunOptions& options);

/// Everything that grading a lab on this machine needs. If an automatic sandbox finds none, a note
/// on stderr says so.
/// @throws EnvironmentError  says what is missing
[[nodiscard]] std::unique_ptr<LabSession> open_session(const Installation& installation, Lab lab,
                                                       const RunOptions& options);

}  // namespace warpgrade
