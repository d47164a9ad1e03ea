#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "grader/serve/routes/call.h"

namespace warpgrade {

/// A set of roles.
class Roles {
 public:
  constexpr Roles(std::initializer_list<CallerRole> roles) {
    for (const CallerRole role : roles) bits_ |= 1U << static_cast<unsigned>(role);
  }
  [[nodiscard]] constexpr bool has(CallerRole role) const {
    return (bits_ >> static_cast<unsigned>(role) & 1U) != 0;
  }

 private:
  unsigned bits_ = 0;
};

/// What a request to change something has to be, so that no page of another server can send it.
enum class Body : std::uint8_t {
  none,
  json,  // application/json, which no form can send
  form,  // with the form token of the caller's session
  first_form,  // of somebody who has no session yet
  foreign_form,  // of a page of another server, which proves by its content who has sent it
};

/// An address of the server, and who may use it. Parts in braces stand for what the router looks up
/// and hands on: {lab}, {attempt}, {student}; {name} is handed on as it is.
struct Route {
  std::string_view method;
  std::string_view path;
  Roles roles;
  Body body;
  HttpReply (*handle)(Server&, const Call&);
};

/// All addresses. No other place decides which role may use one.
[[nodiscard]] std::span<const Route> routes();

/// Whether the route of a request takes forms of other servers' pages.
[[nodiscard]] bool takes_foreign_forms(const HttpRequest& request, const Target& target);

/// Whether an attempt is the caller's own, or staff reads it.
[[nodiscard]] bool may_see(const Caller& caller, const KeptAttempt& attempt, bool reads);

/// Whether students work at a lab: those that the course file lists, or all if it lists none.
[[nodiscard]] bool is_in_course(const Course& course, const std::string& lab);

/// Answers a request of a caller whose identity is known.
///   - No route, a lab, student or attempt that is not there, or a student's request for another's
///     work: 404, all alike.
///   - A role that may not use the route: 403.
[[nodiscard]] HttpReply answer(Server& server, const HttpRequest& request, const Target& target,
                               Caller caller);

}  // namespace warpgrade
