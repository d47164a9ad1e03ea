#include "grader/serve/playground.h"

#include "grader/core/embedded.h"

namespace warpgrade {
namespace {

constexpr const char* kProgram = "program.cu";
constexpr const char* kArguments = "arguments.txt";
constexpr const char* kInput = "input.txt";

std::string content(const FileSet& files, const char* name) {
  const auto it = files.find(name);
  return it == files.end() ? std::string() : it->second;
}

}  // namespace

Lab playground_lab() {
  Lab lab;
  lab.id = kPlayground;
  lab.title = "Playground";
  lab.function = "main";
  lab.submit = {kProgram};
  return lab;
}

bool is_playground(const Lab& lab) {
  return lab.id == kPlayground && lab.folder.empty();
}

std::vector<LabFile> playground_files() {
  return {{.name = kProgram, .original = std::string(embedded_file("playground.cu"))},
          {.name = kArguments, .original = {}},
          {.name = kInput, .original = {}}};
}

PlaygroundRun playground_run(const FileSet& files) {
  return {.program = kProgram,
          .arguments = words_of(content(files, kArguments)),
          .input = content(files, kInput).empty() ? std::string() : kInput};
}

std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  bool within = false;  // a word
  bool quoted = false;
  for (const char c : line) {
    const bool space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (space && !quoted) {
      within = false;
      continue;
    }
    if (!within) words.emplace_back();
    within = true;
    if (c == '"') {
      quoted = !quoted;
    } else {
      words.back() += c;
    }
  }
  return words;
}

}  // namespace warpgrade
