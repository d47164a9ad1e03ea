#include "grader/serve/lti/registration.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/text.h"
#include "harness/core/lab_error.h"

namespace warpgrade {
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
namespace {

constexpr const char* kFile = R"toml(schema = 1
[[platform]]
issuer = "https://moodle.example.org"
client_id = "labs"
deployment_ids = ["1"]
authorization_url = "https://moodle.example.org/mod/lti/auth.php"
token_url = "https://moodle.example.org/mod/lti/token.php"
jwks_url = "https://moodle.example.org/mod/lti/certs.php"
)toml";

struct Written {
  ScratchFolder scratch;
  std::vector<LtiRegistration> read(const std::string& text) {
    write_file_atomically(scratch.path() / "lti.toml", text);
    return load_lti_registrations(scratch.path() / "lti.toml");
  }
};

TEST_CASE("a registration at a platform is read, and names are compared by e-mail address",
          "[serve][unit]") {
  Written file;
  const std::vector<LtiRegistration> all = file.read(kFile);
  REQUIRE(all.size() == 1);
  CHECK(all[0].name() == "moodle.example.org");
  CHECK(all[0].deployments == std::vector<std::string>{"1"});
  CHECK(all[0].audience == all[0].token_url);
  CHECK(all[0].column == "email");
  const std::string other = replace_all(kFile, "[\"1\"]",
                                        "[\"1\", \"2\"]\naccount = \"user_username\"\n"
                                        "token_audience = \"https://moodle.example.org\"");
  CHECK(file.read(other)[0].column == "student");
  CHECK(file.read(other)[0].audience == "https://moodle.example.org");
}

TEST_CASE("each member of a registration that is missing or malformed is named", "[serve][unit]") {
  Written file;
  const auto refuses = [&](const std::string& from, const std::string& to,
                           const std::string& message) {
    CAPTURE(from, to);
    const std::string text = replace_all(kFile, from, to);
    REQUIRE(text != kFile);
    CHECK_THROWS_MATCHES(file.read(text), LabError, MessageMatches(ContainsSubstring(message)));
  };
  const std::string platform = "[[platform]] \"https://moodle.example.org\"";
  const auto missing = [&](const std::string& line, const std::string& key) {
    refuses(line + "\n", "",
            "lti.toml:2: key '" + key + "' is missing in " +
                (key == "issuer" ? "[[platform]] number 1" : platform));
  };
  missing("issuer = \"https://moodle.example.org\"", "issuer");
  missing("client_id = \"labs\"", "client_id");
  missing("deployment_ids = [\"1\"]", "deployment_ids");
  missing("authorization_url = \"https://moodle.example.org/mod/lti/auth.php\"",
          "authorization_url");
  missing("token_url = \"https://moodle.example.org/mod/lti/token.php\"", "token_url");
  missing("jwks_url = \"https://moodle.example.org/mod/lti/certs.php\"", "jwks_url");
  refuses("\"labs\"", "\"\"", "lti.toml:4: key 'client_id' has to be one line of text");
  refuses("\"labs\"", "17", "lti.toml:4: key 'client_id' in " + platform + " must be");
  refuses("[\"1\"]", "[]", "lti.toml:5: key 'deployment_ids' has to be a list of one or more");
  refuses("[\"1\"]", "[\"\"]", "lti.toml:5: key 'deployment_ids' has to be a list of one or more");
  refuses("[\"1\"]", "\"1\"", "key 'deployment_ids' in " + platform + " must be a list of strings");
  refuses("https://moodle.example.org/mod/lti/token.php", "http://moodle.example.org/token",
          "lti.toml:7: key 'token_url' is 'http://moodle.example.org/token'; write the platform's "
          "address with https");
  refuses("https://moodle.example.org/mod/lti/certs.php", "certs.php",
          "lti.toml:8: key 'jwks_url' is 'certs.php'; write the platform's address with https");
  refuses("deployment_ids", "deployments", "key 'deployment_ids' is missing");
  refuses("[\"1\"]", "[\"1\"]\ndeployment = 1", "unknown key 'deployment' in " + platform);
  refuses("[\"1\"]", "[\"1\"]\naccount = \"name\"",
          "lti.toml:6: key 'account' is 'name'; write email, sub,");
  refuses("[\"1\"]", "[\"1\"]\ncolumn = \"grade\"", "lti.toml:6: key 'column' in " + platform);
  refuses("[\"1\"]", "[\"1\"]\ncontext_ids = []", "lti.toml:6: key 'context_ids' has to be a list");
  refuses("schema = 1", "schema = 2", "lti.toml:1: this version of warpgrade reads schema 1");
  const auto refuses_file = [&](const std::string& text, const std::string& message) {
    CHECK_THROWS_MATCHES(file.read(text), LabError, MessageMatches(ContainsSubstring(message)));
  };
  refuses_file("schema = 1\n", "there is no [[platform]]; docs/serve.md has an example");
  refuses_file(std::string(kFile) + std::string(kFile).substr(std::string(kFile).find('[')),
               "this issuer and client_id stand in an earlier [[platform]]");
  CHECK_THROWS_MATCHES(load_lti_registrations(file.scratch.path() / "other.toml"), UsageError,
                       MessageMatches(ContainsSubstring("--lti: there is no file")));
}

}  // namespace
}  // namespace warpgrade
