#include "grader/run/session/identity.h"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <vector>

#include "grader/core/files.h"
#include "grader/core/sha256.h"
#include "harness/core/toml_table.h"
#include "harness/lab/glue.h"
#include "harness/lab/python_form.h"
#include "harness/lab/read_questions.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

/// Fields of a checksum, of any type. Structured bindings make sure that a new field does not
/// compile until it is included or left out explicitly.
class Identity {
 public:
  void add(std::string_view text) { sha_.add_field(text); }
  void add(double number) { sha_.add_field(std::string_view(bytes_of(number), sizeof number)); }
  void add(const Expression& formula) { add(std::string_view(formula.text())); }
  template <std::integral Number>
  void add(Number number) {
    add(std::string_view(std::to_string(number)));
  }
  template <class Enum>
  requires std::is_enum_v<Enum>
  void add(Enum value) { add(static_cast<std::int64_t>(value)); }
  template <class T>
  void add(const std::optional<T>& value) {
    add(value.has_value());
    if (value) add(*value);
  }
  template <class T>
  void add(const std::vector<T>& values) {
    add(values.size());
    for (const T& value : values) add(value);
  }
  template <class T>
  void add(const std::map<std::string, T>& values) {
    add(values.size());
    for (const auto& [name, value] : values) {
      add(std::string_view(name));
      add(value);
    }
  }
  void add(const std::string& text) { add(std::string_view(text)); }
  void add(const Parameter& parameter) {
    const auto& [name, role, type, memory, shape, value, tolerance, comparison, layout, record,
                 group, field, matrix, part, is_returned] = parameter;
    all(name, role, type, memory, shape, value, tolerance, comparison, layout, record, group, field,
        matrix, part, is_returned);
  }
  void add(const Tolerance& tolerance) {
    const auto& [model, terms, factor, precision] = tolerance;
    all(model, terms, factor, precision);
  }
  void add(const OutputComparison& comparison) {
    const auto& [order, groups, form, by_predicate] = comparison;
    all(order, groups, form, by_predicate);
  }
  void add(const Fill& fill) {
    const auto& [distribution, low, high, value, share, length, offset, given, row_lengths] = fill;
    all(distribution, low, high, value, share, length, offset, given != nullptr, row_lengths);
    if (given != nullptr) add(*given);
  }
  void add(const GivenData& given) {
    const auto& bytes = given.array.bytes;
    all(given.kind, given.white, given.array.type, given.array.shape,
        std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  }
  void add(const SparseMatrix& matrix) {
    const auto& [name, format, rows, columns, nonzeros, longest] = matrix;
    all(name, format, rows, columns, nonzeros, longest);
  }
  void add(const RecordType& record) {
    add(record.name);
    for (const RecordType::Field& field : record.fields) all(field.name, field.type);
  }
  void add(const Setting& setting) {
    const auto& [name, values] = setting;
    all(name, values);
  }
  void add(const Function& function) {
    const auto& [name, parameters, returns, times] = function;
    all(name, parameters, returns, times);
  }
  void add(const Dataset& data) {
    // The dataset's name and edge categories do not affect the data.
    const auto& [name, dims, settings, categories, fills, output_offset, given] = data;
    all(dims, settings, fills, output_offset, given);
  }
  void add(const GivenFile& given) {
    const auto& [name, text] = given;
    add(text);
  }
  void add(const ProgramCase& program) {
    const auto& [arguments, exit_code, prints, never_prints] = program;
    all(arguments, exit_code, prints, never_prints);
  }
  void add(const ProgramFile& file) {
    const auto& [parameter, at, format, line, absolute, relative] = file;
    all(parameter, at, format, line, absolute, relative);
  }
  void add(const Program& program) {
    const auto& [arguments, files] = program;
    all(arguments, files);
  }
  void add(const Case& spec) {
    const auto& [name, points, visible, exact, hint, data, program] = spec;
    all(name, visible, exact, data, program);
  }

  template <class... Fields>
  void all(const Fields&... fields) {
    (add(fields), ...);
  }
  void add_file(const fs::path& file) { add(fs::exists(file) ? read_file(file) : std::string()); }
  [[nodiscard]] std::string hex() { return sha_.hex(); }

 private:
  static const char* bytes_of(const double& number) {
    return reinterpret_cast<const char*>(&number);
  }
  Sha256 sha_;
};

/// The cases of concept checks and of the performance item.
std::set<std::string> counted_cases(const Lab& lab) {
  std::set<std::string> names = {lab.performance_case};
  for (const ConceptCheck& check : lab.concepts) names.insert(check.on);
  return names;
}

/// That of the lab, and what differs in Python.
std::vector<fs::path> lab_tomls(const Lab& lab) {
  if (!is_in_python(lab)) return {lab.folder / "lab.toml"};
  return {lab.folder.parent_path() / "lab.toml", lab.folder / "lab.toml"};
}

/// What defines a lab, but for lab.toml.
void add_files_beside_lab_toml(const Lab& lab, Sha256& sha) {
  for (const fs::path& file :
       {lab.root / "datasets" / (lab.id + ".toml"), lab.header, solution_of(lab),
        common_reference(lab) / "golden.cpp", answers_key_file(lab)}) {
    sha.add_field(fs::exists(file) ? read_file(file) : "");
  }
  for (const fs::path& header : lab.given) sha.add_field(read_file(header));
  const fs::path data = lab.root / "datasets" / lab.id;
  for (const fs::path& file : files_below(data)) {
    sha.add_field(file.lexically_relative(data).string());
    sha.add_field(read_file(file));
  }
}

}  // namespace

