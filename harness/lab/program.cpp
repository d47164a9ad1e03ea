#include "harness/lab/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <stdexcept>
#include <utility>

#include "harness/core/toml_table.h"
#include "harness/lab/checks.h"
#include "harness/lab/lab.h"
#include "harness/lab/read_comparison.h"
#include "harness/lab/read_sparse.h"

namespace warpgrade {

namespace {

const std::vector<std::string> kFileRoles = {"input", "output"};  // in the order of Role
constexpr std::string_view kProgramSparse = "[[program.sparse]]";

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
  file.format = named_or(row, "format",
                         parameter.type == ElementType::character
                             ? FileFormat::text
                             : format_of_name(file.at).value_or(FileFormat::numbers));
  if (const std::string why = format_problem(file.format, parameter.type, parameter.shape.size());
      !why.empty()) {
    row.fail(row.has("format") ? "format" : "type", why);
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

void read_file_row(TomlTable& row, const std::vector<Dataset>& datasets, Lab& lab) {
  Parameter parameter;
  parameter.name = row.string("name");
  row.set_title(fmt::format("[[program.file]] \"{}\"", parameter.name));
  if (!is_type_name(parameter.name)) {
    row.fail("name", fmt::format("'{}' must be letters, digits and _", parameter.name));
  }
  for (const Parameter& other : lab.parameters) {
    if (other.name == parameter.name) {
      row.fail("name", fmt::format("'{}' occurs twice; rename one", parameter.name));
    }
  }
  parameter.role = static_cast<Role>(row.choice("role", kFileRoles));
  parameter.type = static_cast<ElementType>(row.choice("type", element_type_names()));
  parameter.memory = Memory::host;
  if (row.has("of")) {
    read_sparse_part(row, kProgramSparse, lab, parameter);
  } else {
    parameter.shape = row.expressions("shape");
    for (const Expression& extent : parameter.shape) check_dims(row, "shape", extent, datasets);
  }
  lab.program->files.push_back(read_place(row, parameter, lab));
  if (parameter.is_written()) {
    const bool has_form = row.has("form");
    read_comparison(row, datasets, parameter);
    if (!has_form && lab.program->files.back().format == FileFormat::text) {
      parameter.comparison.form = OutputForm::text;
    }
  }
  row.finish();
  lab.parameters.push_back(std::move(parameter));
}

/// Every {name} in the words is a file, or a dim or setting of the datasets.
void check_arguments(const TomlTable& table, const std::vector<std::string>& words, const Lab& lab,
                     const std::vector<Dataset>& datasets) {
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
      for (const Dataset& dataset : datasets) {
        if (dataset.dims.contains(name)) continue;
        std::vector<std::string> known;
        for (const Parameter& parameter : lab.parameters) known.push_back(parameter.name);
        for (const auto& [dim, extent] : dataset.dims) known.push_back(dim);
        table.fail("arguments",
                   fmt::format("{{{}}} is neither a [[program.file]] nor a dim of dataset '{}'; {}",
                               name, dataset.name, suggestion(name, known)));
      }
    }
  }
}

/// What a case's dataset gives as files: one for each input that it does not generate, and what is
/// expected.
void check_given(const TomlTable& row, const Lab& lab, const Dataset& data) {
  std::vector<std::string> known;
  for (const Parameter& parameter : lab.parameters) known.push_back(parameter.name);
  for (const auto& [name, file] : data.given) {
    check_known(row, "dataset", name, known,
                fmt::format("dataset '{}': given [[program.file]]", data.name));
  }
  for (const auto& [name, fill] : data.fills) {
    const auto parameter =
        std::find_if(lab.parameters.begin(), lab.parameters.end(),
                     [&name = name](const Parameter& candidate) { return candidate.name == name; });
    if (parameter == lab.parameters.end() || fill.given == nullptr) continue;
    if (fill.given->kind == GivenData::Kind::image && is_float(parameter->type) &&
        lab.program->file_of(name).format == FileFormat::image) {
      row.fail(
          "dataset",
          fmt::format("dataset '{}': inputs.{} is an image, whose pixels are 0 to 1 as {}, and "
                      "0 to 255 in a file; write given.{} = {{ file = ... }}, or type = \"u8\"",
                      data.name, name, name_of(parameter->type), name));
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

void read_program(TomlTable table, const std::vector<Dataset>& datasets, Lab& lab) {
  lab.function = "main";
  lab.program.emplace();
  for (TomlTable& row : table.tables("sparse"))
    read_sparse_matrix(row, kProgramSparse, datasets, lab);
  for (TomlTable& row : table.tables("file")) read_file_row(row, datasets, lab);
  check_groups(table, lab);
  lab.program->arguments = table.strings_or_none("arguments");
  check_arguments(table, lab.program->arguments, lab, datasets);
  table.finish();
}

ProgramCase read_program_case(TomlTable& row, const Lab& lab, const Dataset& data) {
  ProgramCase program;
  if (!lab.program) {
    if (!data.given.empty()) {
      row.fail("dataset",
               fmt::format("dataset '{0}' has 'given', which is for labs with [program]; write "
                           "inputs.{1} = {{ file = ... }} instead of given.{1}",
                           data.name, data.given.begin()->first));
    }
    return program;
  }
  if (row.has("arguments")) {
    program.arguments = row.strings("arguments");
    check_arguments(row, *program.arguments, lab, {data});
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
  check_given(row, lab, data);
  return program;
}

std::string filled_word(const std::string& word, const Lab& lab, const Dataset& data) {
  std::string text;
  std::size_t at = 0;
  while (at < word.size()) {
    const std::size_t end = word[at] == '{' ? word.find('}', at) : word.npos;
    if (end == word.npos) {
      text += word[at++];
      continue;
    }
    const std::string name = word.substr(at + 1, end - at - 1);
    const auto dim = data.dims.find(name);
    const auto setting = std::find_if(lab.settings.begin(), lab.settings.end(),
                                      [&](const Setting& s) { return s.name == name; });
    if (dim == data.dims.end()) {
      text += lab.program->file_of(name).at;
    } else if (setting == lab.settings.end()) {
      text += std::to_string(dim->second);
    } else {
      text += setting->values.at(static_cast<std::size_t>(dim->second));
    }
    at = end + 1;
  }
  return text;
}

}  // namespace warpgrade
