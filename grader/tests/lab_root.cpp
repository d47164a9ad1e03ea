#include "grader/tests/lab_root.h"

#include <regex>

#include "grader/core/text.h"
#include "grader/tests/program.h"

namespace warpgrade::testing {
namespace fs = std::filesystem;

LabRoot::LabRoot() {
  fs::create_directory(folder.path() / "labs");
  fs::create_directory_symlink(source_folder() / "docs", folder.path() / "docs");
}

ProcessResult LabRoot::run(const std::vector<std::string>& arguments) const {
  return warpgrade(arguments, {{"WARPGRADE_ROOT", folder.path().string()}});
}

fs::path LabRoot::operator/(std::string_view path) const {
  return folder.path() / path;
}

std::vector<std::pair<std::string, std::string>> documented_files(const std::string& lab) {
  static const std::regex kCaption("^`([a-z_/]+\\.[a-z]+)`.*:$");
  std::vector<std::pair<std::string, std::string>> files;
  std::string path;
  bool inside = false;
  const std::string page = read_file(source_folder() / "docs" / "adding-a-lab.md");
  for (const std::string_view view : split_lines(page)) {
    const std::string line(view);
    std::smatch match;
    if (line.starts_with("```")) {
      inside = !inside && !path.empty();
      if (inside) files.emplace_back(std::exchange(path, ""), "");
    } else if (inside) {
      files.back().second += line + "\n";
    } else if (std::regex_match(line, match, kCaption) && contains(match[1].str(), lab)) {
      path = match[1];
    }
  }
  return files;
}

}  // namespace warpgrade::testing
