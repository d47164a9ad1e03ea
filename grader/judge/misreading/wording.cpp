#include "grader/judge/misreading/wording.h"

#include <fmt/core.h>

#include "harness/core/plural.h"

namespace warpgrade {
namespace {

/// Of one output, which other failing cases have right: "all 5 cases in which it is wrong".
std::string cases_of_output(const ExplanationFacts& facts) {
  if (facts.failing == 1) return "the only case in which it is wrong";
  const std::string all = facts.failing == 2 ? "both" : fmt::format("all {}", facts.failing);
  const std::string number = facts.explained == facts.failing
                                 ? all
                                 : fmt::format("{} of {}", facts.explained, facts.failing);
  const bool left = facts.explained < facts.failing && facts.explained == facts.compared;
  return fmt::format("{} cases in which it is wrong{}", number,
                     left ? ", all that were compared" : "");
}

/// "all 11 failing cases", "8 of 11 failing cases"
std::string cases_of(const ExplanationFacts& facts) {
  if (!facts.output.empty() && facts.failing < facts.failing_in_all) {
    return cases_of_output(facts);
  }
  if (facts.failing == 1) return "the only failing case";
  if (facts.explained == facts.failing) {
    return facts.failing == 2 ? "both failing cases"
                              : fmt::format("all {} failing cases", facts.failing);
  }
  if (facts.explained == facts.compared) {
    return fmt::format("{} of {} failing cases, all that were compared", facts.explained,
                       facts.failing);
  }
  return fmt::format("{} of {} failing cases", facts.explained, facts.failing);
}

}  // namespace

std::string sentence(const ExplanationFacts& facts) {
  const std::string how =
      facts.other_elements == 0
          ? " exactly"
          : fmt::format(", but for {},", plural(facts.other_elements, "element"));
  const std::string output = facts.output.empty() ? "" : fmt::format(" `{}`", facts.output);
  const std::string aside =
      facts.unwritten == 0
          ? ""
          : fmt::format(" {} not written.", facts.unwritten == 1
                                                ? "1 element was"
                                                : fmt::format("{} elements were", facts.unwritten));
  const std::string agreeing =
      facts.agreeing == 0
          ? ""
          : fmt::format(", and equal in the {} right",
                        facts.agreeing == 1 ? std::string("one that is")
                                            : fmt::format("{} that are", facts.agreeing));
  const char* elsewhere = facts.where_wrong   ? " The other elements are right, and would not be."
                          : facts.right_cases ? " The other cases are right, and would not be."
                                              : "";
  return fmt::format("{} output{} is{} the right one {}, in {}{}.{}{}",
                     facts.where_wrong ? "Where it is wrong, your" : "Your", output, how,
                     facts.says, cases_of(facts), agreeing, aside, elsewhere);
}

}  // namespace warpgrade
