#pragma once

#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "grader/core/instant.h"
#include "grader/serve/identity/sign_in_library.h"
#include "grader/serve/lti/registration.h"
#include "grader/testing/provider.h"
#include "grader/testing/served_class.h"

namespace warpgrade::testing {

/// The learning platform https://moodle.example.org without a network: answers what its members
/// say, and keeps what it gets.
class TestPlatform final : public SignInLibrary {
 public:
  TestPlatform();

  [[nodiscard]] FetchResult fetch(const FetchRequest& request) const override;
  [[nodiscard]] bool verify(const std::string& token, const std::string& key) const override;
  [[nodiscard]] std::string sign(const std::string& payload, const std::string& id,
                                 const std::string& private_key) const override;
  [[nodiscard]] std::string new_key() const override;

  /// How the class's server is registered there.
  [[nodiscard]] static LtiRegistration registration();
  /// A private key of the server, the same in all tests.
  [[nodiscard]] static const std::string& tool_key();
  /// The number of requests for an address that has this in it.
  [[nodiscard]] std::size_t asked(const std::string& part) const;
  /// The claims of Assignment and Grade Services and Names and Role Provisioning.
  void offer_services();

  Instant now;
  SigningKey key = SigningKey::elliptic("first");  // made in no time, which RSA's are not
  std::vector<nlohmann::json> keys;  // published
  nlohmann::json claims;  // of launches, without the nonce
  std::vector<nlohmann::json> members;  // two per page
  std::string next_elsewhere;  // of members: a page on this server
  FetchResult token_answer = {};  // instead of tokens, if it has a status
  FetchResult score_answer = {.status = 204};  // other than 204: no score is kept
  bool down = false;
  std::function<void()> while_scoring = nullptr;
  mutable std::vector<nlohmann::json> line_items = {};
  mutable std::map<std::string, std::vector<nlohmann::json>> scores = {};  // by line item
  mutable std::vector<FetchRequest> requests = {};
};

/// A class whose server is a tool of this platform: s01 and the instructor ann have accounts there.
struct ClassWithPlatform {
  ClassWithPlatform();
  /// As after a restart of the server.
  void restart();

  struct Browser {
    std::string cookie;  // name and value
    std::string state;
    std::string nonce;
  };
  /// A browser that was sent to the platform.
  Browser begin(const std::string& issuer = "https://moodle.example.org");
  /// It comes back with a token of the platform's claims.
  TestClass::Reply come_back(const Browser& browser);
  TestClass::Reply come_back(const Browser& browser, const std::string& token);
  /// A token of these claims, for the browser.
  [[nodiscard]] std::string token_for(const Browser& browser) const;
  /// A whole launch.
  TestClass::Reply launch(const std::string& subject, const std::string& email,
                          const std::string& role = "Learner");
  /// The fault and detail of the last line of the log.
  [[nodiscard]] std::string last_fault() const;
  [[nodiscard]] Lti& lti() { return *served.classroom().lti; }

  TestPlatform platform;
  TestClass served{"", "https://labs.example.org"};
  std::vector<LtiRegistration> registrations = {TestPlatform::registration()};
  std::vector<std::string> log;
};

}  // namespace warpgrade::testing
