#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/case/case.h"

namespace warpgrade {

/// How a program of a lab with [program] is run: its parent lays out a case's files and, when the
/// program has ended, records that.
struct ProgramCommand {
  std::vector<std::string> arguments;
  std::filesystem::path folder;  // its working folder, the only one it may write to
  std::filesystem::path input;  // its standard input; empty: none
  std::size_t output_bytes = 0;  // to keep of its standard output; 0: as of other programs
};

/// The contents of a case's inputs, by file name; kStdin for standard input.
/// @param data  its inputs are enough
[[nodiscard]] std::vector<std::pair<std::string, std::string>> input_files(const CaseData& data);

/// The words of the command line after the program's name.
[[nodiscard]] std::vector<std::string> program_arguments(const Lab& lab, const Case& spec);

/// Writes the files of a case into `folder`: inputs into <folder>/files, which is the program's and
/// has nothing else, standard input beside it.
/// @throws LabError  if a dataset's file is not of its format
/// @throws std::filesystem::filesystem_error
void lay_out_program(const CaseData& data, const std::filesystem::path& folder);

/// The command of a case that is laid out there; nothing for labs with functions.
[[nodiscard]] std::optional<ProgramCommand> program_command(const PreparedCase& prepared);

/// What its parent saw of a program that exited.
struct ProgramExit {
  int code = 0;
  std::string_view output;  // standard output
  bool output_cut = false;  // more was printed
  std::optional<std::uint64_t> input_read;  // bytes of standard input
};

/// Records the end of a program, where read_record() and judge_case() find it. The program can
/// write to neither.
void record_program(const PreparedCase& prepared, const ProgramExit& exit);

/// The bytes of an output's elements as a program left it in a case's folder; empty if it is
/// missing.
[[nodiscard]] std::string program_output(const CaseData& data, const Parameter& parameter,
                                         const std::filesystem::path& folder);

/// The same as an array; nothing if it is missing, or not a complete file of its format.
[[nodiscard]] std::optional<Array> complete_program_output(const CaseData& data,
                                                           const Parameter& parameter,
                                                           const std::filesystem::path& folder);

/// judge_case() for a program.
[[nodiscard]] CaseResult judge_program(const PreparedCase& prepared);

/// What a dataset gives of an input or output, as an array.
/// @throws LabError  if it is not of the file's format
[[nodiscard]] Array given_array(const Lab& lab, const Case& spec, const Parameter& parameter);
/// Whether the dataset gives what is expected of every output.
[[nodiscard]] bool gives_outputs(const Lab& lab, const Case& spec);
/// Adds, or replaces, the expected values that the dataset gives, with their bounds.
/// @throws LabError
void add_given_outputs(const Lab& lab, const Case& spec, std::map<std::string, Expected>& expected);
/// Adds `absolute` and `relative` of the outputs' files to the bounds.
void widen_bounds(const Lab& lab, std::map<std::string, Expected>& expected);

}  // namespace warpgrade
