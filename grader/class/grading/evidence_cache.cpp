#include "grader/class/grading/evidence_cache.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "grader/core/error.h"
#include "grader/core/sha256.h"
#include "grader/core/user_cache.h"
#include "grader/judge/assess/assess.h"
#include "grader/run/session/identity.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

/// What a clock stopped may end on a machine that is less busy, so it is run again.
bool was_stopped_by_clock(const Observed& seen) {
  return std::ranges::any_of(seen.evidence.cases, &CaseOutcome::stopped_by_clock);
}

constexpr std::string_view kFormat = "warpgrade evidence 1";
constexpr std::uint64_t kMaxEntry = std::uint64_t{64} << 20;

bool has_hidden_case(const Lab& lab) {
  return std::any_of(lab.cases.begin(), lab.cases.end(), [](const Case& c) { return !c.visible; });
}

/// The default folder for evidence; empty if there is none, or it is "none".
fs::path default_cache_folder() {
  if (const char* own = std::getenv("WARPGRADE_CACHE"); own != nullptr && *own != '\0') {
    return std::string_view(own) == "none" ? fs::path() : fs::path(own);
  }
  return cache_file("evidence", "");
}

/// Adds the student and attempt if data are personal.
void add_person(const Lab& lab, const Submission& submission, const std::string& secret,
                Sha256& sha) {
  if (!secret.empty() && has_hidden_case(lab)) {
    sha.add_field(secret);
    sha.add_field(submission.student);
    sha.add_field(std::to_string(submission.attempt));
  }
}

}  // namespace

std::string grade_key(const LabSession& session, const Submission& submission,
                      const std::string& secret) {
  Sha256 sha;
  sha.add_field("warpgrade grade 1");
  sha.add_field(session.lab().id);
  for (const auto& [name, value] : environment_of(session, submission, secret)) {
    sha.add_field(name);
    sha.add_field(value);
  }
  add_person(session.lab(), submission, secret, sha);
  return sha.hex();
}

std::string evidence_key(const LabSession& session, const Submission& submission,
                         const std::string& secret) {
  Sha256 sha;
  sha.add_field(kFormat);
  sha.add_field(identity_of_program(session.for_files(submission.files).lab()));
  for (const auto& [name, value] : environment_of(session, submission, secret)) {
    if (name != "lab") {
      sha.add_field(name);
      sha.add_field(value);
    }
  }
  add_person(session.lab(), submission, secret, sha);
  return sha.hex();
}

EvidenceCache::EvidenceCache() : scratch_(std::in_place), folder_(scratch_->path()) {}

EvidenceCache::EvidenceCache(fs::path folder) : folder_(std::move(folder)) {
  require_writable_folder(folder_);
}

fs::path EvidenceCache::file_of(const std::string& key) const {
  return folder_ / key.substr(0, 2) / (key + ".evidence");
}

/// An entry consists of a line with format and key, a line with the SHA-256 of the rest, and the
/// rest.
std::optional<Observed> EvidenceCache::find(const std::string& key) const {
  const fs::path file = file_of(key);
  std::error_code error;
  if (!fs::exists(file, error)) {
    return std::nullopt;
  }
  try {
    const std::string text = read_file(file, kMaxEntry);
    const std::string head = fmt::format("{} {}\n", kFormat, key);
    const std::size_t body = head.size() + 65;
    if (!text.starts_with(head) || text.size() < body) {
      return std::nullopt;
    }
    Sha256 sha;
    sha.add(std::string_view(text).substr(body));
    if (text.compare(head.size(), 64, sha.hex()) != 0) {
      return std::nullopt;
    }
    return observed_from_bytes(std::string_view(text).substr(body));
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

void EvidenceCache::store(const std::string& key, const Observed& seen) const {
  try {
    const std::string body = to_bytes(seen);
    Sha256 sha;
    sha.add(body);
    write_file_atomically(file_of(key),
                          fmt::format("{} {}\n{}\n{}", kFormat, key, sha.hex(), body));
  } catch (const EnvironmentError&) {
    // The grade itself is written to the results, where a failure is reported.
  }
}

Grade EvidenceCache::find_or_make(const std::string& key,
                                  const std::function<std::optional<Grade>(Observed&)>& from,
                                  const std::function<Made(const Observed*)>& make, bool& found) {
  {
    std::unique_lock lock(mutex_);
    ended_.wait(lock, [&] { return !in_work_.contains(key); });
    in_work_.insert(key);
  }
  struct EndOfWork {
    EvidenceCache& cache;
    const std::string& key;
    ~EndOfWork() {
      {
        const std::lock_guard lock(cache.mutex_);
        cache.in_work_.erase(key);
      }
      cache.ended_.notify_all();
    }
  } const release{*this, key};
  std::optional<Observed> known = find(key);
  if (known) {
    if (std::optional<Grade> grade = from(*known)) {
      found = true;
      return *std::move(grade);
    }
  }
  found = false;
  Made made = make(known ? &*known : nullptr);
  if (made.seen && made.grade.status != GradeStatus::error && !was_stopped_by_clock(*made.seen)) {
    store(key, *made.seen);
  }
  return std::move(made.grade);
}

std::unique_ptr<EvidenceCache> open_evidence_cache(const std::string& choice, bool& keeps) {
  const fs::path folder = choice == "none" ? fs::path()
                          : choice.empty() ? default_cache_folder()
                                           : fs::path(choice);
  keeps = !folder.empty();
  try {
    return keeps ? std::make_unique<EvidenceCache>(folder) : std::make_unique<EvidenceCache>();
  } catch (const EnvironmentError&) {
    if (!choice.empty()) {
      throw;
    }
    keeps = false;  // read-only home folder: evidence is kept for this run only
    return std::make_unique<EvidenceCache>();
  }
}

}  // namespace warpgrade
