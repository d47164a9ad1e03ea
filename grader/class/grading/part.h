#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/build/toolchain/compiler.h"
#include "grader/class/table/gradebook.h"
#include "grader/run/device/device.h"

namespace warpgrade {

/// A share of a class that another process, on a node of a cluster, grades: `warpgrade grade` with
/// the same command line and --part.
struct Part {
  std::filesystem::path folder;  // of all parts
  std::size_t number = 0;
  CompilerRequest compiler = CompilerRequest::automatic;
  DeviceRequest device = DeviceRequest::emulator;
  std::vector<std::pair<std::string, std::string>> tasks;  // student and lab
};

void write_part(const Part& part);

/// @throws UsageError  if there is none, or it is damaged
[[nodiscard]] Part read_part(const std::filesystem::path& folder, std::size_t number);

/// Writes the result of a part's task `index`, after its grade.
void write_part_result(const Part& part, std::size_t index, const GradeRow& row);
[[nodiscard]] std::optional<GradeRow> find_part_result(const Part& part, std::size_t index);

}  // namespace warpgrade
