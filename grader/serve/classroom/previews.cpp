#include "grader/serve/classroom/previews.h"

#include <algorithm>
#include <optional>
#include <system_error>

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

const GradeRow* row_in(const Gradebook& book, const GradeRow& like) {
  const auto it = std::find_if(book.rows.begin(), book.rows.end(), [&](const GradeRow& row) {
    return row.student == like.student && row.lab == like.lab && !row.by_hand;
  });
  return it == book.rows.end() ? nullptr : &*it;
}

}  // namespace

GradeChanges compare_regrade(const ClassRecord& record, const Gradebook& current,
                             const Gradebook& regraded, const std::set<std::string>& newer) {
  Gradebook before, after;
  for (const GradeRow& row : regraded.rows) {
    if (newer.contains(row.student)) continue;
    after.rows.push_back(row);
    if (const GradeRow* now = row_in(current, row)) before.rows.push_back(*now);
  }
  return changes_of(earlier_grades(before, record.standings(before)), after,
                    record.standings(after), [&](const GradeRow& row) -> std::optional<GradeRow> {
                      const GradeRow* now = row_in(before, row);
                      return now == nullptr ? std::nullopt : std::optional(*now);
                    });
}

fs::path Previews::folder(std::int64_t regrade) const {
  return folder_ / std::to_string(regrade);
}

Gradebook Previews::book(std::int64_t regrade) {
  const std::lock_guard lock(mutex_);
  return grades_.try_emplace(regrade, folder(regrade)).first->second.book();
}

void Previews::remove(std::int64_t regrade) {
  const std::lock_guard lock(mutex_);
  grades_.erase(regrade);
  std::error_code error;
  fs::remove_all(folder(regrade), error);
}

}  // namespace warpgrade
