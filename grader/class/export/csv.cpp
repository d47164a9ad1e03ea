#include "grader/class/export/export.h"

namespace warpgrade {

Exported export_csv(const ExportInput& input) {
  const std::vector<Standing> standings = input.record.standings(input.book);
  Exported exported;
  Gradebook book = input.book;
  for (GradeRow& row : book.rows) {
    if (row.by_hand) continue;  // there is nothing else to show
    const StudentView view = view_of(input.grade(row), row, input);
    if (!view.released) {
      row.summary = view.grade.summary;
      row.pitfall = view.grade.pitfall;
      row.flags.clear();
    }
  }
  exported.files.push_back({"", input.record.course.file.empty() ? gradebook_csv(book)
                                                                 : gradebook_csv(book, standings)});
  for (std::size_t i = 0; i < standings.size(); ++i) {
    if (!standings[i].counts()) {
      exported.notes.push_back(withheld_note(input.book.rows[i], standings[i]));
    }
  }
  return exported;
}

}  // namespace warpgrade
