#include "grader/serve/identity/account.h"

#include <fmt/core.h>

#include <vector>

#include "grader/core/text.h"
#include "grader/serve/identity/problem.h"

namespace warpgrade {

std::string member_of(const Course& course, const std::string& column, const Account& account) {
  const bool any_case = column == "email";
  const auto is_same = [&](const std::string& given) {
    if (given.empty() || account.name.empty()) return false;
    return any_case ? lower(given) == lower(account.name) : given == account.name;
  };
  std::vector<std::string> members;
  for (const auto& [name, of_staff] : course.staff_accounts) {
    if (is_same(of_staff)) members.push_back(name);
  }
  for (const RosterEntry& entry : course.roster.entries) {
    if (is_same(id_in(entry, column))) members.push_back(entry.student);
  }
  if (members.size() == 1) return members.front();
  throw SignInProblem(
      SignInFault::not_a_member,
      members.empty()
          ? fmt::format("nobody in the column {} of the roster or in [staff] has it", column)
          : fmt::format("{} have it: correct the roster or [staff]", join_and(members)),
      account.name);
}

}  // namespace warpgrade
