#include "grader/show/report/parameter_order.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>
#include <system_error>
#include <utility>

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
  // A class has thousands of pages, and reading a lab takes longer than writing a page.
  static std::mutex mutex;
  static std::map<std::filesystem::path, std::vector<std::string>> known;
  const std::filesystem::path folder = installation.root / "labs" / id;
  const std::lock_guard lock(mutex);
  if (const auto it = known.find(folder); it != known.end()) return it->second;
  std::vector<std::string> order;
  std::error_code error;
  if (std::filesystem::exists(folder / "lab.toml", error)) {
    try {
      order = parameter_order(load_lab(folder));
    } catch (const LabError&) {
      // A page of an old grade must not require a valid lab.
    }
  }
  return known.emplace(folder, std::move(order)).first->second;
}

}  // namespace warpgrade
