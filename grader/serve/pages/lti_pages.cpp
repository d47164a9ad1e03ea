#include "grader/serve/pages/lti_pages.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <set>

#include "grader/core/text.h"
#include "grader/serve/classroom/rules.h"
#include "grader/serve/pages/pages.h"
#include "grader/show/report/page.h"
#include "harness/core/plural.h"

namespace warpgrade {
namespace {

std::string time_of(std::int64_t at_ms) {
  return shown_time(Instant(std::chrono::seconds(at_ms / 1000)));
}

std::string shown_name(const Course& course, const std::string& person) {
  const RosterEntry* entry = course.roster.find(person);
  return entry == nullptr ? person : entry->shown_name();
}

std::string title_of(const std::vector<Lab>& labs, const std::string& id) {
  const auto it =
      std::find_if(labs.begin(), labs.end(), [&](const Lab& lab) { return lab.id == id; });
  return it == labs.end() ? id : it->title;
}

/// What is known of a context's members.
std::string members_text(const LtiContext& context) {
  if (context.members_url.empty()) {
    return "The platform offers no list of members (Names and Role Provisioning): who opens a link "
           "becomes known.";
  }
  if (context.members_ms == 0) return "The list of members was not read yet.";
  const std::string when = time_of(context.members_ms);
  return context.members_problem.empty()
             ? fmt::format("The list of members was read at {}.", when)
             : fmt::format("The list of members could not be read at {}: {}", when,
                           context.members_problem);
}

PageData unknown_rows(const std::vector<LtiMember>& members, std::int64_t context) {
  PageData rows(PageData::type::list);
  for (const LtiMember& member : members) {
    if (member.context != context || !member.person.empty()) continue;
    rows.push_back(texts({{"name", member.name.empty() ? member.subject : member.name},
                          {"account", member.account},
                          {"role", member.role},
                          {"why", member.problem}}));
  }
  return rows;
}

std::string missing_of(const Course& course, const std::vector<LtiMember>& members,
                       std::int64_t context) {
  std::set<std::string> seen;
  for (const LtiMember& member : members) {
    if (member.context == context) seen.insert(member.person);
  }
  std::vector<std::string> missing;
  for (const RosterEntry& entry : course.roster.entries) {
    if (!seen.contains(entry.student)) missing.push_back(entry.student);
  }
  return missing.empty() ? std::string() : join_and(missing);
}

PageData link_rows(const std::vector<LtiLink>& links, std::int64_t context,
                   const std::vector<Lab>& labs) {
  PageData rows(PageData::type::list);
  for (const LtiLink& link : links) {
    if (link.context != context) continue;
    PageData row = texts({{"name", link.title.empty() ? link.link : link.title}});
    row.set("link", link.link);
    row.set("context", std::to_string(context));
    row.set("open", link.lab.empty());
    PageData choices(PageData::type::list);
    const auto add = [&](const std::string& id, const std::string& title) {
      PageData choice = texts({{"id", id}, {"title", title}});
      choice.set("chosen", id == link.lab);
      choices.push_back(std::move(choice));
    };
    if (link.lab.empty()) add("", "(choose)");
    for (const Lab& lab : labs) add(lab.id, lab.title);
    add(kAllLabs, "The list of all labs");
    row.set("labs", std::move(choices));
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string state_text(const LtiScore& score) {
  switch (score.state) {
    case LtiScoreState::sent:
      return "sent at " + time_of(score.sent_ms);
    case LtiScoreState::refused:
      return "refused";
    case LtiScoreState::waiting:
      break;
  }
  return score.tries == 0 ? "waits"
                          : fmt::format("waits, {} failed, the next one after {}",
                                        plural(score.tries, "attempt"), time_of(score.due_ms));
}

std::string points_text(const LtiScore& score) {
  if (!score.points) return "taken back";
  return fmt::format("{} of {}", human_points(*score.points), human_points(score.max_points));
}

}  // namespace

std::string lti_page(Lti& lti, const Course& course, const std::vector<Lab>& labs,
                     const std::string& form_token) {
  const std::vector<LtiContext> contexts = lti.store.contexts();
  const std::vector<LtiMember> members = lti.store.members();
  const std::vector<LtiLink> links = lti.store.links();
  PageData values = texts({{"token", form_token}});
  values.set("nothing", contexts.empty());
  values.set("no_key", !lti.tool.has_key());
  PageData sections(PageData::type::list);
  for (const LtiContext& context : contexts) {
    const LtiTool::Platform* platform = lti.tool.find(context.platform);
    PageData section =
        texts({{"title", context.title.empty() ? context.context : context.title},
               {"platform", platform == nullptr ? context.platform + " (not registered any more)"
                                                : platform->registration.name()},
               {"deployment", context.deployment},
               {"members", members_text(context)}});
    section.set("id", std::to_string(context.id));
    section.set("context", printable(context.context));
    section.set("can_read", !context.members_url.empty() && lti.tool.has_key());
    set_list(section, "unknown", unknown_rows(members, context.id));
    set_text(section, "missing", missing_of(course, members, context.id));
    set_list(section, "links", link_rows(links, context.id, labs));
    sections.push_back(std::move(section));
  }
  set_list(values, "contexts", std::move(sections));
  std::array<std::size_t, 3> counts{};
  PageData scores(PageData::type::list);
  for (const LtiScore& score : lti.store.scores()) {
    ++counts.at(static_cast<std::size_t>(score.state));
    PageData row = texts({{"name", shown_name(course, score.person)},
                          {"lab", title_of(labs, score.lab)},
                          {"points", points_text(score)},
                          {"state", state_text(score)},
                          {"answer", score.answer}});
    scores.push_back(std::move(row));
  }
  const auto count = [&](LtiScoreState state) {
    return counts.at(static_cast<std::size_t>(state));
  };
  values.set("counts", fmt::format("{} sent, {} waiting, {} refused", count(LtiScoreState::sent),
                                   count(LtiScoreState::waiting), count(LtiScoreState::refused)));
  values.set("can_send", count(LtiScoreState::waiting) + count(LtiScoreState::refused) > 0);
  set_list(values, "scores", std::move(scores));
  std::set<std::string> known;
  for (const LtiMember& member : members) {
    if (!member.person.empty()) known.insert(member.person);
  }
  PageData persons(PageData::type::list);
  for (const std::string& person : known) {
    PageData row = texts({{"name", shown_name(course, person)}});
    row.set("person", person);
    persons.push_back(std::move(row));
  }
  values.set("persons", std::move(persons));
  return render_serve_page("lti.html", values);
}

std::string lti_window_page(const std::string& link) {
  PageData values(PageData::type::object);
  values.set("link", link);
  return render_serve_page("lti_window.html", values);
}

std::string lti_choose_page(const std::vector<Lab>& labs, bool multiple,
                            const std::string& choice) {
  PageData values(PageData::type::object);
  values.set("choice", choice);
  values.set("says", multiple
                         ? "Each lab becomes a link in your course, with a column for its grades."
                         : "The lab becomes a link in your course, with a column for its grades.");
  PageData rows(PageData::type::list);
  for (const Lab& lab : labs) {
    PageData row = texts({{"id", lab.id}, {"title", lab.title}});
    row.set("kind", multiple ? "checkbox" : "radio");
    row.set("field", multiple ? "lab " + lab.id : std::string("lab"));
    rows.push_back(std::move(row));
  }
  values.set("labs", std::move(rows));
  return render_serve_page("lti_choose.html", values);
}

std::string lti_return_page(const std::string& return_url, const std::string& jwt,
                            const std::vector<std::string>& titles) {
  PageData values(PageData::type::object);
  values.set("url", return_url);
  values.set("jwt", jwt);
  values.set("says", titles.empty() ? std::string("You have chosen no lab.")
                                    : "You have chosen: " + printable(join_and(titles)) + ".");
  values.set("button", titles.empty() ? std::string("Go back without a lab")
                                      : "Add " + plural(titles.size(), "lab"));
  return render_serve_page("lti_return.html", values);
}

}  // namespace warpgrade
