#include "grader/judge/experiment/structural_edits.h"

#include <utility>

#include "grader/judge/experiment/source_edit_list.h"
#include "grader/judge/experiment/structural_search.h"

namespace warpgrade {

std::vector<SourceEdit> structural_edits(const std::vector<SourceToken>& tokens,
                                         const std::vector<SourceFunction>& functions,
                                         const std::set<std::size_t>& edited) {
  SourceEditList found;
  for (const std::size_t number : edited) {
    StructuralSearch(tokens, functions[number], number, found).find();
    add_source_edits(tokens, functions, number, found);
  }
  // There are most of these, and students confuse variables more often than anything else.
  return std::move(found).in_turns({{"another variable than ", 6},
                                    {"another operator than ", 3},
                                    {"another index of thread or block than ", 3},
                                    {"two variables exchanged", 3},
                                    {"another number than ", 2}});
}

}  // namespace warpgrade
