#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "grader/core/error.h"

namespace warpgrade {

/// What to run once the command line has been read; set by the chosen subcommand.
using Action = std::function<ExitCode()>;

// Each adds one subcommand; see the file with its name and docs/cli/.
void add_labs_command(CLI::App& app, Action& action);
void add_start_command(CLI::App& app, Action& action);
void add_check_command(CLI::App& app, Action& action);
void add_grade_command(CLI::App& app, Action& action);
void add_intake_command(CLI::App& app, Action& action);
void add_term_command(CLI::App& app, Action& action);
void add_report_command(CLI::App& app, Action& action);
void add_export_command(CLI::App& app, Action& action);
void add_lab_command(CLI::App& app, Action& action);
void add_data_command(CLI::App& app, Action& action);
void add_doctor_command(CLI::App& app, Action& action);
void add_bench_command(CLI::App& app, Action& action);
void add_similar_command(CLI::App& app, Action& action);
void add_time_command(CLI::App& app, Action& action);
void add_handout_command(CLI::App& app, Action& action);
void add_explain_command(CLI::App& app, Action& action);
void add_debug_command(CLI::App& app, Action& action);
void add_serve_command(CLI::App& app, Action& action);
void add_watch_warp_command(CLI::App& app, Action& action);
void add_run_command(CLI::App& app, Action& action);
void add_status_command(CLI::App& app, Action& action);
void add_completion_command(CLI::App& app, Action& action);
/// Of `lab`.
void add_import_libwb_command(CLI::App& lab, Action& action);

/// All of them.
void add_commands(CLI::App& app, Action& action);

}  // namespace warpgrade
