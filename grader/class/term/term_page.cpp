#include "grader/class/term/term_page.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <vector>

#include "grader/core/text.h"
#include "grader/show/report/page.h"
#include "grader/show/report/pitfall_pages.h"

namespace warpgrade {
namespace {

std::string percent_of(std::size_t part, std::size_t all) {
  return all == 0 ? "0" : fmt::format("{:.0f}", 100.0 * double(part) / double(all));
}

std::string day_of(const std::optional<Instant>& at) {
  return at ? instant_text(*at).substr(0, 10) : "";
}

PageData lab_rows(const Term& term) {
  PageData rows(PageData::type::list);
  for (const TermLab& lab : term.labs) {
    rows.push_back(texts(
        {{"run", lab.run},
         {"lab", lab.title},
         {"first", day_of(lab.first)},
         {"last", day_of(lab.last)},
         {"students", std::to_string(lab.students)},
         {"attempts", fmt::format("{:.1f}", double(lab.attempts) /
                                                double(std::max<std::size_t>(1, lab.students)))},
         {"mean", fmt::format("{:.0f}", lab.mean)},
         {"full", percent_of(lab.full, lab.scored)}}));
  }
  return rows;
}

PageData week_rows(const Term& term) {
  PageData rows(PageData::type::list);
  for (const TermWeek& week : term.weeks) {
    rows.push_back(texts({{"monday", day_of(week.monday)},
                          {"count", std::to_string(week.submissions)},
                          {"mean", fmt::format("{:.0f}", week.mean)}}));
  }
  return rows;
}

PageData pitfall_rows(const Term& term, const Installation& installation) {
  std::set<std::string> ids;
  std::vector<std::pair<std::size_t, std::string>> counts;
  std::size_t most = 1;
  for (const auto& [id, count] : term.pitfalls) {
    ids.insert(id);
    counts.emplace_back(count, id);
    most = std::max(most, count);
  }
  std::sort(counts.rbegin(), counts.rend());
  const std::map<std::string, PitfallPage> pages = read_pitfalls(installation.pitfalls(), ids);
  PageData rows(PageData::type::list);
  for (const auto& [count, id] : counts) {
    const auto page = pages.find(id);
    rows.push_back(texts({{"id", id},
                          {"title", page == pages.end() ? "" : page->second.title},
                          {"count", std::to_string(count)},
                          {"percent", percent_of(count, most)}}));
  }
  return rows;
}

PageData item_rows(const Term& term, bool full) {
  PageData rows(PageData::type::list);
  for (const TermItem* item : items_without_information(term, full)) {
    rows.push_back(texts({{"lab", item->lab},
                          {"item", item->item},
                          {"part", std::to_string(full ? item->full : item->none)},
                          {"count", std::to_string(item->grades)}}));
  }
  return rows;
}

PageData progress_rows(const Term& term) {
  PageData rows(PageData::type::list);
  for (const auto& [lab, progress] : term.progress) {
    const HintUse& hints = progress.hints;
    if (hints.named == 0 && progress.attempts.empty()) continue;
    rows.push_back(texts(
        {{"lab", lab},
         {"followed", std::to_string(hints.followed)},
         {"hints", std::to_string(hints.named)},
         {"rate", hints.named == 0 ? "-" : percent_of(hints.followed, hints.named)},
         {"attempts",
          progress.attempts.empty() ? "-" : fmt::format("{:g}", median_of(progress.attempts))},
         {"hours",
          progress.hours.empty() ? "-" : fmt::format("{:.1f}", median_of(progress.hours))}}));
  }
  return rows;
}

}  // namespace

std::string term_page(const Term& term, const std::string& title,
                      const Installation& installation) {
  PageData page = texts({{"title", title}});
  set_list(page, "labs", lab_rows(term));
  set_list(page, "weeks", week_rows(term));
  set_list(page, "pitfalls", pitfall_rows(term, installation));
  set_list(page, "always", item_rows(term, true));
  set_list(page, "never", item_rows(term, false));
  set_list(page, "progress", progress_rows(term));
  return render_page("term.html", page, nlohmann::json::object(), {"theme.js"});
}

}  // namespace warpgrade