std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(folder, error)) {
    if (entry.is_regular_file(error)) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string identity_of_lab(const Lab& lab) {
  Sha256 sha;
  for (const fs::path& file : lab_tomls(lab)) {
    sha.add_field(fs::exists(file) ? read_file(file) : "");
  }
  add_files_beside_lab_toml(lab, sha);
  return sha.hex();
}

std::string identity_of_rules(const Lab& lab) {
  // Keys of lab.toml whose values are only shown.
  static const std::set<std::string, std::less<>> kSentences = {"title",  "hint", "says", "next",
                                                                "enough", "unit", "text", "reason"};
  Sha256 sha;
  for (const fs::path& file : lab_tomls(lab)) {
    const TomlTable rules = TomlTable::parse(file, lab.root);
    for (const std::string& value : rules.values(kSentences)) {
      sha.add_field(value);
    }
  }
  add_files_beside_lab_toml(lab, sha);
  return sha.hex();
}

std::string identity_of_program(const Lab& lab) {
  Identity id;
  id.all(lab.id, lab.architecture, lab.nvcc_architecture, lab.card, lab.standard, lab.submit,
         lab.function, lab.parameters, lab.tolerance, lab.steps, lab.records, lab.matrices,
         lab.settings, lab.allowed_libraries, lab.allowed_names, lab.host_assembly, lab.host_work);
  id.add(lab.program);
  if (is_in_python(lab)) {
    id.add(python_parameters(lab));
  } else if (!lab.program) {
    id.add(make_glue(lab));
  }
  id.add_file(lab.header);
  for (const fs::path& header : lab.given) id.add_file(header);
  id.add_file(common_reference(lab) / "golden.cpp");
  // It decides the headline, but neither verdicts nor points.
  id.add_file(common_reference(lab) / "misreadings.cpp");
  return id.hex();
}

std::string identity_of_case(const Case& spec) {
  Identity id;
  id.add(spec);
  return id.hex();
}

std::string identity_of_yardstick(const Lab& lab, bool measures) {
  Identity id;
  id.add_file(solution_of(lab));
  for (const std::string& name : counted_cases(lab)) {
    const Case* spec = lab.find_case(name);
    id.add(name);
    if (spec != nullptr) id.add(*spec);
  }
  id.add(measures);
  if (measures) id.all(lab.performance_case, lab.gpu_case, lab.rubric.performance > 0);
  return id.hex();
}

}  // namespace warpgrade
