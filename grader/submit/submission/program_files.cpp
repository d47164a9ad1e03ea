#include "grader/submit/submission/program_files.h"

#include <fmt/core.h>

#include <string>
#include <system_error>
#include <vector>

#include "grader/core/error.h"
#include "grader/core/source_names.h"
#include "grader/core/text.h"
#include "grader/submit/submission/collect_sources.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

/// What reading sources needs to know of a lab.
Lab no_lab() {
  Lab lab;
  lab.id = "program";
  lab.function = "main";
  lab.program.emplace();
  return lab;
}

Submission program_in(const fs::path& path, const Lab& lab) {
  const TreeResult work = tree_of_work(path);
  const std::string& trouble = work.fault.empty() ? work.problem : work.fault;
  if (!trouble.empty()) throw UsageError(fmt::format("{}: {}", printable(path.string()), trouble));
  std::vector<std::string> programs;
  for (const auto& [name, entry] : work.tree.entries()) {
    if (entry.kind == SourceTree::Kind::file && is_program(name)) programs.push_back(name);
  }
  Submission submission;
  submission.lab = lab.id;
  if (programs.empty()) {
    throw UsageError(fmt::format("there is no .cu file in {}", printable(path.string())));
  }
  static_cast<void>(collect_sources(work.tree, "", programs, lab, submission));
  return submission;
}

}  // namespace

Submission program_at(const fs::path& path) {
  const Lab lab = no_lab();
  std::error_code error;
  std::string stem;
  const bool is_folder = fs::is_directory(path, error);
  if (!is_folder && !is_archive(path, stem) && fs::exists(path, error) &&
      !is_program(path.filename().string())) {
    throw UsageError(
        fmt::format("{} is not a .cu or .hip file, a folder or an archive; give one of these",
                    printable(path.string())));
  }
  Submission submission =
      is_folder || is_archive(path, stem) ? program_in(path, lab) : submission_of_file(path, lab);
  if (!submission.problem.empty()) {
    throw UsageError(fmt::format("{}: {}", printable(path.string()), submission.problem));
  }
  return submission;
}

}  // namespace warpgrade
