#include <catch2/catch_test_macros.hpp>
#include <regex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/core/text.h"
#include "grader/tests/program.h"

// docs/tutorial-new-lab.md, to the letter.

namespace warpgrade {
namespace fs = std::filesystem;
using testing::contains;
using testing::shell;
using testing::source_folder;
namespace {

/// What the page says to do: write a file, or run a command.
struct Step {
  std::string path;  // of a file
  std::string text;  // its content, or the command
  std::vector<std::string> shows;  // lines of the command's output, in this order
};

std::vector<Step> steps_of(const std::string& page) {
  static const std::regex kCaption("^`([A-Za-z_/]+\\.[a-z]+)`.*:$");
  std::vector<Step> steps;
  std::string caption;
  std::string path;  // of the file that is shown
  bool in_block = false;
  bool in_commands = false;
  // A caption may need several lines.
  std::string paragraph;
  for (const std::string_view view : split_lines(page)) {
    const std::string line(view);
    if (line.starts_with("```")) {
      in_block = !in_block;
      in_commands = in_block && line == "```console";
      if (in_block && !in_commands) {
        path = std::exchange(caption, "");
        INFO(line);
        REQUIRE_FALSE(path.empty());
        steps.push_back({.path = path, .text = "", .shows = {}});
      }
    } else if (in_commands) {
      if (line.starts_with("$ ")) {
        steps.push_back({.path = "", .text = line.substr(2), .shows = {}});
      } else {
        steps.back().shows.emplace_back(trimmed(line, " "));
      }
    } else if (in_block) {
      steps.back().text += line + "\n";
    } else if (line.empty()) {
      paragraph.clear();
    } else {
      paragraph += (paragraph.empty() ? "" : " ") + line;
      std::smatch match;
      if (std::regex_match(paragraph, match, kCaption)) caption = match[1];
    }
  }
  return steps;
}

/// The lines are there in this order; others may be between them.
bool shows(std::string_view output, const std::vector<std::string>& lines) {
  std::size_t at = 0;
  for (const std::string& line : lines) {
    at = output.find(line, at);
    if (at == std::string_view::npos) return false;
    at += line.size();
  }
  return true;
}

TEST_CASE("the tutorial for a new lab can be followed to the letter", "[program][lab][docs]") {
  testing::need_sandbox();
  const ScratchFolder folder;
  fs::create_directory(folder.path() / "bin");
  fs::create_symlink(testing::program(), folder.path() / "bin/warpgrade");
  std::string before = "export PATH=" + (folder.path() / "bin").string() + ":$PATH\n";
  fs::path here = folder.path();
  std::size_t commands = 0;
  for (const Step& step : steps_of(read_file(source_folder() / "docs/tutorial-new-lab.md"))) {
    INFO((step.path.empty() ? "$ " + step.text : step.path));
    if (!step.path.empty()) {
      write_file_atomically(here / step.path, step.text);
      continue;
    }
    ++commands;
    if (step.text.starts_with("cd ")) here = here / step.text.substr(3);
    const bool stays = step.text.starts_with("cd ") || step.text.starts_with("export ");
    if (stays) before += step.text + "\n";
    const ProcessResult result = shell(before + (stays ? "" : step.text), folder.path());
    INFO(result.out << result.err);
    CHECK(result.code <= 1);  // what a check finds is not an error of the page
    CHECK(shows(result.out + result.err, step.shows));
  }
  CHECK(commands > 10);
  CHECK_FALSE(contains(read_file(here / "results/index.html"), "TODO"));
  CHECK(fs::exists(here / "results/ada/dilate/feedback.html"));
}

}  // namespace
}  // namespace warpgrade
