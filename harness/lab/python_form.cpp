#include "harness/lab/python_form.h"

#include <system_error>

#include "harness/core/toml_table.h"

namespace warpgrade {

bool has_python_form(const Lab& lab) {
  std::error_code error;
  return !is_in_python(lab) &&
         std::filesystem::exists(lab.folder / kPythonFolder / "lab.toml", error);
}

bool is_in_python(const Lab& lab) {
  return !lab.submit.empty() && lab.submit.front().ends_with(".py");
}

std::vector<std::string> python_parameters(const Lab& lab) {
  TomlTable table = TomlTable::parse(lab.folder / "lab.toml", lab.root);
  return table.strings("parameters");
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
