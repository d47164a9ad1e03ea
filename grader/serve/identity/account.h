#pragma once

#include <string>

#include "grader/submit/course/course.h"

namespace warpgrade {

/// An account, as a provider of accounts names it.
struct Account {
  std::string subject;  // the provider's own id of it
  std::string name;  // the value of the claim that says who in the course it is
};

/// The member of the course whose account this is: of the staff, by the `account` of their entry,
/// or a student, by a column of the roster. E-mail addresses are equal in any case.
/// @param column  one of id_columns()
/// @throws SignInProblem  not_a_member: for nobody, and for more than one
[[nodiscard]] std::string member_of(const Course& course, const std::string& column,
                                    const Account& account);

}  // namespace warpgrade
