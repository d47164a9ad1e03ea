#include "grader/grade_class/class_work.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/text.h"
#include "grader/session/open_session.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

class Opening {
 public:
  Opening(const ClassOptions& options, const Installation& installation,
          std::optional<CompilerRequest> compiler, DeviceRequest device)
      : options_(options), installation_(installation), compiler_(compiler), device_(device) {}

  ClassWork open(bool says_notes) {
    if (!options_.secret_file.empty()) {
      work_.secret = read_file(options_.secret_file, 1 << 20);
    }
    work_.intake = take_in(options_, find_labs(installation_.root));
    guess_files_of_labs();
    if (says_notes) {
      for (const std::string& note : work_.intake.notes) {
        fmt::print(stderr, "note: {}\n", one_line(note));
      }
    }
    refuse_names_of_one_folder();
    open_sessions(work_.intake.listing.content);
    work_.record = {.course = work_.intake.course, .log = work_.intake.log(labs())};
    find_tasks();
    return std::move(work_);
  }

 private:
  void guess_files_of_labs() {
    std::vector<Lab> loaded;
    for (const std::string& id : wanted_labs()) {
      loaded.push_back(load_lab_by_id(installation_, id));
    }
    std::vector<const Lab*> labs;
    for (const Lab& lab : loaded) labs.push_back(&lab);
    work_.intake.guess(labs, find_labs(installation_.root), !options_.lab.empty());
  }

  /// On a file system that ignores case, Ada's and ada's grades would be in one folder.
  void refuse_names_of_one_folder() const {
    std::error_code error;
    if (!fs::exists(options_.out / ".WARPGRADE", error)) return;
    std::map<std::string, std::string> names;
    for (const StudentEntry& student : work_.intake.students()) {
      std::string lower = student.student;
      std::transform(lower.begin(), lower.end(), lower.begin(),
                     [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
      const auto [it, fresh] = names.emplace(lower, student.student);
      if (!fresh) {
        throw UsageError(fmt::format(
            "{} does not distinguish {} from {}; choose an --out on a case-sensitive file system",
            options_.out.string(), it->second, student.student));
      }
    }
  }

  void find_tasks() {
    for (const StudentEntry& student : work_.intake.students()) {
      for (const auto& session : work_.sessions) {
        if (is_due(student, session->lab())) {
          work_.tasks.push_back({session.get(), &student, {}, 0});
        } else {
          ++work_.not_handed_in[session->lab().id];
        }
      }
    }
  }

  /// Whether a missing file is a grade of 0: for the lab that was requested, and for a student who
  /// submitted nothing at all. With several labs, some may not be due yet.
  [[nodiscard]] bool is_due(const StudentEntry& student, const Lab& lab) const {
    return !options_.lab.empty() || has_submission(student, lab) ||
           std::none_of(work_.sessions.begin(), work_.sessions.end(), [&](const auto& session) {
             return has_submission(student, session->lab());
           });
  }

  void open_sessions(const ClassListing& listing) {
    const CompilerRequest compiler =
        compiler_.value_or(work_.intake.course.compiler.value_or(CompilerRequest::automatic));
    for (const std::string& id : wanted_labs()) {
      Lab lab = load_lab_by_id(installation_, id);
      const bool handed_in =
          !options_.lab.empty() ||
          std::any_of(listing.students.begin(), listing.students.end(),
                      [&](const StudentEntry& s) { return has_submission(s, lab); });
      if (handed_in) {
        work_.sessions.push_back(open_session(installation_, std::move(lab), compiler, device_,
                                              options_.sandbox, options_.profile));
      }
    }
    if (work_.sessions.empty()) {
      throw UsageError(
          fmt::format("nobody in {} submitted a file for any of the labs ({}); expected "
                      "<student>/<lab>.cu",
                      options_.submissions.string(), join_and(find_labs(installation_.root))));
    }
  }

  [[nodiscard]] std::vector<std::string> wanted_labs() const {
    return options_.lab.empty() ? find_labs(installation_.root)
                                : std::vector<std::string>{options_.lab};
  }

  [[nodiscard]] std::vector<const Lab*> labs() const {
    std::vector<const Lab*> all;
    for (const auto& session : work_.sessions) {
      all.push_back(&session->lab());
    }
    return all;
  }

  const ClassOptions& options_;
  const Installation& installation_;
  std::optional<CompilerRequest> compiler_;
  DeviceRequest device_;
  ClassWork work_;
};

}  // namespace

Picked pick(const StudentEntry& attempt, const Lab& lab) {
  try {
    return {.submission = pick_submission(attempt, lab), .fault = {}};
  } catch (const UsageError& e) {
    Picked picked;
    picked.submission.student = attempt.student;
    picked.submission.lab = lab.id;
    picked.submission.attempt = attempt.attempt;
    picked.fault = e.what();
    return picked;
  }
}

ClassWork open_class(const ClassOptions& options, const Installation& installation,
                     std::optional<CompilerRequest> compiler, DeviceRequest device,
                     bool says_notes) {
  return Opening(options, installation, compiler, device).open(says_notes);
}

}  // namespace warpgrade
