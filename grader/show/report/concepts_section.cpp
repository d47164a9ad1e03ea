#include <fmt/core.h>

#include <cmath>

#include "grader/core/text.h"
#include "grader/show/report/sections.h"
#include "grader/show/report/wording.h"

namespace warpgrade {

namespace {

/// A limit, rounded without changing its meaning: to integers from a hundred on.
std::string limit_text(double limit, double (*round)(double)) {
  return grouped(limit >= 100 ? round(limit) : round(limit * 100) / 100);
}
double up(double value) {
  return std::ceil(value);
}
double down(double value) {
  return std::floor(value);
}

/// A check's numbers, line by line.
PageData number_rows(const ConceptNumbers& n) {
  PageData rows(PageData::type::list);
  const auto add = [&](const std::string& label, const std::string& number, const std::string& text,
                       const std::string& formula) {
    PageData row = texts({{"label", label}, {"text", text}});
    set_text(row, "number", number);
    set_text(row, "formula", formula);
    rows.push_back(std::move(row));
  };
  add("Yours", grouped(n.measured), " " + n.check.unit, n.check.measured.text());
  add("Formula", grouped(n.expected), "", n.check.expected.text());
  const std::string most = limit_text(n.check.at_most * n.expected, down);
  add("Accepted", "",
      n.check.at_least > 0 ? fmt::format("{} to {} ({:g} to {:g} times)",
                                         limit_text(n.check.at_least * n.expected, up), most,
                                         n.check.at_least, n.check.at_most)
                           : fmt::format("at most {} ({:g} times)", most, n.check.at_most),
      "");
  if (n.reference) {
    add("Reference", "", grouped(*n.reference), "");
  }
  return rows;
}

}  // namespace

PageData concept_rows(const Grade& grade, const Pages& pages) {
  PageData rows(PageData::type::list);
  for (const Item& item : grade.items) {
    if (item.category != Category::concept_check) {
      continue;
    }
    PageData row = item_row(item, pages);
    row.set("has_numbers", item.numbers.has_value());
    // What the picture of a check that cost points is chosen by (choose.js).
    const bool lost = item.numbers && item.points < item.max_points;
    set_text(row, "counters", lost ? item.numbers->check.measured.text() : "");
    row.set("numbers", item.numbers ? number_rows(*item.numbers) : PageData(PageData::type::list));
    rows.push_back(std::move(row));
  }
  return rows;
}

PageData question_rows(const Grade& grade, const Pages& pages) {
  PageData rows(PageData::type::list);
  for (const Item& item : grade.items) {
    if (!item.question) {
      continue;
    }
    PageData row = item_row(item, pages);
    row.set("question", item.question->text);
    PageData options(PageData::type::list);
    for (const std::string& option : item.question->options) {
      options.push_back(texts({{"option", option}}));
    }
    set_list(row, "options", std::move(options));
    set_text(row, "answer", item.question->answer);
    set_text(row, "expected", item.question->expected);
    set_text(row, "solution", item.question->solution);
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
