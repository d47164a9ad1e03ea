#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include "harness/core/names.h"

namespace warpgrade {

/// Why somebody is not signed in by a provider of accounts.
enum class SignInFault : std::uint8_t {
  unreachable,  // the provider does not answer, or says that it is out of order
  configuration,  // it answers something else than OpenID Connect, or not as it was configured here
  client_refused,  // it does not accept this server's client id, secret or address
  declined,  // the person, or the provider, has said no
  not_begun_here,  // another browser began this, or too long ago, or it was used already
  code_refused,  // the code was used, or is too old
  token,  // a token that is damaged, forged, or not for this server
  clock,  // a token of another time: one of the two clocks is wrong
  no_claim,  // there is a token, and it does not say who in the roster it is
  unverified,  // an e-mail address that the provider has not verified
  not_a_member,  // nobody in the course's files has this account, or more than one
  busy,  // as many as may sign in at the same time do
};
constexpr auto names_of(SignInFault) {
  return names_up_to<SignInFault::busy>("unreachable", "configuration", "client_refused",
                                        "declined", "not_begun_here", "code_refused", "token",
                                        "clock", "no_claim", "unverified", "not_a_member", "busy");
}

/// what() is one line for the operator's log, without secrets.
class SignInProblem : public std::runtime_error {
 public:
  SignInProblem(SignInFault kind, const std::string& detail, std::string of_account = {})
      : std::runtime_error(detail), fault(kind), account(std::move(of_account)) {}
  SignInFault fault;
  std::string account;  // that the person has signed in with, where it is known
};

}  // namespace warpgrade
