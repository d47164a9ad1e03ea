#include "grader/serve/routes/class_view.h"

#include <algorithm>
#include <chrono>

#include "grader/core/text.h"
#include "grader/record/grade/grade_json.h"
#include "grader/serve/replies.h"
#include "grader/serve/routes/routes.h"

namespace warpgrade {

ClassData class_data(Server& server) {
  ClassData data{.record = server.classroom->files.record(),
                 .book = server.classroom->files.book(),
                 .labs = server.labs};
  std::erase_if(data.labs,
                [&](const Lab& lab) { return !is_in_course(data.record->course, lab.id); });
  return data;
}

std::map<std::string, AttemptProgress> class_progress(Server& server) {
  auto all = server.classroom->files.attempts();
  const auto record = server.classroom->files.record();
  for (const MadeCheck& check : server.store.made_checks()) {
    if (record->course.roster.find(check.person) == nullptr) continue;  // of staff
    if (server.playground && check.lab == server.playground->id) continue;
    all[{check.person, check.lab}].push_back(
        {.at = Instant(std::chrono::seconds(check.requested_ms / 1000)),
         .mistake = check.complete ? std::string() : check.pitfall,
         .complete = check.complete});
  }
  std::map<std::string, AttemptProgress> progress;
  for (auto& [key, own] : all) {
    std::stable_sort(own.begin(), own.end(),
                     [](const MadeAttempt& a, const MadeAttempt& b) { return a.at < b.at; });
    progress[key.second].add(own);
  }
  return progress;
}

std::string text_in(const Call& call, const std::string& field) {
  constexpr std::size_t kLongest = 4000;
  const std::string text = replace_all(value_of(call.form, field), "\r\n", "\n");
  if (text.size() > kLongest) return {};
  // What is not valid UTF-8 would make the file of decisions unreadable.
  return printable(trimmed(text, " \t\r\n"));
}

HttpResponse no_text() {
  return message(400, "There is no text", "Write one or more words, at most 4,000 characters.");
}

HttpReply grade_document(Server& server, const std::string& student, const std::string& lab,
                         std::optional<int> attempt, Reader reader) {
  const std::filesystem::path& results = server.classroom->files.results();
  const std::filesystem::path file = results / grade_folder(student, lab) / "grade.json";
  std::error_code error;
  std::optional<Grade> grade;
  if (attempt) {
    grade = grade_of_attempt(results, student, lab, *attempt);
  } else if (std::filesystem::exists(file, error)) {
    grade = read_grade(file);
  }
  if (!grade) return message(404, "There is no report", "This work has no grade yet.");
  return document(student_page(results, *grade, *server.classroom->files.record(),
                               server.installation, reader));
}

}  // namespace warpgrade
