#include "grader/submit/submission/build_definitions.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <sstream>

#include "grader/core/text.h"
#include "harness/core/identifier.h"

namespace warpgrade {
namespace {

using Definitions = std::vector<std::pair<std::string, std::string>>;

/// Adds what a word says: NAME or NAME=VALUE, in quotes or not.
void add(std::string_view word, Definitions& found) {
  constexpr std::string_view kQuotes = "\"'";
  while (!word.empty() && kQuotes.find(word.front()) != word.npos) word.remove_prefix(1);
  const std::string_view name = word.substr(0, word.find('='));
  std::string_view value = name.size() < word.size() ? word.substr(name.size() + 1) : "1";
  while (!value.empty() && kQuotes.find(value.front()) != value.npos) value.remove_prefix(1);
  while (!value.empty() && kQuotes.find(value.back()) != value.npos) value.remove_suffix(1);
  if (is_name(name) && value.find_first_of("$@\\") == value.npos) {
    found.emplace_back(name, value);
  }
}

/// The words of a line without its comment.
std::vector<std::string> words_of_build_line(std::string line) {
  line.resize(std::min(line.find('#'), line.size()));
  for (char& c : line) c = c == '(' || c == ')' || c == ';' ? ' ' : c;
  std::istringstream in(line);
  return {std::istream_iterator<std::string>(in), std::istream_iterator<std::string>()};
}

}  // namespace

bool is_build_file(std::string_view path) {
  static constexpr std::array<std::string_view, 3> kNames = {"makefile", "gnumakefile",
                                                             "cmakelists.txt"};
  const std::string name = lower(std::filesystem::path(path).filename().string());
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

std::vector<std::pair<std::string, std::string>> build_definitions(std::string_view text) {
  Definitions found;
  std::istringstream lines{std::string(text)};
  bool in_command = false;  // of CMake, up to its parenthesis
  for (std::string line; std::getline(lines, line);) {
    const std::string plain = lower(line);
    in_command = in_command || plain.find("add_compile_definitions") != std::string::npos ||
                 plain.find("target_compile_definitions") != std::string::npos;
    for (std::string_view word : words_of_build_line(line)) {
      // FLAGS=-DBLOCK=1, "-DBLOCK=1"
      const std::size_t option = word.find("-D");
      const bool is_option =
          option != word.npos && (option == 0 || word[option - 1] == '=' ||
                                  word[option - 1] == '"' || word[option - 1] == '\'');
      if (is_option) {
        add(word.substr(option + 2), found);
      } else if (in_command) {
        // Targets and words such as PRIVATE become macros, too: no source uses them.
        add(word, found);
      }
    }
    in_command = in_command && line.find(')') == std::string::npos;
  }
  return found;
}

}  // namespace warpgrade
