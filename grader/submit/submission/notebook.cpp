#include "grader/submit/submission/notebook.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "grader/core/text.h"
#include "grader/submit/submission/other_names.h"
#include "grader/submit/submission/source_tree.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

/// What cells of CUDA code begin with: https://github.com/andreinechaev/nvcc4jupyter, and others.
constexpr std::array<std::string_view, 5> kMagics = {"%%cu", "%%cuda", "%%cuda_group_save",
                                                     "%%nvcc", "%%cuda_run"};
constexpr std::array<std::string_view, 2> kWriteFile = {"%%writefile", "%%file"};

/// A cell's text: one string, or one per line.
std::string text_of(const json& cell) {
  const auto source = cell.find("source");
  if (source == cell.end()) return {};
  if (source->is_string()) return source->get<std::string>();
  std::string text;
  if (source->is_array()) {
    for (const json& line : *source) text += line.is_string() ? line.get<std::string>() : "";
  }
  return text;
}

std::vector<std::string> words_of(std::string_view line) {
  std::istringstream in{std::string(line)};
  std::vector<std::string> words;
  for (std::string word; in >> word;) {
    std::erase_if(word, [](char c) { return c == '"' || c == '\''; });
    words.push_back(std::move(word));
  }
  return words;
}

/// The path that a cell gives its file. Absolute ones are those of the machine it ran on.
std::string relative_path(const std::string& given) {
  const fs::path path = fs::path(given).lexically_normal();
  const bool leads_out = path.is_absolute() || path.native().starts_with("..");
  return (leads_out ? path.filename() : path).generic_string();
}

/// The file of a cell.
struct Magic {
  std::string path;  // empty: it has no name
  bool appends = false;
};

/// @param line  the first one of a cell that is not empty
std::optional<Magic> magic_of(std::string_view line) {
  const std::vector<std::string> words = words_of(line);
  if (words.empty()) return std::nullopt;
  Magic magic;
  if (std::find(kWriteFile.begin(), kWriteFile.end(), words[0]) != kWriteFile.end()) {
    for (std::size_t i = 1; i < words.size(); ++i) {
      const bool is_append = words[i] == "-a" || words[i] == "--append";
      magic.appends = magic.appends || is_append;
      if (!is_append) magic.path = relative_path(words[i]);
    }
    const bool is_text = lower(magic.path).ends_with(".txt") && !is_named_like_program(magic.path);
    return is_submitted_name(magic.path) && !is_text ? std::optional(magic) : std::nullopt;
  }
  if (std::find(kMagics.begin(), kMagics.end(), words[0]) == kMagics.end()) return std::nullopt;
  for (std::size_t i = 1; i < words.size(); ++i) {
    constexpr std::string_view kName = "--name=";
    const bool is_next = words[i] == "-n" || words[i] == "--name";
    if (is_next && i + 1 < words.size()) magic.path = relative_path(words[i + 1]);
    if (words[i].starts_with(kName)) magic.path = relative_path(words[i].substr(kName.size()));
  }
  return magic;
}

}  // namespace

bool is_notebook(std::string_view path) {
  return lower(path).ends_with(".ipynb");
}

NotebookSources sources_of_notebook(std::string_view text, const std::string& stem) {
  NotebookSources found;
  const json notebook = json::parse(text, nullptr, false);
  const auto cells = notebook.is_object() ? notebook.find("cells") : notebook.end();
  if (!notebook.is_object() || cells == notebook.end() || !cells->is_array()) {
    found.problem = "is not a Jupyter notebook; save it again, or submit the .cu file";
    return found;
  }
  std::size_t number = 0;
  for (const json& cell : *cells) {
    ++number;
    if (!cell.is_object() || cell.value("cell_type", "") != "code") continue;
    std::string code = text_of(cell);
    const std::size_t begin = std::min(code.find_first_not_of(" \t\r\n"), code.size());
    const std::size_t end = std::min(code.find('\n', begin), code.size());
    const auto magic = magic_of(std::string_view(code).substr(begin, end - begin));
    if (!magic) continue;
    code.erase(begin, end - begin);
    const std::string path =
        magic->path.empty() ? fmt::format("{}-cell{}.cu", stem, number) : magic->path;
    const auto same = std::find_if(found.sources.begin(), found.sources.end(),
                                   [&](const NotebookSource& s) { return s.path == path; });
    if (same == found.sources.end()) {
      found.sources.push_back({.path = path, .text = std::move(code)});
    } else if (magic->appends) {
      same->text += code;
    } else {
      same->text = std::move(code);  // as when the cells run from the first to the last
    }
  }
  if (found.sources.empty()) {
    found.problem =
        "has no cell that begins with %%cu, %%cuda or %%writefile NAME.cu; begin one with it, or "
        "submit the .cu file";
  }
  return found;
}

}  // namespace warpgrade
