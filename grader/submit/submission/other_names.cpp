#include "grader/submit/submission/other_names.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "grader/core/comments.h"
#include "grader/core/error.h"
#include "grader/core/source_names.h"
#include "grader/core/text.h"

namespace warpgrade {
namespace fs = std::filesystem;
namespace {

constexpr std::array<std::string_view, 6> kCppEndings = {".cpp", ".cc",  ".cxx",
                                                         ".c",   ".c++", ".cuda"};
/// What editors put after the name of a file of which they keep the former text, and what mail
/// programs put there so that a program may pass.
constexpr std::array<std::string_view, 7> kKeptEndings = {"~",     ".bak",  ".backup", ".old",
                                                          ".orig", ".save", "_"};
constexpr std::string_view kProgram = ".cu";

bool ends_like_cpp(std::string_view name) {
  return std::any_of(kCppEndings.begin(), kCppEndings.end(),
                     [&](std::string_view ending) { return name.ends_with(ending); });
}

/// "vecadd.cu.bak" without its last ending; empty for other names.
std::string_view without_kept_ending(std::string_view plain) {
  for (const std::string_view ending : kKeptEndings) {
    if (!plain.ends_with(ending)) continue;
    const std::string_view rest = plain.substr(0, plain.size() - ending.size());
    if (rest.ends_with(kProgram) && !rest.ends_with("/.cu")) return rest;
  }
  return {};
}

/// The copy number of "vecadd.cu (1)", "vecadd.cu 2", "vecadd.cu-1" and "vecadd.cu;1", with what is
/// around it; empty for other names.
std::string_view copy_number_after_ending(std::string_view plain) {
  const std::size_t at = plain.rfind(kProgram);
  if (at == plain.npos || at == 0) return {};
  const std::string_view after = plain.substr(at + kProgram.size());
  std::string_view number = after;
  if (number.starts_with(' ')) number.remove_prefix(1);
  if (number.starts_with('(') && number.ends_with(')')) {
    number = number.substr(1, number.size() - 2);
  } else if (number.starts_with('-') || number.starts_with(';') || number.starts_with('_')) {
    number.remove_prefix(1);
  } else if (number.size() == after.size()) {
    return {};  // "vecadd.cu2"
  }
  constexpr std::size_t kMostDigits = 3;
  const bool is_number = !number.empty() && number.size() <= kMostDigits &&
                         number.find_first_not_of("0123456789") == number.npos;
  return is_number ? after : std::string_view();
}

/// Whether it defines or launches a kernel.
bool contains_cuda(const SourceTree::Entry& entry) {
  try {
    const std::string text = without_comments(SourceTree::read_text(entry).text);
    return text.find('\0') == std::string::npos &&
           (text.find("__global__") != std::string::npos || text.find("<<<") != std::string::npos);
  } catch (const UsageError&) {
    return false;  // too large, or no longer there
  }
}

}  // namespace

bool is_plain_text(std::string_view path) {
  const std::string plain = lower(path);
  return (plain.ends_with(".txt") && !plain.ends_with(".cu.txt")) ||
         plain.find('.', plain.rfind('/') + 1) == std::string::npos ||
         !without_kept_ending(plain).empty();
}

std::string usual_name(std::string_view path) {
  if (is_program(path)) return {};
  const std::string plain = lower(path);
  if (const std::size_t size = without_kept_ending(plain).size(); size > 0) {
    return std::string(path.substr(0, size - kProgram.size())).append(kProgram);
  }
  if (const std::size_t size = copy_number_after_ending(plain).size(); size > 0) {
    const std::string_view number = path.substr(path.size() - size);
    const std::string_view stem = path.substr(0, path.size() - size - kProgram.size());
    // As other systems write it; VMS's ";1" is the version of the only file.
    return number.starts_with(';') ? std::string(stem).append(kProgram)
           : number.starts_with(' ') || number.starts_with('-') || number.starts_with('_')
               ? std::string(stem).append(number).append(kProgram)
               : fmt::format("{} {}{}", stem, number, kProgram);
  }
  for (const std::string_view after : {".txt", ".text", ".download", ""}) {
    if (!plain.ends_with(std::string(kProgram).append(after))) continue;
    return std::string(path.substr(0, path.size() - after.size() - kProgram.size()))
        .append(kProgram);
  }
  if (!ends_like_cpp(plain) && !is_plain_text(plain)) return {};
  const std::size_t dot = path.rfind('.');
  const bool has_ending = dot != std::string_view::npos && path.find('/', dot) == path.npos;
  return std::string(path.substr(0, has_ending ? dot : path.size())).append(kProgram);
}

bool is_in_build_folder(std::string_view path) {
  static constexpr std::array<std::string_view, 5> kNames = {"build", "cmakefiles", "__macosx",
                                                             "node_modules", "_deps"};
  const fs::path folder = fs::path(path).parent_path();
  return std::any_of(folder.begin(), folder.end(), [](const fs::path& step) {
    const std::string name = lower(step.string());
    return std::find(kNames.begin(), kNames.end(), name) != kNames.end() ||
           (name.size() > 2 && name.starts_with('.')) ||  // .git, .vscode; not ".."
           name.starts_with("cmake-build-") || name.starts_with("build-") || name.ends_with(".dir");
  });
}

bool is_in_output_folder(std::string_view path) {
  static constexpr std::array<std::string_view, 12> kNames = {
      "x64", "x86", "debug",  "release", "relwithdebinfo", "bin",
      "obj", "out", "target", "ipch",    "__pycache__",    "site-packages"};
  const fs::path folder = fs::path(path).parent_path();
  return std::any_of(folder.begin(), folder.end(), [](const fs::path& step) {
    const std::string name = lower(step.string());
    return std::find(kNames.begin(), kNames.end(), name) != kNames.end() ||
           name.starts_with("venv");
  });
}

namespace {

/// @param text  of .txt files, or of all others
void take_usual_names(StudentEntry& entry, bool text, std::vector<std::string>& notes) {
  std::vector<std::pair<std::string, std::string>> renamed;
  for (const auto& [path, file] : entry.tree.entries()) {
    const std::string usual = usual_name(path);
    const std::string plain = lower(path);
    if (usual.empty() || is_plain_text(plain) != text || file.kind != SourceTree::Kind::file ||
        is_in_build_folder(path) || entry.tree.find(usual) ||
        ((text || ends_like_cpp(plain)) && !contains_cuda(file))) {
      continue;
    }
    renamed.emplace_back(path, usual);
  }
  for (const auto& [path, usual] : renamed) {
    if (entry.tree.find(usual)) continue;  // two files that would have one name
    entry.tree.add(usual, *entry.tree.find(path));
    if (const auto upload = entry.uploads.find(path); upload != entry.uploads.end()) {
      entry.uploads[usual] = upload->second;
    }
    notes.push_back(fmt::format("{}: {} is read as {}", one_line(entry.student),
                                one_line(path).substr(0, 200),
                                one_line(fs::path(usual).filename().string())));
  }
}

}  // namespace

namespace {

/// The folder that "Version 2" is in, with '/' at its end, and 2; nothing without such a folder.
std::optional<std::pair<std::string, int>> version_in(std::string_view path) {
  static constexpr std::string_view kWord = "version ";
  std::size_t start = 0;
  for (std::size_t end = path.find('/'); end != path.npos; end = path.find('/', start)) {
    const std::string folder = lower(path.substr(start, end - start));
    const char* const last = folder.data() + folder.size();
    int number = 0;
    if (folder.starts_with(kWord)) {
      const auto [rest, error] = std::from_chars(folder.data() + kWord.size(), last, number);
      if (error == std::errc() && rest == last) {
        return std::pair(std::string(path.substr(0, start)), number);
      }
    }
    start = end + 1;
  }
  return std::nullopt;
}

}  // namespace

void take_newest_version(StudentEntry& entry, std::vector<std::string>& notes) {
  std::map<std::string, int> newest;  // by the folder that the versions are in
  for (const auto& [path, file] : entry.tree.entries()) {
    const auto version = version_in(path);
    if (!version) continue;
    int& most = newest.try_emplace(version->first, version->second).first->second;
    most = std::max(most, version->second);
  }
  SourceTree left;
  std::set<std::string> shortened;
  for (const auto& [path, file] : entry.tree.entries()) {
    const auto version = version_in(path);
    if (!version || version->second == newest.at(version->first)) {
      left.add(path, file);
    } else {
      shortened.insert(version->first);
    }
  }
  if (!shortened.empty()) entry.tree = std::move(left);
  for (const std::string& folder : shortened) {
    notes.push_back(fmt::format("{}: of several versions, {}Version {} counts",
                                one_line(entry.student), one_line(folder), newest.at(folder)));
  }
}

bool is_named_like_program(std::string_view path) {
  const std::string plain = lower(path);
  return is_program(path) ||
         (!usual_name(path).empty() && !ends_like_cpp(plain) && !is_plain_text(plain));
}

void take_usual_names(StudentEntry& entry, std::vector<std::string>& notes) {
  take_usual_names(entry, false, notes);
  const auto& files = entry.tree.entries();
  const bool has_program = std::any_of(files.begin(), files.end(), [](const auto& f) {
    return is_program(f.first) && !is_in_build_folder(f.first);
  });
  // Beside a program, a text may be its listing.
  if (!has_program) take_usual_names(entry, true, notes);
}

}  // namespace warpgrade
