#include "harness/case/program_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <system_error>

#include "harness/case/request.h"
#include "harness/case/untrusted_file.h"
#include "harness/formats/formats.h"
#include "harness/golden/bounds.h"
#include "harness/lab/shapes.h"
#include "harness/tolerance/error_model.h"

namespace warpgrade {
namespace fs = std::filesystem;

namespace {

constexpr const char* kFiles = "files";  // the program's folder
constexpr const char* kInputFile = "stdin.bin";
constexpr std::size_t kStdoutBytes = std::size_t{16} << 20U;  // when it is an output

void write_text(const fs::path& file, std::string_view text) {
  errno = 0;
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.close();
  if (!out) {
    throw fs::filesystem_error("cannot write", file,
                               std::error_code(errno, std::generic_category()));
  }
}

/// Removes what an earlier run left. What cannot be removed, such as a folder that the program has
/// closed to everybody, must not stop the next run: it stays beside it until the case's folder
/// goes.
void set_aside(const fs::path& files) {
  std::error_code error;
  if (!fs::exists(fs::symlink_status(files, error))) return;
  const fs::path aside = files.string() + "-" + make_nonce();
  fs::rename(files, aside);
  fs::remove_all(aside, error);
}

/// The text of an input's file: as the dataset gives it, or generated.
std::string input_text(const CaseData& data, const ProgramFile& file) {
  const auto given = data.spec->data.given.find(file.parameter);
  if (given != data.spec->data.given.end()) return given->second.text;
  return write_format(file.format, data.inputs.at(file.parameter));
}

}  // namespace

Array given_array(const Lab& lab, const Case& spec, const Parameter& parameter) {
  const ProgramFile& file = lab.program->file_of(parameter.name);
  const GivenFile& given = spec.data.given.at(parameter.name);
  ReadArray read = read_format(file.format, parameter.type,
                               shape_of(lab, parameter, spec.data.dims), given.text, "");
  if (!read.problem.empty()) {
    throw LabError(fmt::format(
        "{}: '{}' of dataset '{}' {}; correct the {} or the dims",
        given.name.empty() ? fmt::format("datasets/{}.toml", lab.id) : given.name, parameter.name,
        spec.data.name, read.problem, given.name.empty() ? "text" : "file"));
  }
  return std::move(read.array);
}

bool gives_outputs(const Lab& lab, const Case& spec) {
  return std::all_of(lab.parameters.begin(), lab.parameters.end(), [&](const Parameter& p) {
    return !p.is_written() || spec.data.given.contains(p.name);
  });
}

void add_given_outputs(const Lab& lab, const Case& spec,
                       std::map<std::string, Expected>& expected) {
  for (const Parameter& parameter : lab.parameters) {
    if (!parameter.is_written() || !spec.data.given.contains(parameter.name)) continue;
    const Array array = given_array(lab, spec, parameter);
    Expected values;
    values.type = array.type;
    with_type(array.type, [&](auto zero) {
      using T = decltype(zero);
      for (const T value : array.as<T>()) {
        if constexpr (is_float_like<T>) {
          values.want.push_back(static_cast<double>(value));
          // The condition of a sum is not known: that of a result that is rounded once.
          values.bound.push_back(std::abs(static_cast<double>(value)));
        } else {
          values.exact.push_back(static_cast<std::int64_t>(value));
        }
      }
    });
    set_bounds(lab, spec, parameter, values);
    expected[parameter.name] = std::move(values);
  }
}

void widen_bounds(const Lab& lab, std::map<std::string, Expected>& expected) {
  for (auto& [name, output] : expected) {
    const ProgramFile& file = lab.program->file_of(name);
    if (file.absolute == 0 && file.relative == 0) continue;
    // A number with fewer digits than its type has is rounded once more when it is read.
    const double stored = storage_roundoff(output.type);
    const double reading = stored > 0                        ? stored
                           : output.type == ElementType::f32 ? unit_roundoff(Precision::f32)
                                                             : unit_roundoff(Precision::f64);
    for (std::size_t i = 0; i < output.bound.size(); ++i) {
      const double want = output.want[i];
      if (!std::isfinite(want)) continue;
      output.bound[i] += file.absolute + (file.relative + reading) * std::abs(want);
    }
  }
}

std::vector<std::pair<std::string, std::string>> input_files(const CaseData& data) {
  std::vector<std::pair<std::string, std::string>> files;
  for (const Parameter& parameter : data.lab->parameters) {
    if (!parameter.is_read()) continue;
    const ProgramFile& file = data.lab->program->file_of(parameter.name);
    files.emplace_back(file.at, input_text(data, file));
  }
  return files;
}

std::vector<std::string> program_arguments(const Lab& lab, const Case& spec) {
  std::vector<std::string> words;
  for (const std::string& word : spec.program.arguments.value_or(lab.program->arguments)) {
    words.push_back(filled_word(word, lab, spec.data));
  }
  return words;
}

void lay_out_program(const CaseData& data, const fs::path& folder) {
  set_aside(folder / kFiles);
  fs::create_directories(folder / kFiles);
  for (const auto& [name, text] : input_files(data)) {
    write_text(name == kStdin ? folder / kInputFile : folder / kFiles / name, text);
  }
}

std::optional<ProgramCommand> program_command(const PreparedCase& prepared) {
  const Lab& lab = *prepared.data->lab;
  if (!lab.program) return std::nullopt;
  const Case& spec = *prepared.data->spec;
  ProgramCommand command;
  command.arguments = program_arguments(lab, spec);
  command.folder = prepared.folder / kFiles;
  if (lab.program->reads_stdin()) command.input = prepared.folder / kInputFile;
  const bool is_compared = lab.program->writes_stdout() || !spec.program.prints.empty() ||
                           !spec.program.never_prints.empty();
  command.output_bytes = is_compared ? kStdoutBytes : 0;
  return command;
}

namespace {

/// A program's output, whether it is complete or not; nothing if it is missing or empty.
std::optional<ReadArray> read_program_output(const CaseData& data, const Parameter& parameter,
                                             const fs::path& folder) {
  const ProgramFile& file = data.lab->program->file_of(parameter.name);
  const fs::path path =
      file.at == kStdout ? folder / output_file(std::string(kStdout)) : folder / kFiles / file.at;
  const std::string text = read_untrusted_file(path, kLargestOutput).value_or("");
  if (text.empty()) return std::nullopt;
  return read_format(file.format, parameter.type,
                     shape_of(*data.lab, parameter, data.spec->data.dims), text, file.line);
}

}  // namespace

std::string program_output(const CaseData& data, const Parameter& parameter,
                           const fs::path& folder) {
  const std::optional<ReadArray> read = read_program_output(data, parameter, folder);
  if (!read) return {};
  return {reinterpret_cast<const char*>(read->array.bytes.data()), read->array.bytes.size()};
}

std::optional<Array> complete_program_output(const CaseData& data, const Parameter& parameter,
                                             const fs::path& folder) {
  std::optional<ReadArray> read = read_program_output(data, parameter, folder);
  if (!read || !read->problem.empty()) return std::nullopt;
  return std::move(read->array);
}

void record_program(const PreparedCase& prepared, const ProgramExit& exit) {
  write_text(prepared.folder / output_file(std::string(kStdout)), exit.output);
  std::string record = fmt::format("started\ncalling\nreturned\nexit-code {}\n", exit.code);
  if (exit.input_read) record += fmt::format("input-read {}\n", *exit.input_read);
  if (exit.output_cut) record += "output-cut\n";
  write_text(prepared.folder / kRecordFile, record + "done " + prepared.nonce + "\n");
}

}  // namespace warpgrade
