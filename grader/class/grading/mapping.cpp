#include "grader/class/grading/mapping.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "grader/core/csv.h"
#include "grader/core/text.h"
#include "grader/submit/course/table_file.h"
#include "harness/core/lab_error.h"

namespace warpgrade {
namespace {

constexpr char kBetweenFiles = ';';

/// Whether a text begins with "%3B" or the like.
bool begins_with_code(std::string_view text) {
  const auto is_digit = [](char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; };
  return text.size() > 2 && text[0] == '%' && is_digit(text[1]) && is_digit(text[2]);
}

/// A file's name for a cell with several: ';', characters that cannot be shown, and spaces at its
/// ends are written as in an address, "%3B".
std::string written_name(const std::string& file) {
  std::string text;
  for (std::size_t i = 0; i < file.size(); ++i) {
    const char c = file[i];
    const auto byte = static_cast<unsigned char>(c);
    const bool is_at_end = i == 0 || i + 1 == file.size();
    const bool is_coded =
        c == kBetweenFiles || byte < ' ' || byte == 0x7F || (c == ' ' && is_at_end) ||
        begins_with_code(std::string_view(file).substr(i)) || (byte >= 0x80 && !is_one_line(file));
    text += is_coded ? fmt::format("%{:02X}", byte) : std::string(1, c);
  }
  return text;
}

/// The name that written_name() has written.
std::string read_name(const std::string& text) {
  std::string file;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!begins_with_code(std::string_view(text).substr(i))) {
      file += text[i];
      continue;
    }
    constexpr int kHexadecimal = 16;
    file += static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, kHexadecimal));
    i += 2;
  }
  return file;
}

std::vector<std::string> files_in(const std::string& cell) {
  std::vector<std::string> files;
  std::string file;
  for (const char c : cell + kBetweenFiles) {
    if (c != kBetweenFiles) {
      file += c;
      continue;
    }
    if (const std::string name(trimmed(file)); !name.empty()) files.push_back(read_name(name));
    file.clear();
  }
  return files;
}

/// A cell without the apostrophe that keeps a spreadsheet from taking it for a formula.
std::string plain(const std::string& cell) {
  const bool is_marked = cell.size() > 1 && cell.front() == '\'' &&
                         std::string_view("=+-@").find(cell[1]) != std::string_view::npos;
  return is_marked ? cell.substr(1) : cell;
}

bool is_of(const MappingLine& line, const StudentEntry& entry) {
  if (line.work == entry.came_as) return true;
  return std::any_of(entry.uploads.begin(), entry.uploads.end(),
                     [&](const auto& upload) { return upload.second == line.work; });
}

/// The folder that all files are in, with '/', or nothing.
std::string common_folder(const std::vector<std::string>& files) {
  const auto folder_of = [](const std::string& file) {
    const std::size_t slash = file.rfind('/');
    return slash == std::string::npos ? std::string() : file.substr(0, slash + 1);
  };
  const std::string first = folder_of(files.front());
  const bool same = std::all_of(files.begin(), files.end(),
                                [&](const std::string& file) { return folder_of(file) == first; });
  return same ? first : "";
}

}  // namespace

Mapping::Mapping(std::vector<MappingLine> lines, std::string shown)
    : lines_(std::move(lines)), shown_(std::move(shown)) {}

std::vector<const MappingLine*> Mapping::of(const StudentEntry& entry) const {
  std::vector<const MappingLine*> found;
  for (const MappingLine& line : lines_) {
    if (is_of(line, entry)) found.push_back(&line);
  }
  return found;
}

void Mapping::assign(StudentEntry& entry) const {
  for (const MappingLine* line : of(entry)) {
    if (line->lab.empty()) continue;
    const bool is_beside = std::any_of(
        line->files.begin(), line->files.end(),
        [&](const std::string& file) { return !entry.tree.find(file) && entry.beside.find(file); });
    if (is_beside) {
      for (const auto& [path, file] : entry.beside.entries()) {
        if (!entry.tree.find(path)) entry.tree.add(path, file);
      }
    }
    for (const std::string& file : line->files) {
      if (!entry.tree.find(file)) {
        fail(*line, fmt::format("there is no '{}' in {}; correct the name, or leave the cell empty",
                                printable(file), printable(line->work)));
      }
    }
    if (line->files.empty()) continue;
    const std::string base = common_folder(line->files);
    LabFiles& files = entry.assigned[line->lab];
    files = {.base = base, .names = {}};
    for (const std::string& file : line->files) files.names.push_back(file.substr(base.size()));
  }
}

void Mapping::fail(const MappingLine& line, const std::string& what) const {
  throw LabError(fmt::format("{}:{}: {}", shown_, line.line, what));
}

Mapping parse_mapping(std::string_view text, const std::string& shown) {
  const TableFile table(text, shown, {"work", "student", "lab", "files", "why"}, 1);
  std::vector<MappingLine> lines;
  std::set<std::pair<std::string, std::string>> seen;
  for (const TableFile::Row& row : table.rows()) {
    for (const char* column : {"student", "lab"}) {
      if (!row.values.contains(column)) {
        table.fail(1, fmt::format("column '{}' is missing; add it", column));
      }
    }
    MappingLine line{.work = read_name(plain(row.at("work"))),
                     .student = plain(row.at("student")),
                     .lab = row.at("lab"),
                     .files = files_in(plain(row.at("files"))),
                     .why = row.at("why"),
                     .line = row.line};
    if (line.work.empty()) {
      table.fail(row.line, "column 'work' is empty; write the folder or file that was submitted");
    }
    if (!line.lab.empty() && !seen.emplace(line.work, line.lab).second) {
      table.fail(row.line, fmt::format("{} is in another line for lab {}, too; delete one",
                                       printable(line.work), printable(line.lab)));
    }
    lines.push_back(std::move(line));
  }
  return {std::move(lines), shown};
}

std::string mapping_csv(const std::vector<MappingLine>& lines) {
  std::string text = csv_line({"work", "student", "lab", "files", "why"});
  for (const MappingLine& line : lines) {
    std::string files;
    for (const std::string& file : line.files) {
      files += (files.empty() ? "" : std::string(1, kBetweenFiles)) + written_name(file);
    }
    text += csv_line({csv_field(written_name(line.work)), csv_field(line.student),
                      csv_field(line.lab), csv_field(files), csv_field(line.why)});
  }
  return text;
}

}  // namespace warpgrade
