#include "grader/serve/pages/pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <kainjow/mustache.hpp>
#include <stdexcept>

#include "grader/core/embedded.h"
#include "grader/core/instant.h"
#include "grader/core/text.h"
#include "grader/serve/pages/side_by_side.h"
#include "grader/serve/playground.h"
#include "grader/show/report/page.h"
#include "harness/core/plural.h"

namespace warpgrade {
namespace {

/// Beyond this, comparing takes too long: the product of the numbers of lines.
constexpr std::size_t kMostComparisons = 4'000'000;
constexpr std::size_t kLongestTitle = 200;  // bytes

/// "week 3, about 4 hours, after vecadd"
/// @param week  whether to say it
std::string facts_of(const Lab& lab, bool week) {
  std::vector<std::string> facts;
  if (week && lab.schedule.week > 0) facts.push_back(fmt::format("week {}", lab.schedule.week));
  if (lab.schedule.hours > 0) {
    facts.push_back(
        fmt::format("about {:g} hour{}", lab.schedule.hours, lab.schedule.hours == 1 ? "" : "s"));
  }
  facts.push_back(fmt::format("{} points", human_points(lab.rubric.total())));
  if (!lab.has_code()) facts.emplace_back("questions");
  if (!lab.schedule.after.empty()) facts.push_back("after " + join_and(lab.schedule.after));
  return fmt::format("{}", fmt::join(facts, ", "));
}

PageData row_of(const Lab& lab, const Store::LabProgress* progress) {
  PageData row = texts({{"id", lab.id}, {"title", lab.title}, {"facts", facts_of(lab, false)}});
  const bool begun = progress != nullptr && progress->best;
  const double best = begun ? *progress->best : 0;
  const double max = begun ? progress->max_score : lab.rubric.total();
  row.set("best", human_points(best));
  row.set("max", human_points(max));
  row.set("points", begun ? fmt::format("{} of {}", human_points(best), human_points(max))
                          : std::string("not begun"));
  row.set("status", !begun ? "not_assessed" : best >= max ? "passed" : "partial");
  std::string attempts;
  if (progress != nullptr && progress->attempts > 0) {
    attempts = plural(progress->attempts, "attempt");
    if (progress->submitted) attempts += ", submitted: " + human_points(*progress->submitted);
  }
  set_text(row, "attempts", attempts);
  return row;
}

std::string says(const KeptAttempt& attempt) {
  const Instant at(std::chrono::seconds(attempt.requested_ms / 1000));
  std::string text = fmt::format("{} {}, {}", slug(attempt.kind), attempt.id, instant_text(at));
  if (attempt.result && attempt.result->max_score > 0) {
    text += fmt::format(", {} of {} points", human_points(attempt.result->score),
                        human_points(attempt.result->max_score));
  }
  return text;
}

std::string number_or_nothing(std::size_t line) {
  return line == 0 ? std::string() : std::to_string(line);
}

PageData rows_of(const std::string& old_text, const std::string& new_text) {
  PageData rows(PageData::type::list);
  for (const SideBySideRow& line : side_by_side(old_text, new_text)) {
    PageData row(PageData::type::object);
    row.set("old_line", number_or_nothing(line.old_line));
    row.set("new_line", number_or_nothing(line.new_line));
    row.set("old", printable(line.old_text));
    row.set("new", printable(line.new_text));
    row.set("removed", line.changed && line.old_line > 0);
    row.set("added", line.changed && line.new_line > 0);
    row.set("gap", line.after_gap);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string content_of(const FileSet& files, const std::string& name) {
  const auto it = files.find(name);
  return it == files.end() ? std::string() : it->second;
}

bool too_long(const std::string& a, const std::string& b) {
  return split_lines(a).size() * split_lines(b).size() > kMostComparisons;
}

std::string rules_for(const Member& member, const std::string& lab) {
  const auto it = member.rules.find(lab);
  return it == member.rules.end() ? std::string() : it->second;
}

PageData member_data(const Member& member) {
  PageData data = texts({{"name", member.name}, {"token", member.form_token}});
  set_text(data, "role", member.role);
  data.set("staff", !member.role.empty());
  return data;
}

}  // namespace

std::string render_serve_page(std::string_view page, PageData& values) {
  values.set("head", std::string(embedded_file("head.html")));  // the partial of all pages
  kainjow::mustache::mustache tmpl{std::string(embedded_file(page))};
  std::string text = tmpl.render(values);
  if (!tmpl.is_valid()) {
    throw std::logic_error(fmt::format("{}: {}", page, tmpl.error_message()));
  }
  return text;
}

std::string labs_page(const std::vector<Lab>& labs,
                      const std::map<std::string, Store::LabProgress>& progress, bool playground,
                      const Member* member) {
  std::size_t begun = 0, complete = 0;
  PageData weeks(PageData::type::list);
  for (std::size_t i = 0; i < labs.size();) {
    const int week = labs[i].schedule.week;
    PageData rows(PageData::type::list);
    for (; i < labs.size() && labs[i].schedule.week == week; ++i) {
      const auto it = progress.find(labs[i].id);
      const Store::LabProgress* own = it == progress.end() ? nullptr : &it->second;
      PageData row = row_of(labs[i], own);
      set_text(row, "rules", member == nullptr ? "" : rules_for(*member, labs[i].id));
      rows.push_back(std::move(row));
      begun += own != nullptr ? 1 : 0;
      complete += own != nullptr && own->best && *own->best >= own->max_score ? 1 : 0;
    }
    PageData section(PageData::type::object);
    section.set("title", week > 0 ? fmt::format("Week {}", week) : std::string("Further labs"));
    section.set("anchor", fmt::format("week-{}", week));
    section.set("labs", std::move(rows));
    weeks.push_back(std::move(section));
  }
  PageData values(PageData::type::object);
  values.set("weeks", std::move(weeks));
  values.set("begun", std::to_string(begun));
  values.set("complete", std::to_string(complete));
  values.set("total", plural(labs.size(), "lab"));
  const bool titled = member != nullptr && !member->course.empty();
  values.set("heading", titled ? shown(member->course, kLongestTitle) : std::string("Labs"));
  set_text(values, "problem", member == nullptr ? "" : member->problem);
  values.set("member", member == nullptr ? PageData(false) : member_data(*member));
  values.set("playground", playground);
  return render_serve_page("labs.html", values);
}

std::string sign_in_page(const std::string& invitation, const std::string& provider) {
  PageData values(PageData::type::object);
  set_text(values, "invitation", invitation);
  set_text(values, "provider", invitation.empty() ? provider : std::string());
  values.set("link_only", invitation.empty() && provider.empty());
  return render_serve_page("sign_in.html", values);
}

std::string lab_page(const Lab& lab, const std::string& nonce) {
  PageData values = texts(
      {{"id", lab.id}, {"title", lab.title}, {"facts", facts_of(lab, true)}, {"nonce", nonce}});
  values.set("playground", is_playground(lab));
  return render_serve_page("lab.html", values);
}

std::string compare_page(const Lab& lab, const KeptAttempt& from, const FileSet& old_files,
                         const KeptAttempt& to, const FileSet& new_files) {
  PageData values = texts({{"lab", lab.id}, {"title", lab.title}});
  values.set("from", std::to_string(from.id));
  values.set("to", std::to_string(to.id));
  FileSet names = old_files;
  names.insert(new_files.begin(), new_files.end());
  PageData files(PageData::type::list);
  for (const auto& [name, ignored] : names) {
    const std::string old_text = content_of(old_files, name);
    const std::string new_text = content_of(new_files, name);
    PageData file = texts({{"name", name}, {"from_says", says(from)}, {"to_says", says(to)}});
    file.set("same", old_text == new_text);
    file.set("long", too_long(old_text, new_text));
    file.set("rows", too_long(old_text, new_text) ? PageData(PageData::type::list)
                                                  : rows_of(old_text, new_text));
    files.push_back(std::move(file));
  }
  values.set("files", std::move(files));
  return render_serve_page("compare.html", values);
}

std::string message_page(const std::string& title, const std::string& text,
                         const std::string& next) {
  PageData values = texts({{"title", title}, {"text", text}});
  set_text(values, "next", next);
  return render_serve_page("message.html", values);
}

std::string notice_page(const std::string& title, const std::string& text, const std::string& link,
                        const std::string& link_text) {
  PageData values =
      texts({{"title", title}, {"text", text}, {"link", link}, {"link_text", link_text}});
  return render_serve_page("notice.html", values);
}

}  // namespace warpgrade
