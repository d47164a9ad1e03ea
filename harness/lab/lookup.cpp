#include <algorithm>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <system_error>

#include "harness/data/categories.h"
#include "harness/lab/lab.h"

// What is found in a lab that was read, and which labs there are.

namespace warpgrade {

const Case* Lab::timed_case() const {
  return gpu_case ? &*gpu_case : find_case(performance_case);
}

const RecordType& Lab::record(std::string_view name) const {
  for (const RecordType& candidate : records) {
    if (candidate.name == name) return candidate;
  }
  throw std::out_of_range("no record " + std::string(name));
}

const SparseMatrix& Lab::matrix(std::string_view name) const {
  for (const SparseMatrix& candidate : matrices) {
    if (candidate.name == name) return candidate;
  }
  throw std::out_of_range("no sparse matrix " + std::string(name));
}

bool Lab::has_predicate() const {
  return std::any_of(parameters.begin(), parameters.end(),
                     [](const Parameter& parameter) { return parameter.comparison.by_predicate; });
}

const Case* Lab::find_case(std::string_view name) const {
  const auto found =
      std::find_if(cases.begin(), cases.end(), [&](const Case& c) { return c.name == name; });
  return found == cases.end() ? nullptr : &*found;
}

std::vector<std::string> find_labs(const std::filesystem::path& root) {
  std::vector<std::string> ids;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(root / "labs", error)) {
    if (std::filesystem::is_regular_file(entry.path() / "lab.toml")) {
      ids.push_back(entry.path().filename().string());
    }
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

std::vector<std::string> missing_categories(const Lab& lab) {
  std::set<std::string> present;
  for (const Case& spec : lab.cases) {
    present.insert(spec.data.categories.begin(), spec.data.categories.end());
  }
  std::vector<std::string> missing;
  for (const EdgeCategory& category : categories()) {
    const std::string name(category.name);
    // The data of a program are often those of an existing course.
    const bool required = (category.mandatory && !lab.program) ||
                          std::find(lab.required_categories.begin(), lab.required_categories.end(),
                                    name) != lab.required_categories.end();
    const bool waived = std::any_of(lab.waivers.begin(), lab.waivers.end(),
                                    [&](const Waiver& w) { return w.category == name; });
    if (required && !waived && !present.contains(name)) missing.push_back(name);
  }
  return missing;
}

}  // namespace warpgrade
