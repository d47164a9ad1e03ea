#include "grader/submit/submission/notebook.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "grader/core/encoding.h"
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
constexpr std::array<std::string_view, 4> kShells = {"%%bash", "%%sh", "%%shell", "%%script"};
constexpr std::array<std::string_view, 2> kWriteFile = {"%%writefile", "%%file"};

/// A cell's text: one string, or one per line.
std::string text_of(const json& cell) {
  auto source = cell.find("source");
  if (source == cell.end()) source = cell.find("input");  // of format 3
  if (source == cell.end()) return {};
  if (source->is_string()) return source->get<std::string>();
  std::string text;
  if (source->is_array()) {
    for (const json& line : *source) text += line.is_string() ? line.get<std::string>() : "";
  }
  return text;
}

std::vector<std::string> words_of_cell_line(std::string_view line) {
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
  const std::vector<std::string> words = words_of_cell_line(line);
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

bool contains_cuda(std::string_view code) {
  return code.find("__global__") != std::string_view::npos;
}

/// Where the magic begins below comments that Colab and students write above it; 0 if the cell does
/// not begin like that.
std::size_t after_comments(const std::string& code) {
  std::size_t at = 0;
  while (true) {
    at = code.find_first_not_of(" \t\r\n", at);
    if (at == std::string::npos) return 0;
    const std::string_view rest = std::string_view(code).substr(at);
    if (rest.starts_with("%%")) return at;
    if (!rest.starts_with('#') && !rest.starts_with("//")) return 0;
    at = std::min(code.find('\n', at), code.size());
  }
}

/// The files that a shell's commands write: cat > vecadd.cu <<EOF ... EOF.
std::vector<NotebookSource> here_documents(const std::string& code) {
  std::vector<NotebookSource> found;
  std::istringstream lines(code);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t mark = line.find("<<");
    const std::size_t into = line.find('>');
    if (line.find("cat") == std::string::npos || mark == std::string::npos ||
        into == std::string::npos) {
      continue;
    }
    const std::vector<std::string> ends =
        words_of_cell_line(line.substr(std::min(line.find_first_not_of("<- ", mark), line.size())));
    const std::vector<std::string> names =
        words_of_cell_line(line.substr(std::min(line.find_first_not_of("> ", into), line.size())));
    if (ends.empty() || names.empty()) continue;
    NotebookSource source{.path = relative_path(names[0]), .text = {}};
    while (std::getline(lines, line) && trimmed(line) != ends[0]) source.text += line + "\n";
    if (is_submitted_name(source.path)) found.push_back(std::move(source));
  }
  return found;
}

/// The CUDA program in a string of Python that the cell writes to a file.
std::vector<NotebookSource> written_string(const std::string& code) {
  for (const std::string_view quotes : {"\"\"\"", "\'\'\'"}) {
    const std::size_t open = code.find(quotes);
    const std::size_t close = open == std::string::npos ? open : code.find(quotes, open + 3);
    if (close == std::string::npos) continue;
    std::string text = code.substr(open + 3, close - open - 3);
    const std::string rest = code.substr(0, open) + code.substr(close + 3);
    for (const std::string_view ending : {".cu'", ".cu\"", ".cuh'", ".cuh\""}) {
      const std::size_t end = rest.find(ending);
      const std::size_t begin = end == std::string::npos ? end : rest.find_last_of("'\"", end);
      if (begin == std::string::npos || !contains_cuda(text)) continue;
      const std::string name = rest.substr(begin + 1, end + ending.size() - begin - 2);
      return {{.path = relative_path(name), .text = std::move(text)}};
    }
  }
  return {};
}

/// The files that a cell without a magic of CUDA writes, or which it is.
/// @param first   the first word
/// @param number  of the cell
std::vector<NotebookSource> other_sources(const std::string& code, const std::string& first,
                                          const std::string& unnamed) {
  if (std::find(kShells.begin(), kShells.end(), first) != kShells.end()) {
    return here_documents(code);
  }
  if (!contains_cuda(code)) return {};
  if (first.starts_with("%%")) {  // of another extension
    return {{.path = unnamed, .text = code.substr(std::min(code.find('\n'), code.size()))}};
  }
  if (std::vector<NotebookSource> written = written_string(code); !written.empty()) return written;
  const std::size_t kernel = code.find("__global__");
  const bool is_quoted = code.substr(0, kernel).find_first_of("'\"") != std::string::npos &&
                         code.substr(0, kernel).find("#include") == std::string::npos;
  if (is_quoted || first.starts_with('%') || first.starts_with('!')) return {};
  return {{.path = unnamed, .text = code}};
}

/// Adds a file as if the cells ran from the first to the last.
void add(std::vector<NotebookSource>& sources, NotebookSource source, bool appends) {
  const auto same = std::find_if(sources.begin(), sources.end(),
                                 [&](const NotebookSource& s) { return s.path == source.path; });
  if (same == sources.end()) {
    sources.push_back(std::move(source));
  } else if (appends) {
    same->text += source.text;
  } else {
    same->text = std::move(source.text);
  }
}

/// The cells, also those of format 3; null if it is not a notebook.
const json* cells_of(const json& notebook) {
  if (!notebook.is_object()) return nullptr;
  const auto sheets = notebook.find("worksheets");
  const bool is_old = sheets != notebook.end() && sheets->is_array() && !sheets->empty() &&
                      sheets->front().is_object();
  const json& holder = is_old ? sheets->front() : notebook;
  const auto cells = holder.find("cells");
  return cells != holder.end() && cells->is_array() ? &*cells : nullptr;
}

}  // namespace

bool is_notebook(std::string_view path) {
  const std::string plain = lower(path);
  return std::any_of(kNotebookEndings.begin(), kNotebookEndings.end(),
                     [&](std::string_view ending) { return plain.ends_with(ending); });
}

NotebookSources sources_of_notebook(std::string_view text, const std::string& stem) {
  NotebookSources found;
  const std::optional<DecodedText> decoded = decode_text(text);
  const json notebook = json::parse(decoded ? decoded->text : "", nullptr, false);
  const json* cells = cells_of(notebook);
  if (cells == nullptr) {
    found.problem = "is not a Jupyter notebook; save it again, or submit the .cu file";
    return found;
  }
  std::size_t number = 0;
  for (const json& cell : *cells) {
    ++number;
    const std::string kind = cell.is_object() ? cell.value("cell_type", "") : "";
    if (kind != "code" && kind != "raw") continue;
    std::string code = text_of(cell);
    // Lines keep their numbers.
    const std::size_t comments = after_comments(code);
    const auto lines =
        std::count(code.begin(), code.begin() + static_cast<std::ptrdiff_t>(comments), '\n');
    code.replace(0, comments, static_cast<std::size_t>(lines), '\n');
    const std::size_t begin = std::min(code.find_first_not_of(" \t\r\n"), code.size());
    const std::size_t end = std::min(code.find('\n', begin), code.size());
    const std::string first_line = code.substr(begin, end - begin);
    const std::string unnamed = fmt::format("{}-cell{}.cu", stem, number);
    if (const auto magic = magic_of(first_line)) {
      code.erase(begin, end - begin);
      add(found.sources,
          {.path = magic->path.empty() ? unnamed : magic->path, .text = std::move(code)},
          magic->appends);
      continue;
    }
    const std::vector<std::string> words = words_of_cell_line(first_line);
    const std::string first = words.empty() ? std::string() : words[0];
    if (std::find(kWriteFile.begin(), kWriteFile.end(), first) != kWriteFile.end()) continue;
    for (NotebookSource& source : other_sources(code, first, unnamed)) {
      add(found.sources, std::move(source), false);
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
