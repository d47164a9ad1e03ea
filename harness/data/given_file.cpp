#include "harness/data/given_file.h"

#include <fmt/format.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <system_error>

namespace warpgrade {
namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t kLargestFile = std::uintmax_t{256} << 20U;

std::string read_whole(const TomlTable& entry, const fs::path& file, const std::string& shown) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(file, error);
  if (error) {
    entry.fail("file", fmt::format("{} cannot be read: {}; add the file or correct its name", shown,
                                   error.message()));
  }
  if (size > kLargestFile) {
    entry.fail("file", fmt::format("{} has {} MiB; a dataset's file may have {}, so use a smaller "
                                   "one",
                                   shown, size >> 20U, kLargestFile >> 20U));
  }
  std::ifstream in(file, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (!in || text.size() != size) entry.fail("file", fmt::format("{} cannot be read", shown));
  return text;
}

}  // namespace

fs::path dataset_file(const TomlTable& table, const fs::path& folder, const std::string& name) {
  const fs::path path = fs::path(name).lexically_normal();
  if (name.empty() || path.is_absolute() || *path.begin() == "..") {
    table.fail("file", fmt::format("'file' is '{}'; it must be the name of a file in datasets/{}",
                                   name, folder.filename().string()));
  }
  return folder / path;
}

std::map<std::string, GivenFile> read_given_files(TomlTable table, const fs::path& folder) {
  std::map<std::string, GivenFile> given;
  for (const std::string& name : table.keys()) {
    TomlTable entry = table.table(name);
    if (entry.has("file") == entry.has("text")) {
      table.fail(name, fmt::format("given.{0} needs either a file or a text; write given.{0} = {{ "
                                   "file = \"0/{0}.raw\" }} or {{ text = \"1 2 3\" }}",
                                   name));
    }
    GivenFile one;
    if (entry.has("file")) {
      const std::string file = entry.string("file");
      one.name = fmt::format("datasets/{}/{}", folder.filename().string(), file);
      one.text = read_whole(entry, dataset_file(entry, folder, file), one.name);
    } else {
      one.text = entry.string("text");
    }
    entry.finish();
    given.emplace(name, std::move(one));
  }
  return given;
}

}  // namespace warpgrade
