#include "grader/class/grading/row_file.h"

#include <nlohmann/json.hpp>
#include <system_error>

#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/record/grade/json_fields.h"

namespace warpgrade {

void write_row_file(const std::filesystem::path& file, const RowFile& content) {
  write_file_atomically(file, JsonWriter::json(content).dump());
}

std::optional<RowFile> read_row_file(const std::filesystem::path& file, const std::string& student,
                                     const std::string& lab) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) {
    return std::nullopt;
  }
  try {
    RowFile content;
    read_json<record::Trust::whole>(nlohmann::ordered_json::parse(read_file(file)), content);
    content.row.student = student;
    content.row.lab = lab;
    return content;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

}  // namespace warpgrade
