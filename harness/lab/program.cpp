#include "harness/lab/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <stdexcept>
#include <utility>

#include "harness/core/closest.h"
#include "harness/core/toml_table.h"
#include "harness/lab/lab.h"

namespace warpgrade {

namespace {

const std::vector<std::string> kFileRoles = {"input", "output"};  // in the order of Role
const std::vector<std::string> kFileTypes = {"i8",  "u8",  "i16", "u16", "i32",
                                             "u32", "i64", "u64", "f32", "f64"};

bool is_stream(std::string_view name) {
  return name == kStdin || name == kStdout;
}

/// A file directly in the working folder.
bool is_plain_name(const std::string& name) {
  return !name.empty() && name.size() <= 100 && name.front() != '.' && name.front() != '-' &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '_' || c == '-' || c == '.';
         });
}

void check_regex(const TomlTable& table, std::string_view key, const std::string& text) {
  try {
    (void)std::regex(text);
  } catch (const std::regex_error& error) {
    table.fail(
        key, fmt::format("'{}' is not a regular expression ({}); correct it", text, error.what()));
  }
}

std::vector<std::string> read_regexes(TomlTable& row, std::string_view key) {
  std::vector<std::string> patterns = row.strings_or_none(key);
  for (const std::string& pattern : patterns) check_regex(row, key, pattern);
  return patterns;
}

double read_allowance(TomlTable& row, std::string_view key) {
  const double value = row.number_or(key, 0);
  if (!(value >= 0 && value < 1e300)) {
    row.fail(key, fmt::format("'{}' is {}; it must be 0 or more", key, value));
  }
  return value;
}

/// Where a parameter's file is, and how it is written.
ProgramFile read_place(TomlTable& row, const Parameter& parameter, const Lab& lab) {
  const bool is_input = parameter.role == Role::input;
  const auto names = file_format_names();
  const std::vector<std::string> formats(names.begin(), names.end());
  ProgramFile file;
  file.parameter = parameter.name;
  file.at = row.string_or("at", parameter.name + ".raw");
  if (is_stream(file.at) ? (file.at == kStdin) != is_input : !is_plain_name(file.at)) {
    row.fail("at",
             fmt::format("'{}' is not a place for an {}; write a file's name without a "
                         "folder, or \"{}\"",
                         file.at, is_input ? "input" : "output", is_input ? kStdin : kStdout));
  }
  for (const ProgramFile& other : lab.program->files) {
    if (other.at == file.at && other.parameter != parameter.name &&
        (file.at != kStdout || row.string_or("line", "").empty() || other.line.empty())) {
      row.fail("at", fmt::format("'{}' is also where '{}' is; give each its own place", file.at,
                                 other.parameter));
    }
  }
  file.format = static_cast<FileFormat>(row.choice_or(
      "format", formats,
      static_cast<std::size_t>(format_of_name(file.at).value_or(FileFormat::numbers))));
  if (const std::string why = format_problem(file.format, parameter.type, parameter.shape.size());
      !why.empty()) {
    row.fail(row.has("format") ? "format" : "at", fmt::format("{}; correct shape or type", why));
  }
  file.line = row.string_or("line", "");
  check_regex(row, "line", file.line);
  if (!file.line.empty() && (is_input || file.format != FileFormat::numbers)) {
    row.fail("line", "'line' is for outputs whose format is \"numbers\"; remove it");
  }
  file.absolute = read_allowance(row, "absolute");
  file.relative = read_allowance(row, "relative");
  return file;
}

void read_file_row(TomlTable& row, Lab& lab, const DimsCheck& check_dims) {
  Parameter parameter;
  parameter.name = row.string("name");
  row.set_title(fmt::format("[[program.file]] \"{}\"", parameter.name));
  if (!is_plain_name(parameter.name) || parameter.name.find('.') != std::string::npos) {
    row.fail("name", fmt::format("'{}' must be letters, digits and _", parameter.name));
  }
  for (const Parameter& other : lab.parameters) {
    if (other.name == parameter.name) {
      row.fail("name", fmt::format("'{}' occurs twice; rename one", parameter.name));
    }
  }
  parameter.role = static_cast<Role>(row.choice("role", kFileRoles));
  parameter.type = static_cast<ElementType>(row.choice("type", kFileTypes));
  parameter.memory = Memory::host;
  parameter.shape = row.expressions("shape");
  for (const Expression& extent : parameter.shape) check_dims(row, "shape", extent);
  lab.program->files.push_back(read_place(row, parameter, lab));
  row.finish();
  lab.parameters.push_back(std::move(parameter));
}

