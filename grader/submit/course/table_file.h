#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade {

/// A CSV file with a header of known columns, as the roster and the submission times are, in the
/// encodings of decode_text(), with commas, semicolons or tabs between fields. Every error is a
/// LabError "roster.csv:12: what is wrong; what to do".
class TableFile {
 public:
  struct Row {
    std::size_t line = 1;
    std::map<std::string, std::string, std::less<>> values;  // without spaces around them

    /// Empty if there is no such column.
    [[nodiscard]] const std::string& at(std::string_view column) const;
  };

  /// @param shown     what messages call the file
  /// @param columns   all that the header may contain; the first `required` are mandatory
  TableFile(std::string_view text, std::string shown, const std::vector<std::string>& columns,
            std::size_t required);

  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
  /// @throws LabError
  [[noreturn]] void fail(std::size_t line, const std::string& what) const;

 private:
  std::string shown_;
  std::vector<Row> rows_;
};

/// Reads the text of a file that course.toml names.
/// @throws LabError  if it cannot be read
[[nodiscard]] std::string read_course_file(const std::filesystem::path& file,
                                           const std::string& shown);

}  // namespace warpgrade
