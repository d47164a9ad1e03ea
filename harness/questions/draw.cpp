#include "harness/questions/draw.h"

#include <algorithm>

#include "harness/data/random.h"

namespace warpgrade {

Draw draw_numbers(const Lab& lab, const LabQuestion& question, const DrawKey& key) {
  Draw draw;
  for (const DrawnNumber& number : question.drawn) {
    std::size_t at = 0;
    if (key.is_personal()) {
      const Random random(hash_fields({"question", lab.id, number.name, key.course, key.student}));
      at = random.below(0, static_cast<std::uint32_t>(number.values.size()));
    }
    draw.emplace(number.name, number.values.at(at));
  }
  return draw;
}

bool has_drawn_numbers(const Lab& lab) {
  return std::any_of(lab.questions.begin(), lab.questions.end(), [](const LabQuestion& question) {
    return std::any_of(question.drawn.begin(), question.drawn.end(),
                       [](const DrawnNumber& number) { return number.values.size() > 1; });
  });
}

}  // namespace warpgrade
