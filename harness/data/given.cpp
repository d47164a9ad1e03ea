#include "harness/data/given.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

namespace warpgrade {

namespace {

constexpr std::uintmax_t kLargestFile = std::uintmax_t{256} << 20U;

std::string read_whole(const TomlTable& entry, const std::filesystem::path& folder,
                       const std::string& name) {
  const std::filesystem::path relative(name);
  bool leaves = relative.is_absolute() || name.empty();
  for (const std::filesystem::path& part : relative) leaves = leaves || part == "..";
  if (leaves) {
    entry.fail("file", fmt::format("'{}' is not a file below datasets/; write its name relative to "
                                   "datasets/",
                                   name));
  }
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(folder / relative, error);
  if (error) {
    entry.fail("file", fmt::format("datasets/{} cannot be read: {}", name, error.message()));
  }
  if (size > kLargestFile) {
    entry.fail("file", fmt::format("datasets/{} has {} MiB; a dataset's file may have {}", name,
                                   size >> 20U, kLargestFile >> 20U));
  }
  std::ifstream in(folder / relative, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (!in || text.size() != size) {
    entry.fail("file", fmt::format("datasets/{} cannot be read", name));
  }
  return text;
}

}  // namespace

std::map<std::string, Given> read_given(TomlTable table, const std::filesystem::path& folder) {
  std::map<std::string, Given> given;
  for (const std::string& name : table.keys()) {
    TomlTable entry = table.table(name);
    if (entry.has("file") == entry.has("text")) {
      table.fail(name, fmt::format("given.{0} needs either a file or a text; write given.{0} = {{ "
                                   "file = \"lab/0/{0}.raw\" }} or {{ text = \"1 2 3\" }}",
                                   name));
    }
    Given one;
    if (entry.has("file")) {
      one.file = entry.string("file");
      one.text = read_whole(entry, folder, one.file);
    } else {
      one.text = entry.string("text");
    }
    entry.finish();
    given.emplace(name, std::move(one));
  }
  return given;
}

}  // namespace warpgrade
