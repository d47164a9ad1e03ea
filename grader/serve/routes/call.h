#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "grader/core/installation.h"
#include "grader/serve/classroom/class_files.h"
#include "grader/serve/classroom/limiter.h"
#include "grader/serve/classroom/previews.h"
#include "grader/serve/http/message.h"
#include "grader/serve/http/site.h"
#include "grader/serve/http/url.h"
#include "grader/serve/identity/provider_sign_in.h"
#include "grader/serve/jobs/jobs.h"
#include "grader/serve/lti/lti.h"
#include "grader/serve/store/sessions.h"
#include "grader/serve/store/store.h"
#include "harness/core/names.h"
#include "harness/lab/lab.h"

namespace warpgrade {

enum class CallerRole : std::uint8_t {
  anonymous,  // who has not signed in
  student,
  assistant,
  instructor,
  owner,  // the one person of a server without a course
};
constexpr auto names_of(CallerRole) {
  return names_up_to<CallerRole::owner>("anonymous", "student", "assistant", "instructor", "owner");
}

/// Who sends a request.
struct Caller {
  CallerRole role = CallerRole::anonymous;
  std::string name;  // in the roster, or of the staff; empty for the owner
  std::string session;  // its token; empty without one

  [[nodiscard]] bool is_staff() const {
    return role == CallerRole::assistant || role == CallerRole::instructor;
  }
  /// What forms of this session's pages send along: other sites' pages do not know it.
  [[nodiscard]] std::string form_token() const;
};

/// What a server for a class has in addition.
struct Classroom {
  /// @param database         the store's
  /// @param folder           of the server: previews of regrades are in it
  /// @param failed_sign_ins  that are allowed per address and minute
  /// @param per_minute       checks that a student may begin per minute, and as many submissions
  Classroom(std::filesystem::path course, std::filesystem::path results,
            std::vector<std::string> known_labs, const DatabaseAddress& database,
            const std::filesystem::path& folder, std::size_t failed_sign_ins,
            std::size_t per_minute)
      : files(std::move(course), std::move(results), std::move(known_labs)),
        previews(folder / "regrades"),
        sessions(database),
        sign_ins(failed_sign_ins, std::chrono::seconds(60)),
        checks(per_minute, std::chrono::seconds(60)),
        submissions(per_minute, std::chrono::seconds(60)) {}

  ClassFiles files;
  Previews previews;  // in the server's folder
  Sessions sessions;
  Limiter sign_ins;  // that failed, by address
  Limiter checks;  // by student
  Limiter submissions;
  std::mutex regrades_mutex;  // one ends at a time
  std::unique_ptr<ProviderSignIn> provider;  // null: no accounts of a provider
  std::unique_ptr<Lti> lti;  // null: no learning platform
};

/// What handlers work on.
struct Server {
  Installation installation;
  std::vector<Lab> labs;
  Site site;
  Store& store;
  Jobs& jobs;
  Classroom* classroom = nullptr;  // null on a server for one person
  std::optional<Lab> playground = std::nullopt;  // playground_lab(); nothing: there is none
  std::mutex handouts_mutex = {};
  std::map<std::string, std::string> handouts = {};  // rendered, by lab

  /// A lab, of the course or not, or the playground; null if there is none with this id.
  [[nodiscard]] const Lab* find_lab(const std::string& id) const;
};

/// A request that may be answered: its route is the caller's, and what it names is there and the
/// caller's to see.
struct Call {
  const HttpRequest& request;
  const Target& target;
  Caller caller = {};
  const Lab* lab = nullptr;  // {lab}
  std::optional<KeptAttempt> attempt = std::nullopt;  // {attempt}
  std::string student = {};  // {student}
  std::string name = {};  // {name}
  std::map<std::string, std::string> form = {};  // the fields of a form
};

}  // namespace warpgrade
