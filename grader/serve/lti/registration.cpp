#include "grader/serve/lti/registration.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <system_error>

#include "grader/core/error.h"
#include "grader/core/text.h"
#include "grader/serve/identity/requests.h"
#include "grader/submit/course/roster.h"
#include "harness/core/toml_table.h"

namespace warpgrade {
namespace {

std::string text_of(TomlTable& table, std::string_view key) {
  std::string text = table.string(key);
  if (text.empty() || !is_one_line(text)) {
    table.fail(key, fmt::format("key '{}' has to be one line of text; copy it from the platform's "
                                "page of this tool",
                                key));
  }
  return text;
}

std::string url_of(TomlTable& table, std::string_view key) {
  std::string url = text_of(table, key);
  if (!is_safe_url(url)) {
    table.fail(key, fmt::format("key '{}' is '{}'; write the platform's address with https (http "
                                "only on this machine)",
                                key, printable(url)));
  }
  return url;
}

std::vector<std::string> texts_of(TomlTable& table, std::string_view key) {
  std::vector<std::string> texts = table.strings(key);
  const bool valid = std::all_of(texts.begin(), texts.end(), [](const std::string& text) {
    return !text.empty() && is_one_line(text);
  });
  if (texts.empty() || !valid) {
    table.fail(key, fmt::format("key '{}' has to be a list of one or more texts: [\"1\"]", key));
  }
  return texts;
}

bool is_account(const std::string& account) {
  constexpr std::string_view kPrefix = "custom.";
  return account == "email" || account == "sub" || account == "person_sourcedid" ||
         account == "user_username" ||
         (account.starts_with(kPrefix) && account.size() > kPrefix.size());
}

LtiRegistration read_platform(TomlTable& table) {
  LtiRegistration one;
  one.issuer = url_of(table, "issuer");
  table.set_title(fmt::format("[[platform]] \"{}\"", one.issuer));
  one.client = text_of(table, "client_id");
  one.deployments = texts_of(table, "deployment_ids");
  one.authorization_url = url_of(table, "authorization_url");
  one.token_url = url_of(table, "token_url");
  one.jwks_url = url_of(table, "jwks_url");
  one.audience = table.has("token_audience") ? text_of(table, "token_audience") : one.token_url;
  if (table.has("context_ids")) one.contexts = texts_of(table, "context_ids");
  one.account = table.string_or("account", one.account);
  if (!is_account(one.account)) {
    table.fail("account", fmt::format("key 'account' is '{}'; write email, sub, person_sourcedid, "
                                      "user_username or custom.NAME",
                                      printable(one.account)));
  }
  const std::vector<std::string> columns = id_columns();
  one.column = columns.at(table.choice_or(
      "column", columns,
      static_cast<std::size_t>(
          std::find(columns.begin(), columns.end(), one.account == "email" ? "email" : "student") -
          columns.begin())));
  table.finish();
  return one;
}

}  // namespace

std::string LtiRegistration::name() const {
  return std::string(authority_of(issuer));
}

std::vector<LtiRegistration> load_lti_registrations(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) {
    throw UsageError(
        fmt::format("--lti: there is no file {}; docs/serve.md has an example", file.string()));
  }
  TomlTable table = TomlTable::parse(file, file.parent_path());
  if (table.integer_or("schema", 1) != 1) {
    table.fail("schema", "this version of warpgrade reads schema 1; write schema = 1");
  }
  std::vector<LtiRegistration> all;
  for (TomlTable& entry : table.tables("platform")) {
    LtiRegistration one = read_platform(entry);
    const bool twice = std::any_of(all.begin(), all.end(), [&](const LtiRegistration& other) {
      return other.issuer == one.issuer && other.client == one.client;
    });
    if (twice) {
      entry.fail(
          "client_id",
          "this issuer and client_id stand in an earlier [[platform]]; write its deployments "
          "into one list");
    }
    all.push_back(std::move(one));
  }
  if (all.empty()) {
    table.fail("platform", "there is no [[platform]]; docs/serve.md has an example");
  }
  table.finish();
  return all;
}

}  // namespace warpgrade
