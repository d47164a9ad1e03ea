#include <CLI/CLI.hpp>
#include <memory>

#include "grader/class/grading/grade_class.h"
#include "grader/cli/commands.h"
#include "grader/cli/options.h"
#include "grader/core/parallel.h"

namespace warpgrade {

namespace {

void add_slurm_options(CLI::App& command, ClassOptions& options) {
  const auto add = [&](const char* name, auto& value, const char* meaning) {
    return command.add_option(name, value, meaning)->group("With --executor slurm");
  };
  add("--slurm-partition", options.slurm.partition, "the partition (default: the cluster's)");
  add("--slurm-gres", options.slurm.gres, "resources of a job, \"gpu:1\"");
  add("--slurm-time", options.slurm.time, "time limit of a job, \"1:00:00\"");
  add("--slurm-cpus", options.slurm.processors, "processors per job")->check(CLI::Range(1, 1024));
  add("--slurm-at-once", options.slurm.at_once,
      "maximum number of concurrent jobs (default: no limit)");
  add("--slurm-part", options.slurm_part_size, "submissions per job (default: 8 or more)");
  add("--slurm-option", options.slurm.extra, "additional option for sbatch; may be repeated")
      ->allow_extra_args(false);
  // For the cluster's jobs.
  command.add_option("--part-folder", options.part_folder)->group("");
  command.add_option("--part", options.part)->group("");
}

}  // namespace

void add_grade_command(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("grade", "Grade a class: one folder or archive per student");
  const auto options = std::make_shared<ClassOptions>();
  options->jobs = available_processors();
  command->add_option("dir", options->submissions, "<dir>/<student>/<lab>.cu, or .zip or .tar.gz")
      ->required();
  command->add_option("--out", options->out, "the folder for grades and pages")->required();
  command->add_option("--lab", options->lab,
                      "only this lab (default: every lab with a submission)");
  command->add_option("--jobs", options->jobs, "number of concurrent submissions")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  add_run_options(*command, options->run);
  command
      ->add_option("--executor", options->executor,
                   "where to grade: on this machine (local), or as cluster jobs (slurm)")
      ->check(CLI::IsMember({"local", "slurm"}))
      ->capture_default_str();
  command->add_flag("--resume", options->resume,
                    "keep grades in --out whose submission has not changed");
  command->add_flag("!--no-tables", options->tables,
                    "write grades only, not the class's tables and page, which `warpgrade report` "
                    "makes from all grades");
  command->add_flag("--pictures", options->pictures,
                    "in each page, pictures of what the threads did, from a further run of a "
                    "visible case");
  command->add_flag("--wait", options->wait, "wait while another grader uses --out");
  command->add_flag("--dry-run", options->dry_run,
                    "report what would change in --out and for whom, without writing there");
  command->add_option("--secret-file", options->secret_file,
                      "file with the course's secret, from which hidden cases are derived");
  command->add_option("--cache", options->cache,
                      "folder for cached evidence, or none (default: in XDG_CACHE_HOME)");
  add_slurm_options(*command, *options);
  command->add_option("--course", options->course,
                      "due dates, roster, late policy (default: <dir>/course.toml, if present)");
  command->add_option("--mapping", options->mapping,
                      "whose work is whose, as `warpgrade intake` writes it (default: "
                      "<dir>/mapping.csv, if present)");
  const auto layout = std::make_shared<std::string>("auto");
  command
      ->add_option("--layout", *layout,
                   "layout of the submissions, if it cannot be detected from names")
      ->check(CLI::IsMember(layout_names()))
      ->capture_default_str();
  command->add_option("--student", options->student,
                      "<dir> is the submission of this one student, as in a checkout");
  command->add_option("--submitted-at", options->submitted_at,
                      "submission time: 2026-11-20T23:59:00+01:00");
  command->callback([&action, options, layout] {
    options->layout = layout_of_name(*layout);
    if (options->layout == Layout::one && options->student.empty()) {
      throw CLI::ValidationError("--layout one", "requires --student");
    }
    if (options->layout != Layout::one && options->layout != Layout::automatic &&
        !options->student.empty()) {
      throw CLI::ValidationError("--student", "is for one student's folder, not for a --layout");
    }
    if (options->dry_run && options->executor != "local") {
      throw CLI::ValidationError("--dry-run", "is for --executor local");
    }
    action = [options] { return grade_class(*options); };
  });
}

}  // namespace warpgrade
