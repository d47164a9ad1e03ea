#include "grader/serve/store/address.h"

#include <string_view>

#include "grader/core/error.h"

namespace warpgrade {
namespace {

/// A user with a password before the host, which may have signs in it that should have been
/// encoded, or a parameter `password`.
bool has_password(std::string_view url) {
  const std::string_view rest = url.substr(url.find("://") + 3);
  const std::size_t at = rest.rfind('@');
  if (at != std::string_view::npos && rest.substr(0, at).find(':') != std::string_view::npos) {
    return true;
  }
  return rest.find("?password=") != std::string_view::npos ||
         rest.find("&password=") != std::string_view::npos;
}

}  // namespace

DatabaseAddress::DatabaseAddress(std::string url_text, std::string secret,
                                 std::filesystem::path folder)
    : url(std::move(url_text)), password(std::move(secret)), library(std::move(folder)) {
  if (!url.starts_with("postgresql://") && !url.starts_with("postgres://")) {
    throw UsageError(
        "--database takes the URL of a PostgreSQL database: postgresql://labs@db.example.org/"
        "warpgrade. Without it everything is in a file of SQLite, in the folder --data");
  }
  if (has_password(url)) {
    throw UsageError(
        "--database has a password, which everybody on this machine can read in the list of "
        "processes. Leave it out, and name a file with it by --database-password-file");
  }
}

}  // namespace warpgrade
