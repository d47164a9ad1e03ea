#include "grader/serve/pages/side_by_side.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "grader/core/line_diff.h"
#include "grader/core/text.h"

namespace warpgrade {
namespace {

/// Removed lines, and the added ones that replace them.
class HunkRows {
 public:
  void start_hunk(std::size_t old_line, std::size_t new_line) {
    flush();
    old_line_ = old_line;
    new_line_ = new_line;
    gap_ = !rows_.empty() || old_line > 1;
  }
  void equal(std::string_view text) {
    flush();
    add({.old_line = old_line_++,
         .new_line = new_line_++,
         .old_text = std::string(text),
         .new_text = std::string(text)});
  }
  void removed(std::string_view text) {
    if (!added_.empty()) flush();
    removed_.emplace_back(text);
  }
  void added(std::string_view text) { added_.emplace_back(text); }
  std::vector<SideBySideRow> take() {
    flush();
    return std::move(rows_);
  }

 private:
  void add(SideBySideRow row) {
    row.after_gap = gap_;
    gap_ = false;
    rows_.push_back(std::move(row));
  }
  void flush() {
    for (std::size_t i = 0; i < std::max(removed_.size(), added_.size()); ++i) {
      SideBySideRow row{.old_text = {}, .new_text = {}, .changed = true};
      if (i < removed_.size()) {
        row.old_line = old_line_++;
        row.old_text = removed_[i];
      }
      if (i < added_.size()) {
        row.new_line = new_line_++;
        row.new_text = added_[i];
      }
      add(std::move(row));
    }
    removed_.clear();
    added_.clear();
  }

  std::vector<SideBySideRow> rows_;
  std::vector<std::string> removed_, added_;
  std::size_t old_line_ = 1, new_line_ = 1;
  bool gap_ = false;
};

/// The number after `mark` in "@@ -3,7 +3,8 @@".
std::size_t number_after(const std::string& line, char mark) {
  return std::strtoul(line.c_str() + line.find(mark) + 1, nullptr, 10);
}

}  // namespace

std::vector<SideBySideRow> side_by_side(std::string_view old_text, std::string_view new_text) {
  const std::string diff = unified_diff(old_text, new_text, "old", "new");
  HunkRows rows;
  bool in_hunk = false;
  for (const std::string_view line : split_lines(diff)) {
    if (line.starts_with("@@ ")) {
      const std::string header(line);
      rows.start_hunk(number_after(header, '-'), number_after(header, '+'));
      in_hunk = true;
    } else if (in_hunk && !line.empty()) {
      const std::string_view text = line.substr(1);
      if (line[0] == ' ') rows.equal(text);
      if (line[0] == '-') rows.removed(text);
      if (line[0] == '+') rows.added(text);
    }
  }
  return rows.take();
}

}  // namespace warpgrade
