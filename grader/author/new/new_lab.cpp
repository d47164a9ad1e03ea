#include "grader/author/new/new_lab.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "grader/core/embedded.h"
#include "grader/core/error.h"
#include "grader/core/files.h"
#include "grader/core/text.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kLongestId = 40;

/// A lab's files and their templates, in which @LAB@ is replaced by its id.
struct TemplateFile {
  std::string_view path;
  std::string_view embedded;
};
constexpr std::array kFunctionFiles = {
    TemplateFile{"labs/@LAB@/lab.toml", "new_lab.toml.in"},
    TemplateFile{"labs/@LAB@/@LAB@.h", "new_header.h.in"},
    TemplateFile{"labs/@LAB@/@LAB@.cu", "new_stub.cu.in"},
    TemplateFile{"labs/@LAB@/README.md", "new_handout.md.in"},
    TemplateFile{"datasets/@LAB@.toml", "new_dataset.toml.in"},
    TemplateFile{"reference/@LAB@/golden.cpp", "new_golden.cpp.in"},
    TemplateFile{"reference/@LAB@/misreadings.cpp", "new_misreadings.cpp.in"},
    TemplateFile{"reference/@LAB@/solution.cu", "new_solution.cu.in"},
};
constexpr std::array kProgramFiles = {
    TemplateFile{"labs/@LAB@/lab.toml", "new_program_lab.toml.in"},
    TemplateFile{"labs/@LAB@/@LAB@.cu", "new_program_stub.cu.in"},
    TemplateFile{"labs/@LAB@/README.md", "new_program_handout.md.in"},
    TemplateFile{"datasets/@LAB@.toml", "new_program_dataset.toml.in"},
    TemplateFile{"reference/@LAB@/golden.cpp", "new_golden.cpp.in"},
    TemplateFile{"reference/@LAB@/solution.cu", "new_program_solution.cu.in"},
};
constexpr std::array kStreamsFiles = {
    TemplateFile{"labs/@LAB@/lab.toml", "streams_lab.toml.in"},
    TemplateFile{"labs/@LAB@/@LAB@.h", "streams_header.h.in"},
    TemplateFile{"labs/@LAB@/@LAB@.cu", "streams_stub.cu.in"},
    TemplateFile{"labs/@LAB@/README.md", "streams_handout.md.in"},
    TemplateFile{"datasets/@LAB@.toml", "streams_dataset.toml.in"},
    TemplateFile{"reference/@LAB@/golden.cpp", "streams_golden.cpp.in"},
    TemplateFile{"reference/@LAB@/misreadings.cpp", "new_misreadings.cpp.in"},
    TemplateFile{"reference/@LAB@/solution.cu", "streams_solution.cu.in"},
    TemplateFile{"reference/@LAB@/wrong/one_piece.cu", "streams_one_piece.cu.in"},
};
constexpr std::array kQuestionsFiles = {
    TemplateFile{"labs/@LAB@/lab.toml", "new_questions.toml.in"},
    TemplateFile{"labs/@LAB@/README.md", "new_questions_handout.md.in"},
    TemplateFile{"reference/@LAB@/answers.toml", "new_answers.toml.in"},
};

/// A kind of lab: a row here, and its files.
struct LabTemplate {
  std::string_view name;
  std::span<const TemplateFile> files;
};
constexpr std::array kTemplates = {
    LabTemplate{.name = "function", .files = kFunctionFiles},
    LabTemplate{.name = "program", .files = kProgramFiles},
    LabTemplate{.name = "questions", .files = kQuestionsFiles},
    LabTemplate{.name = "streams", .files = kStreamsFiles},
};

/// Identifiers that cannot be a function's name.
constexpr std::array<std::string_view, 24> kTaken = {
    "auto", "bool",   "case", "char",   "class", "const",  "default", "delete",
    "do",   "double", "else", "enum",   "float", "for",    "if",      "int",
    "long", "main",   "new",  "return", "short", "switch", "void",    "while"};

void check_id(const std::string& id) {
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  const bool good = !id.empty() && id.size() <= kLongestId && is_letter(id.front()) &&
                    std::all_of(id.begin(), id.end(), [&](char c) {
                      return is_letter(c) || (c >= '0' && c <= '9') || c == '_';
                    });
  if (!good) {
    throw UsageError(
        fmt::format("'{}' cannot be a lab's id: at most {} lower-case letters, digits and _, the "
                    "first of them a letter; it is also the name of the function",
                    printable(id), kLongestId));
  }
  if (std::find(kTaken.begin(), kTaken.end(), id) != kTaken.end()) {
    throw UsageError(fmt::format(
        "'{}' cannot be a lab's id: it is also the name of the function, and it is reserved in C++",
        id));
  }
}

}  // namespace

std::vector<std::string> lab_templates() {
  std::vector<std::string> names;
  for (const LabTemplate& kind : kTemplates) {
    names.emplace_back(kind.name);
  }
  return names;
}

std::vector<fs::path> make_new_lab(const fs::path& root, const std::string& id,
                                   std::string_view kind) {
  check_id(id);
  const auto chosen = std::find_if(kTemplates.begin(), kTemplates.end(),
                                   [&](const LabTemplate& t) { return t.name == kind; });
  if (chosen == kTemplates.end()) {
    throw UsageError(fmt::format("there is no template '{}'; the templates are {}", printable(kind),
                                 join_and(lab_templates())));
  }
  for (const fs::path& place :
       {fs::path("labs") / id, fs::path("reference") / id, fs::path("datasets") / (id + ".toml")}) {
    if (fs::exists(root / place)) {
      throw UsageError(
          fmt::format("{} already exists; nothing was changed. Choose another id", place.string()));
    }
  }
  std::vector<fs::path> made;
  for (const TemplateFile& file : chosen->files) {
    const fs::path path = replace_all(std::string(file.path), "@LAB@", id);
    write_file_atomically(root / path,
                          replace_all(std::string(embedded_file(file.embedded)), "@LAB@", id));
    made.push_back(path);
  }
  return made;
}

}  // namespace warpgrade
