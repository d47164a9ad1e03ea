#include "emulator/recording/sources.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "emulator/recording/source_text.h"

namespace warpsim::recording {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kAround = 3;  // lines before and after
constexpr std::uint32_t kMostLines = 400;
constexpr std::size_t kMostLength = 200;
constexpr std::uintmax_t kMostFileBytes = 1 << 20;

struct Lines {
  std::uint32_t first = ~0u, last = 0;
  void add(std::uint32_t line) {
    if (line == 0) return;
    first = std::min(first, line);
    last = std::max(last, line);
  }
};

bool uses_streams(const Calls& calls) {
  return std::ranges::any_of(calls.list, [](const Call& call) { return call.stream != 0; });
}

Lines lines_of(const Recording& recording, std::uint32_t file) {
  Lines lines;
  for (const Block& block : recording.blocks) {
    for (const Instruction& instruction : block.instructions) {
      if (instruction.file == file) lines.add(instruction.line);
    }
    for (const NamedFinding& finding : block.findings) {
      if (finding.file == file) {
        lines.add(finding.line);
        for (const std::uint32_t line : finding.naming) lines.add(line);
      }
      if (finding.other_file == file) lines.add(finding.other_line);
    }
  }
  // Those of host code where streams are of interest, and if they are near enough.
  for (const Call& call : recording.calls.list) {
    if (call.file != file || !uses_streams(recording.calls)) continue;
    Lines all = lines;
    all.add(call.line);
    if (all.last != 0 && all.last - all.first < kMostLines - 2 * kAround) lines = all;
  }
  return lines;
}

bool is_readable(const std::string& path) {
  std::error_code failure;
  return fs::is_regular_file(path, failure) && fs::file_size(path, failure) <= kMostFileBytes;
}

/// What only the whole text says of the blocks' arrays and findings.
void add_facts(Recording& recording, std::uint32_t number, const SourceText& text) {
  for (Block& block : recording.blocks) {
    const bool runs = std::ranges::any_of(
        block.instructions, [&](const Instruction& one) { return one.file == number; });
    for (Array& array : block.shared) {
      if (runs && array.extents.empty())
        array.extents = text.shared_extents(array.name, block.kernel, array.bytes);
    }
    for (NamedFinding& finding : block.findings) {
      const std::string_view array = array_in(finding.message);
      if (finding.file != number || finding.other_line != 0 || !finding.naming.empty()) continue;
      finding.naming = text.lines_naming(array, finding.line);
      if (finding.naming.empty()) continue;
      finding.message += ". " + naming_note(array, finding.line, finding.naming);
    }
  }
}

}  // namespace

void add_text(Recording& recording, std::uint32_t number, std::istream& from) {
  const std::string whole{std::istreambuf_iterator<char>(from), {}};
  add_facts(recording, number, SourceText(whole));
  const Lines lines = lines_of(recording, number);
  if (lines.last == 0) return;
  std::istringstream text(whole);
  File& file = recording.files[number - 1];
  file.first_line = lines.first > kAround ? lines.first - kAround : 1;
  const std::uint32_t end = std::min(lines.last + kAround + 1, file.first_line + kMostLines);
  std::string line;
  for (std::uint32_t at = 1; at < end && std::getline(text, line); ++at) {
    if (at >= file.first_line) file.lines.push_back(line.substr(0, kMostLength));
  }
}

void add_sources(Recording& recording, const std::vector<std::string>& paths, bool reads) {
  for (const std::string& path : paths) {
    File& file = recording.files.emplace_back();
    file.name = fs::path(path).filename().string();
    if (!reads || !is_readable(path)) continue;
    std::ifstream text(path);
    add_text(recording, static_cast<std::uint32_t>(recording.files.size()), text);
  }
}

}  // namespace warpsim::recording
