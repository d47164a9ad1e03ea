#include "grader/report/parameter_order.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace warpgrade {

std::vector<std::string> parameter_order(const Lab& lab) {
  std::vector<std::string> dims;
  const auto add = [&](const Expression& formula) {
    for (const std::string& name : formula.names()) {
      if (std::find(dims.begin(), dims.end(), name) == dims.end()) dims.push_back(name);
    }
  };
  for (const Parameter& parameter : lab.parameters) {
    if (parameter.value) add(*parameter.value);
  }
  for (const Parameter& parameter : lab.parameters) {
    for (const Expression& extent : parameter.shape) add(extent);
  }
  return dims;
}

std::vector<std::string> parameter_order(const Installation& installation, const std::string& id) {
  const std::filesystem::path folder = installation.root / "labs" / id;
  std::error_code error;
  if (!std::filesystem::exists(folder / "lab.toml", error)) return {};
  try {
    return parameter_order(load_lab(folder));
  } catch (const LabError&) {
    return {};  // a page of an old grade needs no sound lab
  }
}

}  // namespace warpgrade
