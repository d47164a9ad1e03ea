#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "harness/data/categories.h"
#include "harness/lab/checks.h"
#include "harness/lab/read_function.h"

namespace warpgrade {

namespace {

constexpr std::size_t kShortestReason = 12;  // characters: shorter ones give none

bool covers(const Lab& lab, const std::string& category) {
  return std::any_of(lab.cases.begin(), lab.cases.end(), [&](const Case& spec) {
    const auto& claimed = spec.data.categories;
    return std::find(claimed.begin(), claimed.end(), category) != claimed.end();
  });
}

}  // namespace

void read_waivers(TomlTable& document, Lab& lab) {
  std::vector<std::string> mandatory;
  for (const EdgeCategory& category : categories()) {
    if (category.mandatory) mandatory.emplace_back(category.name);
  }
  for (TomlTable& row : document.tables("waive")) {
    Waiver waiver{.category = row.string("category"), .reason = row.string("reason")};
    row.set_title(fmt::format("[[waive]] \"{}\"", waiver.category));
    check_known(row, "category", waiver.category, mandatory, "mandatory category");
    if (covers(lab, waiver.category)) {
      row.fail("category", fmt::format("a case has category '{}', so that there is nothing to "
                                       "waive; remove this [[waive]]",
                                       waiver.category));
    }
    if (waiver.reason.size() < kShortestReason) {
      row.fail("reason", fmt::format("'{}' does not say why there is no such case; write reason = "
                                     "\"The image is always 512 x 512.\"",
                                     waiver.reason));
    }
    for (const Waiver& other : lab.waivers) {
      if (other.category == waiver.category) {
        row.fail("category",
                 fmt::format("category '{}' is waived twice; remove one", waiver.category));
      }
    }
    row.finish();
    lab.waivers.push_back(std::move(waiver));
  }
}

}  // namespace warpgrade
