#include "grader/cli/visible_case.h"

#include <fmt/core.h>

#include <algorithm>

#include "grader/cli/commands.h"
#include "grader/core/text.h"
#include "harness/core/closest.h"

namespace warpgrade {

std::vector<const Case*> visible_cases(const Lab& lab) {
  std::vector<const Case*> visible;
  for (const Case& spec : lab.cases) {
    if (spec.visible) visible.push_back(&spec);
  }
  if (visible.empty()) {
    throw UsageError(fmt::format("all cases of lab {} are hidden", lab.id));
  }
  return visible;
}

const Case& require_visible_case(const Lab& lab, const std::string& name) {
  const std::vector<const Case*> visible = visible_cases(lab);
  const auto it = std::ranges::find(visible, name, &Case::name);
  if (it != visible.end()) {
    return **it;
  }
  std::vector<std::string> names;
  for (const Case* spec : visible) names.push_back(spec->name);
  const std::string near = closest(name, names);
  throw UsageError(
      fmt::format("lab {} has no visible case '{}'{}; they are {}", lab.id, printable(name),
                  near.empty() ? "" : fmt::format(", did you mean '{}'?", near), join_and(names)));
}

}  // namespace warpgrade
