#include "harness/lab/python_form.h"

#include <fmt/core.h>

#include <algorithm>
#include <system_error>

#include "harness/core/toml_table.h"
#include "harness/lab/checks.h"
#include "harness/lab/read_function.h"

namespace warpgrade {

bool has_python_form(const Lab& lab) {
  std::error_code error;
  return !is_in_python(lab) &&
         std::filesystem::exists(lab.folder / kPythonFolder / "lab.toml", error);
}

bool is_in_python(const Lab& lab) {
  return !lab.submit.empty() && lab.submit.front().ends_with(".py");
}

bool takes_language(const Lab& lab, Language language) {
  if (is_in_python(lab)) return language == Language::python;
  if (lab.only_language) return language == *lab.only_language;
  return language == Language::cuda || has_python_form(lab);
}

std::vector<std::string> python_parameters(const Lab& lab) {
  TomlTable table = TomlTable::parse(lab.folder / "lab.toml", lab.root);
  return table.strings("parameters");
}

void check_python_parameters(TomlTable& document, const Lab& lab) {
  const std::vector<std::string> named = document.strings("parameters");
  std::vector<std::string> known;
  for (const Parameter& parameter : lab.parameters) {
    const bool is_simple = parameter.layout == FieldLayout::plain && !parameter.is_returned &&
                           parameter.role != Role::stream && parameter.matrix.empty() &&
                           parameter.type != ElementType::bf16 &&
                           (!parameter.is_array() || parameter.memory == Memory::host ||
                            parameter.memory == Memory::device);
    if (!is_simple) {
      document.fail("parameters",
                    fmt::format("parameter '{}' of lab {} has no form in Python: arrays are in "
                                "host or device memory, and of plain elements",
                                parameter.name, lab.id));
    }
    known.push_back(parameter.name);
  }
  for (const std::string& name : named) {
    check_known(document, "parameters", name, known, "parameter");
  }
  for (const Parameter& parameter : lab.parameters) {
    const auto count = std::count(named.begin(), named.end(), parameter.name);
    if (count > 1 || (count == 0 && parameter.is_array())) {
      document.fail("parameters", fmt::format("'{}' is in 'parameters' {} times; name each "
                                              "array once, and each scalar at most once",
                                              parameter.name, count));
    }
  }
}

std::string python_file(const Lab& lab) {
  return is_in_python(lab) || has_python_form(lab) ? lab.id + ".py" : std::string();
}

std::string name_of(const Lab& lab) {
  return is_in_python(lab) ? lab.id + "/" + kPythonFolder : lab.id;
}

std::string program_ending(const Lab& lab) {
  return is_in_python(lab) ? ".py" : ".cu";
}

std::filesystem::path solution_of(const Lab& lab) {
  return lab.reference / ("solution" + program_ending(lab));
}

std::filesystem::path stage_of(const Lab& lab, const std::string& stage) {
  return lab.reference / "stages" / (stage + program_ending(lab));
}

std::filesystem::path common_reference(const Lab& lab) {
  return is_in_python(lab) ? lab.reference.parent_path() : lab.reference;
}

}  // namespace warpgrade
