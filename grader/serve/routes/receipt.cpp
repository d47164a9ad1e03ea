#include "grader/serve/routes/receipt.h"

#include <fmt/core.h>

#include "grader/core/sha256.h"
#include "grader/core/text.h"
#include "grader/serve/classroom/rules.h"

namespace warpgrade {

std::string receipt_line(const Server& server, const KeptAttempt& attempt) {
  const std::string late = server.classroom == nullptr
                               ? std::string()
                               : lateness_of(server.classroom->files.record()->course, attempt);
  return fmt::format("{}-{}{}{}", attempt.id, attempt.files_hash.substr(0, 12),
                     late.empty() ? "" : ", ", late);
}

std::string receipt_text(const Server& server, const KeptAttempt& attempt) {
  std::string text = fmt::format("Receipt {}\n", receipt_line(server, attempt));
  if (!attempt.person.empty()) text += fmt::format("Student: {}\n", one_line(attempt.person));
  text += fmt::format("Lab: {}\nSubmitted: {}\n", attempt.lab, instant_text(submitted_at(attempt)));
  for (const auto& [name, content] : server.store.files(attempt.id)) {
    Sha256 sha;
    sha.add(content);
    text += fmt::format("SHA-256: {}  {}\n", sha.hex(), one_line(name));
  }
  return text;
}

}  // namespace warpgrade
