#include "grader/run/session/labs_by_week.h"

#include <algorithm>
#include <limits>
#include <string>

#include "grader/run/session/open_session.h"

namespace warpgrade {

std::vector<Lab> labs_by_week(const Installation& installation) {
  std::vector<Lab> labs;
  for (const std::string& id : find_labs(installation.root)) {
    labs.push_back(load_lab_by_id(installation, id));
  }
  const auto week = [](const Lab& lab) {
    return lab.schedule.week > 0 ? lab.schedule.week : std::numeric_limits<int>::max();
  };
  std::stable_sort(labs.begin(), labs.end(),
                   [&](const Lab& a, const Lab& b) { return week(a) < week(b); });
  return labs;
}

}  // namespace warpgrade
