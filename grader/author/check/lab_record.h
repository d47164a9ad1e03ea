#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/build/toolchain/compiler.h"
#include "harness/lab/lab.h"

namespace warpgrade {

/// A program of a lab that did what the lab says of it.
struct RecordedProgram {
  std::string source;  // a hash of its text
  std::vector<std::string> missed;  // concept checks that it failed
  double points = 0;
  double warp_instructions = 0;  // executed in the performance case; 0: no kernel was counted
};

/// What `lab check --record` wrote when everything about a lab held:
/// reference/<lab>/checked.<compiler>.json, a file that is committed. A program whose text and
/// whose lab have not changed need not run again to know that they fit together; that the emulator
/// and the grader still treat it as before is shown by running a share of the programs at a time
/// (is_sampled()).
struct LabRecord {
  std::string lab;  // identity_of_rules(): what decides about a program
  CompilerKind compiler = CompilerKind::nvcc;
  std::map<std::string, RecordedProgram> programs;  // by kind and name: "mutant/no_guard"

  /// Whether the program was recorded with this text.
  [[nodiscard]] bool has(const std::string& name, const std::string& source) const;
};

/// A hash of a program's text.
[[nodiscard]] std::string source_hash(std::string_view text);

/// Where the record of the lab with this kind of compiler is.
[[nodiscard]] std::filesystem::path record_file(const Lab& lab, CompilerKind compiler);

/// The record, if there is one for the lab as it is now, made with this kind of compiler.
/// @throws LabError  if the file is damaged
[[nodiscard]] std::optional<LabRecord> load_record(const Lab& lab, const std::string& identity,
                                                   CompilerKind compiler);

/// @throws EnvironmentError  if the file cannot be written
void store_record(const Lab& lab, const LabRecord& record);

/// Whether a recorded program belongs to the share, one in eight, that runs nevertheless.
/// @param seed  any text, such as a commit: another one selects others
[[nodiscard]] bool is_sampled(const std::string& name, const std::string& seed);

}  // namespace warpgrade
