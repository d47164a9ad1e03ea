#include "grader/class/export/columns.h"

namespace warpgrade {

/// Canvas's gradebook import: five columns that identify the student, one per assignment, and below
/// the header a row with the points possible. Canvas finds a student by ID, SIS User ID or SIS
/// Login ID, in this order, and an assignment by its title, or the number in brackets after it.
///
/// @source Instructure, "How do I import grades in the Gradebook?" and "How do I export grades in
/// the Gradebook?" (community.canvaslms.com)
Exported export_canvas(const ExportInput& input) {
  return export_gradebook(
      input, {.person = {{"Student", [](const RosterEntry& e) { return e.shown_name(); }},
                         {"ID", [](const RosterEntry& e) { return e.canvas_id; }},
                         {"SIS User ID", [](const RosterEntry& e) { return e.sis_id; }},
                         {"SIS Login ID", [](const RosterEntry& e) { return e.sis_login; }},
                         {"Section", [](const RosterEntry& e) { return e.section; }}},
              .lab_header = &LabPlan::canvas,
              .points_possible = true,
              .excused = "EX",
              .ids = {&RosterEntry::canvas_id, &RosterEntry::sis_id, &RosterEntry::sis_login},
              .without_ids = "no canvas_id, sis_id or sis_login in the roster: Canvas may not find "
                             "them"});
}

}  // namespace warpgrade
