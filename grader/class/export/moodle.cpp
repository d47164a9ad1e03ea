#include "grader/class/export/columns.h"

namespace warpgrade {

/// Moodle's grade import from CSV: a header, columns that identify a student (chosen when
/// importing), and one per grade item. No feedback column: importing feedback without a grade makes
/// Moodle delete existing grades.
///
/// @source MoodleDocs, "Grade import"
Exported export_moodle(const ExportInput& input) {
  return export_gradebook(
      input, {.person = {{"Full name", [](const RosterEntry& e) { return e.shown_name(); }},
                         {"ID number", [](const RosterEntry& e) { return e.moodle_id; }},
                         {"Username", [](const RosterEntry& e) { return e.moodle_username; }},
                         {"Email address", [](const RosterEntry& e) { return e.email; }}},
              .lab_header = &LabPlan::moodle,
              .ids = {&RosterEntry::moodle_id, &RosterEntry::moodle_username, &RosterEntry::email},
              .without_ids = "no moodle_id, moodle_username or email in the roster: Moodle cannot "
                             "find them"});
}

}  // namespace warpgrade
