#include "grader/class/grading/part.h"

#include <fmt/core.h>

#include "grader/class/grading/row_file.h"
#include "grader/core/error.h"
#include "grader/core/files.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

fs::path part_file(const fs::path& folder, std::size_t number) {
  return folder / fmt::format("part-{}.tasks", number);
}

fs::path result_file(const Part& part, std::size_t index) {
  return part.folder / "results" / fmt::format("{}-{}.json", part.number, index);
}

}  // namespace

void write_part(const Part& part) {
  // Fields end with a zero byte, because a folder's name may contain any other bytes.
  std::string text = std::to_string(static_cast<int>(part.device)) + '\0' +
                     std::string(slug(part.compiler)) + '\0';
  for (const auto& [student, lab] : part.tasks) {
    text += student + '\0' + lab + '\0';
  }
  write_file_atomically(part_file(part.folder, part.number), text);
}

Part read_part(const fs::path& folder, std::size_t number) {
  const fs::path file = part_file(folder, number);
  const std::string text = read_file(file);
  std::vector<std::string> fields;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = text.find('\0', start);
    if (end == std::string::npos) {
      throw UsageError(fmt::format("{} is not part of a class, or is damaged", file.string()));
    }
    fields.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  const std::optional<CompilerRequest> compiler =
      fields.size() > 1 ? from_slug<CompilerRequest>(fields[1]) : std::nullopt;
  if (fields.size() % 2 != 0 || !compiler) {
    throw UsageError(fmt::format("{} is not part of a class, or is damaged", file.string()));
  }
  Part part{.folder = folder,
            .number = number,
            .compiler = *compiler,
            .device = DeviceRequest::emulator,
            .tasks = {}};
  part.device = fields[0] == std::to_string(static_cast<int>(DeviceRequest::cuda))
                    ? DeviceRequest::cuda
                    : DeviceRequest::emulator;
  for (std::size_t i = 2; i < fields.size(); i += 2) {
    part.tasks.emplace_back(fields[i], fields[i + 1]);
  }
  return part;
}

void write_part_result(const Part& part, std::size_t index, const GradeRow& row) {
  write_row_file(result_file(part, index), {.key = {}, .grade = {}, .page = {}, .row = row});
}

std::optional<GradeRow> find_part_result(const Part& part, std::size_t index) {
  const auto& [student, lab] = part.tasks.at(index);
  const std::optional<RowFile> result = read_row_file(result_file(part, index), student, lab);
  return result ? std::optional(result->row) : std::nullopt;
}

}  // namespace warpgrade
