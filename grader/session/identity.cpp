#include "grader/session/identity.h"

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <type_traits>
#include <vector>

#include "grader/core/files.h"
#include "grader/core/sha256.h"
#include "harness/lab/glue.h"

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
    const auto& [name, role, type, memory, shape, value] = parameter;
    all(name, role, type, memory, shape, value);
  }
  void add(const Tolerance& tolerance) {
    const auto& [model, terms, factor, precision] = tolerance;
    all(model, terms, factor, precision);
  }
  void add(const Fill& fill) {
    const auto& [distribution, low, high, value, share, length, offset] = fill;
    all(distribution, low, high, value, share, length, offset);
  }
  void add(const Dataset& data) {
    // The dataset's name and edge categories do not affect the data.
    const auto& [name, dims, settings, categories, fills, output_offset, given] = data;
    all(dims, settings, fills, output_offset, given);
  }
  void add(const Given& given) {
    const auto& [file, text] = given;
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

}  // namespace

std::string identity_of_program(const Lab& lab) {
  Identity id;
  id.all(lab.id, lab.architecture, lab.submit, lab.function, lab.parameters, lab.tolerance,
         lab.allowed_libraries, lab.allowed_names, lab.host_assembly);
  id.add(lab.program);
  if (!lab.program) id.add(make_glue(lab));
  id.add_file(lab.header);
  id.add_file(lab.reference / "golden.cpp");
  return id.hex();
}

std::string identity_of_case(const Case& spec) {
  Identity id;
  id.add(spec);
  return id.hex();
}

std::string identity_of_yardstick(const Lab& lab, bool measures) {
  Identity id;
  id.add_file(lab.reference / "solution.cu");
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