/// Every {name} in the words is a file or a dim.
void check_arguments(const TomlTable& table, const std::vector<std::string>& words, const Lab& lab,
                     const DimsCheck& check_dims) {
  for (const std::string& word : words) {
    for (std::size_t at = word.find('{'); at != word.npos; at = word.find('{', at + 1)) {
      const std::size_t end = word.find('}', at);
      if (end == word.npos) {
        table.fail("arguments", fmt::format("'{}' has a {{ without a }}; close it", word));
      }
      const std::string name = word.substr(at + 1, end - at - 1);
      const bool is_file =
          std::any_of(lab.parameters.begin(), lab.parameters.end(),
                      [&](const Parameter& parameter) { return parameter.name == name; });
      if (is_file && is_stream(lab.program->file_of(name).at)) {
        table.fail("arguments", fmt::format("'{}' is {}, which has no file name; remove {{{}}}",
                                            name, lab.program->file_of(name).at, name));
      }
      if (is_file) continue;
      try {
        check_dims(table, "arguments", Expression(name));
      } catch (const ExpressionError&) {
        table.fail("arguments",
                   fmt::format("{{{}}} is neither a [[program.file]] nor a dim", name));
      }
    }
  }
}

}  // namespace

const ProgramFile& Program::file_of(std::string_view parameter) const {
  const auto found = std::find_if(files.begin(), files.end(), [&](const ProgramFile& file) {
    return file.parameter == parameter;
  });
  if (found == files.end()) throw std::logic_error("a parameter without a file");
  return *found;
}

bool Program::reads_stdin() const {
  return std::any_of(files.begin(), files.end(),
                     [](const ProgramFile& file) { return file.at == kStdin; });
}

bool Program::writes_stdout() const {
  return std::any_of(files.begin(), files.end(),
                     [](const ProgramFile& file) { return file.at == kStdout; });
}

void read_program(TomlTable table, Lab& lab, const DimsCheck& check_dims) {
  lab.function = "main";
  lab.program.emplace();
  for (TomlTable& row : table.tables("file")) read_file_row(row, lab, check_dims);
  lab.program->arguments = table.strings_or_none("arguments");
  check_arguments(table, lab.program->arguments, lab, check_dims);
  table.finish();
}

ProgramCase read_program_case(TomlTable& row, const Lab& lab, const Dataset& data) {
  ProgramCase program;
  if (!lab.program) return program;
  if (row.has("arguments")) {
    program.arguments = row.strings("arguments");
    check_arguments(row, *program.arguments, lab,
                    [&](const TomlTable& table, std::string_view key, const Expression& formula) {
                      for (const std::string& name : formula.names()) {
                        if (data.dims.contains(name)) continue;
                        table.fail(key, fmt::format("{{{}}} is neither a [[program.file]] nor a "
                                                    "dim of dataset '{}'",
                                                    name, data.name));
                      }
                    });
  }
  const std::int64_t code = row.integer_or("exit_code", 0);
  if (code < 0 || code > 127) {
    row.fail("exit_code", fmt::format("'exit_code' is {}; it must be 0 to 127", code));
  }
  program.exit_code = static_cast<int>(code);
  program.prints = read_regexes(row, "prints");
  program.never_prints = read_regexes(row, "never_prints");
  const bool has_output = std::any_of(lab.parameters.begin(), lab.parameters.end(),
                                      [](const Parameter& p) { return p.is_written(); });
  if (!has_output && program.prints.empty() && code == 0) {
    row.fail("prints",
             "nothing says what is right: add a [[program.file]] with role = \"output\", or "
             "prints = [\"PASSED\"] to the case");
  }
  std::vector<std::string> known;
  for (const Parameter& parameter : lab.parameters) known.push_back(parameter.name);
  for (const auto& [name, given] : data.given) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string near = closest(name, known);
    row.fail(
        "dataset",
        fmt::format("dataset '{}' gives '{}', which is not a [[program.file]]; {}", data.name, name,
                    near.empty() ? "remove it" : fmt::format("did you mean '{}'?", near)));
  }
  return program;
}

}  // namespace warpgrade
