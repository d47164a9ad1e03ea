#include <fmt/core.h>

#include <cmath>

#include "grader/core/text.h"
#include "grader/report/sections.h"
#include "grader/report/wording.h"

namespace warpgrade {

namespace {

/// A limit, rounded to where it still means the same: whole from a hundred on.
std::string limit_text(double limit, double (*round)(double)) {
  return grouped(limit >= 100 ? round(limit) : round(limit * 100) / 100);
}
double up(double value) {
  return std::ceil(value);
}
double down(double value) {
  return std::floor(value);
}

}  // namespace

PageData concept_rows(const Grade& grade, const Pages& pages) {
  PageData rows(PageData::type::list);
  for (const Item& item : grade.items) {
    if (item.category != Category::concept_check) {
      continue;
    }
    PageData row = item_row(item, pages);
    row.set("numbers", false);
    if (item.numbers) {
      const ConceptNumbers& n = *item.numbers;
      PageData numbers =
          texts({{"unit", n.unit},
                 {"measured_formula", n.measured_formula},
                 {"expected_formula", n.expected_formula},
                 {"measured", grouped(n.measured)},
                 {"expected", grouped(n.expected)},
                 {"accepted",
                  n.at_least > 0
                      ? fmt::format("{} to {} ({:g} to {:g} times)",
                                    limit_text(n.at_least * n.expected, up),
                                    limit_text(n.at_most * n.expected, down), n.at_least, n.at_most)
                      : fmt::format("at most {} ({:g} times)",
                                    limit_text(n.at_most * n.expected, down), n.at_most)}});
      set_text(numbers, "reference", n.reference ? grouped(*n.reference) : "");
      row.set("numbers", std::move(numbers));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

PageData ladder(const RungReport& rung) {
  PageData steps(PageData::type::list);
  for (std::size_t i = 1; i <= rung.count; ++i) {
    PageData step(PageData::type::object);
    step.set("class", i < rung.index ? "below" : i == rung.index ? "here" : "above");
    step.set("no", std::to_string(i));
    step.set("here", i == rung.index);
    steps.push_back(std::move(step));
  }
  PageData data = texts({{"index", std::to_string(rung.index)},
                         {"count", std::to_string(rung.count)},
                         {"title", rung.title}});
  set_text(data, "next_title", rung.next_title);
  set_text(data, "next", rung.next);
  set_text(data, "next_gain", next_gain_text(rung));
  data.set("steps", std::move(steps));
  return data;
}

}  // namespace warpgrade
