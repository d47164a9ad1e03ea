#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "grader/class/similar/earlier.h"
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
  std::size_t pairs = 20;
  double least = 30;  // percent
};

/// The code between ``` lines of a handout.
std::string code_blocks(const std::string& markdown) {
  std::string code;
  bool inside = false;
  for (const std::string_view line : split_lines(markdown)) {
    if (line.find("```") != std::string_view::npos) {
      inside = !inside;
    } else if (inside) {
      code += std::string(line) + "\n";
    }
  }
  return code;
}

/// The code that every student was given: all sources in the lab's folder, and the handout's code.
KnownPassages handed_out(const Lab& lab) {
  KnownPassages known;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(lab.folder, error)) {
    const fs::path& file = entry.path();
    if (is_source_name(file.filename().string())) {
      add_known(read_file(file), known);
    } else if (file.extension() == ".md") {
      add_known(code_blocks(read_file(file)), known);
    }
  }
  return known;
}

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
  SimilarLab result{.lab = lab.id, .works = {}, .pairs = {}};
  const KnownPassages known = handed_out(lab);
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
      result.works.push_back(compared_work(submission.student, std::move(submission.files), known));
    } else if (has_submission(student, lab)) {
      fmt::print(stderr, "note: {} {} is skipped: {}\n", printable(student.student), lab.id,
                 one_line(submission.problem));
    }
  }
  if (result.works.empty()) return result;
  for (const EarlierProgram& program : earlier) {
    result.works.push_back(compared_work(program.name, {program.file}, known));
    result.works.back().earlier = true;
  }
  leave_out_common(result.works);
  result.pairs = rank_pairs(result.works);
  fold_copies(result.pairs);
  std::erase_if(result.pairs,
                [&](const SimilarPair& pair) { return 100 * pair.similarity() < options.least; });
  result.pairs.resize(std::min(result.pairs.size(), options.pairs));
  return result;
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
  command->add_option("--pairs", options->pairs, "maximum number of pairs per lab")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  command->add_option("--least", options->least, "minimum similarity in percent")
      ->check(CLI::Range(0, 100))
      ->capture_default_str();
  command->callback([&action, options] { action = [options] { return similar(*options); }; });
}

}  // namespace warpgrade
