#include "grader/class/grading/attempts.h"

namespace warpgrade {

std::size_t best_attempt(const std::vector<GradeRow>& rows,
                         const std::vector<Standing>& standings) {
  std::size_t best = rows.size();
  std::size_t withheld = rows.size();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!standings[i].counts()) {
      withheld = i;
    } else if (best == rows.size() || standings[i].adjusted >= standings[best].adjusted) {
      best = i;
    }
  }
  const bool perfect = best < rows.size() && standings[best].adjusted >= standings[best].max;
  return withheld < rows.size() && !perfect ? withheld : best;
}

}  // namespace warpgrade
