#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "grader/class/grading/results.h"
#include "grader/class/table/changes.h"
#include "grader/class/table/class_record.h"
#include "grader/class/table/gradebook.h"
#include "grader/cli/commands.h"
#include "grader/core/installation.h"
#include "grader/core/instant.h"
#include "grader/core/parallel.h"

namespace warpgrade {

namespace {

/// Prints how the grades change under the current course.toml, compared with the existing class
/// table.
ExitCode say_changes(const std::filesystem::path& out) {
  const ClassRecord record = load_class_record(out, {});
  const Gradebook book = record.with_hand_grades(read_gradebook(out, available_processors()));
  const GradeChanges changes = changes_of(read_earlier_grades(out), book, record.standings(book));
  fmt::print("{}", changes_text(changes, book.rows.size()));
  const Instant now = now_utc();
  const auto released = std::count_if(book.rows.begin(), book.rows.end(), [&](const auto& row) {
    return record.course.released(row.lab, row.student, now);
  });
  fmt::print("Students see their hidden cases in {} of {} grades.\n", released, book.rows.size());
  fmt::print("{}", record.without_effect(book));
  fmt::print("Nothing was written. Run the same command without --dry-run to apply the changes.\n");
  return ExitCode::passed;
}

}  // namespace

void add_report_command(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("report", "Regenerate the pages and tables of a graded class");
  const auto out = std::make_shared<std::filesystem::path>();
  command->add_option("out", *out, "the output folder of `warpgrade grade`")->required();
  const auto dry_run = std::make_shared<bool>(false);
  command->add_flag("--dry-run", *dry_run, "report which grades change, without writing");
  const auto anonymous = std::make_shared<std::filesystem::path>();
  command
      ->add_option("--anonymous", *anonymous,
                   "instead write pages without students' names to this folder, for assistants")
      ->excludes("--dry-run");
  command->callback([&action, out, dry_run, anonymous] {
    action = [out, dry_run, anonymous] {
      if (!anonymous->empty()) {
        const Gradebook book = write_anonymous_pages(*out, *anonymous, find_installation());
        fmt::print("{} grades; open {}\n", book.rows.size(), (*anonymous / "index.html").string());
        return ExitCode::passed;
      }
      if (*dry_run) {
        return say_changes(*out);
      }
      const Gradebook book = rebuild_pages(*out, find_installation(), available_processors());
      fmt::print("{}", load_class_record(*out, {}).without_effect(book));
      fmt::print("{} grades; open {}\n", book.rows.size(), (*out / "index.html").string());
      return ExitCode::passed;
    };
  });
}

}  // namespace warpgrade
