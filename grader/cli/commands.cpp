#include "grader/cli/commands.h"

namespace warpgrade {

void add_commands(CLI::App& app, Action& action) {
  app.require_subcommand(1);
  add_labs_command(app, action);
  add_start_command(app, action);
  add_check_command(app, action);
  add_serve_command(app, action);
  add_debug_command(app, action);
  add_watch_warp_command(app, action);
  add_run_command(app, action);
  add_status_command(app, action);
  add_handout_command(app, action);
  add_explain_command(app, action);
  add_intake_command(app, action);
  add_grade_command(app, action);
  add_report_command(app, action);
  add_term_command(app, action);
  add_export_command(app, action);
  add_lab_command(app, action);
  add_data_command(app, action);
  add_doctor_command(app, action);
  add_bench_command(app, action);
  add_similar_command(app, action);
  add_time_command(app, action);
  add_completion_command(app, action);
}

}  // namespace warpgrade
