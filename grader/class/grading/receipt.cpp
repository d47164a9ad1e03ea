#include "grader/class/grading/receipt.h"

#include <system_error>

#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/sha256.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

fs::path receipt_file(const fs::path& out, const std::string& student, const std::string& lab) {
  return out / ".warpgrade" / "receipts" / student / (lab + ".json");
}

std::string checksum(const fs::path& file) {
  Sha256 sha;
  sha.add(read_file(file));
  return sha.hex();
}

}  // namespace

void write_receipt(const fs::path& out, const GradeRow& row, const std::string& key,
                   const std::string& page) {
  const fs::path grade = out / grade_folder(row.student, row.lab) / "grade.json";
  write_row_file(receipt_file(out, row.student, row.lab),
                 {.key = key, .grade = checksum(grade), .page = page, .row = row});
}

std::optional<RowFile> find_receipt(const fs::path& out, const std::string& student,
                                    const std::string& lab, const std::string& key) {
  const fs::path folder = out / grade_folder(student, lab);
  std::error_code error;
  if (!fs::exists(folder / "grade.json", error) || !fs::exists(folder / "feedback.html", error)) {
    return std::nullopt;
  }
  std::optional<RowFile> receipt = read_row_file(receipt_file(out, student, lab), student, lab);
  try {
    if (receipt && receipt->key == key && receipt->grade == checksum(folder / "grade.json")) {
      return receipt;
    }
  } catch (const UsageError&) {
    // A grade that cannot be read is graded again.
  }
  return std::nullopt;
}

void adopt_receipt(const fs::path& from, const fs::path& out, const std::string& student,
                   const std::string& lab) {
  const fs::path receipt = receipt_file(from, student, lab);
  std::error_code error;
  if (fs::exists(receipt, error)) {
    write_file_atomically(receipt_file(out, student, lab), read_file(receipt));
  }
}

}  // namespace warpgrade
