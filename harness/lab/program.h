#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/formats/formats.h"

namespace warpgrade {

class TomlTable;
struct Lab;
struct Dataset;

/// Where a program of a lab with [program] reads an input or leaves an output. There is one for
/// each array of lab.parameters, in the same order.
struct ProgramFile {
  std::string parameter;
  std::string at;  // a file's name in the working folder, or kStdin or kStdout
  FileFormat format = FileFormat::numbers;
  /// The numbers of a text output are the first groups of its lines that this regular expression
  /// (ECMAScript) matches; empty: all of the text is numbers.
  std::string line;
  double absolute = 0;  // added to an output's error bounds: for decimals that are printed
  double relative = 0;  // the same, times |want|
};

inline constexpr std::string_view kStdin = "stdin";
inline constexpr std::string_view kStdout = "stdout";

/// [program]: the student writes main(), which reads files and standard input and leaves files and
/// standard output.
struct Program {
  /// Words of the command line. {name} is the file of an input or output, a dim, or a setting: the
  /// name of its value if it has one.
  std::vector<std::string> arguments;
  std::vector<ProgramFile> files;

  /// That of a parameter, which must have one.
  [[nodiscard]] const ProgramFile& file_of(std::string_view parameter) const;
  [[nodiscard]] bool reads_stdin() const;
  [[nodiscard]] bool writes_stdout() const;
};

/// What a case of a program adds to its data.
struct ProgramCase {
  std::optional<std::vector<std::string>> arguments;  // instead of the program's
  int exit_code = 0;  // that it must have
  std::vector<std::string> prints;  // regular expressions: each matches a line of standard output
  std::vector<std::string> never_prints;  // these match none
};

/// Reads [program] into lab.program, and its files into lab.parameters.
/// @throws LabError
void read_program(TomlTable table, const std::vector<Dataset>& datasets, Lab& lab);

/// Reads the keys of a [[case]] that only programs have; for other labs checks that its dataset has
/// no files.
/// @throws LabError
[[nodiscard]] ProgramCase read_program_case(TomlTable& row, const Lab& lab, const Dataset& data);

/// A word of the command line with its {names} replaced.
[[nodiscard]] std::string filled_word(const std::string& word, const Lab& lab, const Dataset& data);

}  // namespace warpgrade
