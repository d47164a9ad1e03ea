#include <string_view>

#include "fuzz/input.h"
#include "harness/formats/formats.h"

// The first byte says which format and type, the rest is the file.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpgrade;
  if (size == 0) return 0;
  const auto format = static_cast<FileFormat>(data[0] % kNamesOf<FileFormat>.size());
  const auto type = static_cast<ElementType>(data[0] / 16 % element_type_names().size());
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::vector<std::uint64_t> shape = format == FileFormat::image
                                               ? std::vector<std::uint64_t>{2, 3, 3}
                                               : std::vector<std::uint64_t>{4, 3};
  (void)extents_in(format, text);
  if (!format_problem(format, type, shape.size()).empty()) return 0;
  const ReadArray read = read_format(format, type, shape, text);
  fuzz::require(read.array.count() == Array::count_of(shape));
  if (format == FileFormat::numbers) {
    (void)read_format(format, type, shape, text, R"(= (\S+))");
    (void)matches_line(text, "PASSED");
  }
  // What was read whole reads back the same.
  if (read.problem.empty()) {
    const ReadArray again = read_format(format, type, shape, write_format(format, read.array));
    fuzz::require(again.problem.empty());
  }
  return 0;
}
