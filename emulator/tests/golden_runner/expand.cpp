#include "emulator/tests/golden_runner/expand.h"

#include <fmt/format.h>

#include <stdexcept>

namespace warpsim::golden {
namespace {

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n';
}

/// [begin, end) of each opcode, braces included.
struct Range {
  std::size_t begin;
  std::size_t end;
};

std::vector<Range> opcode_ranges(std::string_view text) {
  std::vector<Range> ranges;
  std::size_t i = 0;
  while (i < text.size()) {
    while (i < text.size() && (is_space(text[i]) || text[i] == ';')) ++i;
    if (i < text.size() && text[i] == '@') {  // a guard
      while (i < text.size() && !is_space(text[i])) ++i;
      continue;
    }
    const std::size_t begin = i;
    while (i < text.size() && !is_space(text[i]) && text[i] != ';') ++i;
    if (i > begin) ranges.push_back({begin, i});
    while (i < text.size() && text[i] != ';') ++i;
  }
  return ranges;
}

struct Brace {
  std::size_t begin = 0;  // at '{'
  std::size_t end = 0;  // behind '}'
  std::vector<std::string> alternatives;
};

Brace parse_brace(std::string_view text, std::size_t begin) {
  const std::size_t close = text.find('}', begin);
  if (close == text.npos) {
    throw std::runtime_error(fmt::format("'{{' is never closed in '{}'", text));
  }
  Brace brace{.begin = begin, .end = close + 1, .alternatives = {}};
  if (text[begin + 1] == '.') brace.alternatives.emplace_back();  // optional
  std::size_t start = begin + 1;
  while (start <= close) {
    std::size_t comma = text.find(',', start);
    if (comma > close) comma = close;
    brace.alternatives.emplace_back(text.substr(start, comma - start));
    start = comma + 1;
  }
  return brace;
}

std::vector<Brace> braces(std::string_view text) {
  std::vector<Brace> found;
  for (const Range& range : opcode_ranges(text)) {
    std::size_t at = text.find('{', range.begin);
    while (at < range.end) {
      found.push_back(parse_brace(text, at));
      at = text.find('{', found.back().end);
    }
  }
  return found;
}

}  // namespace

std::vector<Expansion> expand(std::string_view instructions) {
  std::vector<Expansion> done = {{.text = "", .first_choice = 0}};
  std::size_t copied = 0;
  bool first = true;
  for (const Brace& brace : braces(instructions)) {
    std::vector<Expansion> next;
    for (const Expansion& before : done) {
      for (std::size_t i = 0; i < brace.alternatives.size(); ++i) {
        std::string text = before.text;
        text += instructions.substr(copied, brace.begin - copied);
        text += brace.alternatives[i];
        next.push_back({std::move(text), first ? i : before.first_choice});
      }
    }
    done = std::move(next);
    copied = brace.end;
    first = false;
  }
  for (Expansion& expansion : done) expansion.text += instructions.substr(copied);
  return done;
}

std::size_t first_brace_size(std::string_view instructions) {
  const std::vector<Brace> found = braces(instructions);
  return found.empty() ? 1 : found.front().alternatives.size();
}

std::vector<std::string> opcodes(std::string_view instructions) {
  std::vector<std::string> names;
  for (const Range& range : opcode_ranges(instructions)) {
    names.emplace_back(instructions.substr(range.begin, range.end - range.begin));
  }
  return names;
}

}  // namespace warpsim::golden
