#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "grader/class/similar/earlier.h"
#include "grader/class/similar/similar_lab.h"
#include "grader/class/similar/similar_page.h"
#include "grader/cli/commands.h"
#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/text.h"
#include "grader/run/session/open_session.h"
#include "grader/submit/submission/guess.h"
#include "grader/submit/submission/layout.h"
#include "grader/submit/submission/submission.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

struct SimilarOptions {
  fs::path submissions;
  std::vector<fs::path> against;
  std::string lab;
  fs::path html;
  SimilarChoice choice;
};

/// All programs of the folders that the class is compared with.
std::vector<EarlierProgram> all_earlier(const std::vector<fs::path>& folders) {
  std::vector<EarlierProgram> all;
  std::vector<std::string> notes;
  for (const fs::path& folder : folders) {
    std::vector<EarlierProgram> some = earlier_programs(folder, notes);
    std::move(some.begin(), some.end(), std::back_inserter(all));
  }
  for (const std::string& note : notes) fmt::print(stderr, "note: {}\n", note);
  return all;
}

SimilarLab compare(const Lab& lab, ClassListing& listing, const std::vector<std::string>& ids,
                   const std::vector<EarlierProgram>& earlier, const SimilarOptions& options) {
  std::vector<SubmittedWork> works;
  GuessScope scope{.labs = {&lab}, .ids = ids, .assigned = {}, .one_asked = !options.lab.empty()};
  if (scope.one_asked) scope.assigned.insert(lab.id);
  guess_files(listing, scope);
  for (const StudentEntry& student : listing.students) {
    Submission submission;
    try {
      submission = pick_submission(student, lab);
    } catch (const UsageError& e) {
      fmt::print(stderr, "note: {} {} is skipped: {}\n", student.student, lab.id,
                 one_line(e.what()));
      continue;
    }
    if (submission.problem.empty()) {
      works.push_back({.student = submission.student, .files = std::move(submission.files)});
    } else if (has_submission(student, lab)) {
      fmt::print(stderr, "note: {} {} is skipped: {}\n", printable(student.student), lab.id,
                 one_line(submission.problem));
    }
  }
  return similar_of_lab(lab, std::move(works), earlier, options.choice);
}

ExitCode similar(const SimilarOptions& options) {
  const Installation installation = find_installation();
  ListRequest request;
  request.folder = options.submissions;
  request.not_submissions = {"course.toml"};
  ClassListing listing = list_submissions(request).content;
  const std::vector<std::string> all = find_labs(installation.root);
  const std::vector<EarlierProgram> earlier = all_earlier(options.against);
  std::vector<SimilarLab> labs;
  const std::vector<std::string> ids =
      options.lab.empty() ? all : std::vector<std::string>{options.lab};
  for (const std::string& id : ids) {
    SimilarLab lab = compare(load_lab_by_id(installation, id), listing, all, earlier, options);
    if (!lab.works.empty()) {
      labs.push_back(std::move(lab));
    }
  }
  if (labs.empty()) {
    throw UsageError(
        fmt::format("nobody in {} submitted a file for {}; expected <student>/<lab>.cu",
                    options.submissions.string(), join_and(ids)));
  }
  fmt::print("{}", similar_text(labs));
  if (!options.html.empty()) {
    write_file_atomically(options.html, similar_page(labs));
    fmt::print("Side by side: {}\n", options.html.string());
  }
  return ExitCode::passed;
}

}  // namespace

void add_similar_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("similar", "List similar submissions for manual review");
  const auto options = std::make_shared<SimilarOptions>();
  command->add_option("dir", options->submissions, "a class, in the layout of `warpgrade grade`")
      ->required();
  command->add_option("--lab", options->lab,
                      "only this lab (default: every lab with a submission)");
  command->add_option(
      "--against", options->against,
      "an earlier class, or a folder of programs, to compare with; may be repeated");
  command->add_option("--html", options->html, "write the pairs side by side to this file");
  command->add_option("--pairs", options->choice.pairs, "maximum number of pairs per lab")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  command->add_option("--least", options->choice.least, "minimum similarity in percent")
      ->check(CLI::Range(0, 100))
      ->capture_default_str();
  command->callback([&action, options] { action = [options] { return similar(*options); }; });
}

}  // namespace warpgrade
